import { Fragment, type JSX } from 'preact';
import type { HookList, HookRow } from '../../api.ts';
import { makeLink, useAgain, useAsked } from '../lib/ask.ts';
import { formatCount, formatDuration } from '../lib/texts.ts';
import { Findings } from '../parts/findings.tsx';
import { Foreign } from '../parts/foreign.tsx';
import { OutcomeCounts } from '../parts/outcome.tsx';
import { Scroll } from '../parts/rows.tsx';
import { Counting, Empty, Failed, Waiting } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

/** Every hook: those of the project, those that ran, and those that never did. */
export function HooksView(): JSX.Element {
  const { data, failure } = useAsked<HookList>('/api/hooks');
  useAgain(data?.isCounting === true);
  if (failure !== undefined) return <Failed failure={failure} />;
  if (data === undefined) return <Waiting text="Loading the hooks of the project …" />;
  const { hooks, problems, findings, isCounting } = data;
  const names = [...new Set(hooks.map(({ hook }) => hook))];
  return (
    <Scroll class="page" label="Hooks">
      {problems.map((problem) => (
        <p key={problem} class="note bad">
          <Foreign text={problem} />
        </p>
      ))}
      <Findings findings={findings} />
      {isCounting && <Counting />}
      {hooks.length === 0 && !isCounting && <NoHooks />}
      {hooks.length > 0 && (
        <table class="hook-table">
          <HookColumns />
          {names.map((name) => (
            <HookGroup
              key={name}
              name={name}
              hooks={hooks.filter(({ hook }) => hook === name)}
              isCounting={isCounting}
            />
          ))}
        </table>
      )}
    </Scroll>
  );
}

const columns: readonly (readonly [title: string, look: string])[] = [
  ['hook', ''],
  ['source', 'wide'],
  ['for', 'wide'],
  ['runs', 'right'],
  ['outcomes', ''],
  ['p50', 'right middle'],
  ['p99', 'right middle'],
  ['last run', 'right wide'],
];

function HookColumns(): JSX.Element {
  return (
    <thead>
      <tr>
        {columns.map(([title, look]) => (
          <th key={title} scope="col" class={look}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface HookGroupProps {
  readonly name: string;
  readonly hooks: readonly HookRow[];
  readonly isCounting: boolean;
}

function HookGroup({ name, hooks, isCounting }: HookGroupProps): JSX.Element {
  return (
    <tbody>
      <tr class="hook-group">
        <th scope="rowgroup" colSpan={columns.length}>
          <Foreign text={name} />
        </th>
      </tr>
      {hooks.map((hook) => (
        <Fragment key={`${hook.id} ${hook.source}`}>
          <HookFigures hook={hook} isCounting={isCounting} />
          {hook.findings.length > 0 && <HookFindings hook={hook} />}
        </Fragment>
      ))}
    </tbody>
  );
}

/** What is wrong with a hook, under its row; its place stands there already. */
function HookFindings({ hook: { findings, source } }: { readonly hook: HookRow }): JSX.Element {
  const told = findings.map((one) => (one.where === source ? { ...one, where: null } : one));
  return (
    <tr class="hook-findings">
      <td colSpan={columns.length}>
        <Findings findings={told} />
      </td>
    </tr>
  );
}

interface HookFiguresProps {
  readonly hook: HookRow;
  readonly isCounting: boolean;
}

function HookFigures({ hook: row, isCounting }: HookFiguresProps): JSX.Element {
  const { hook, id, source, matcher, sums } = row;
  return (
    <tr class={row.findings.length > 0 ? 'has-findings' : undefined}>
      <th scope="row">
        <a href={makeLink(['hooks', hook, id])} data-row>
          <Foreign text={id} class="run-id" />
        </a>
      </th>
      <td class="wide quiet">
        <Foreign text={source ?? '–'} />
      </td>
      <td class="wide quiet">
        <Foreign text={matcher ?? ''} />
      </td>
      <td class="right number">
        {sums !== null ? formatCount(sums.runs) : isCounting ? '…' : <strong class="never">never ran</strong>}
      </td>
      <td>{sums !== null && <OutcomeCounts counts={sums.outcomes} />}</td>
      <td class="right number middle">{sums !== null && formatDuration(sums.p50)}</td>
      <td class="right number middle">{sums !== null && formatDuration(sums.p99)}</td>
      <td class="right wide">{sums !== null && <Time at={sums.lastAt} />}</td>
    </tr>
  );
}

function NoHooks(): JSX.Element {
  return (
    <Empty title="No hooks">
      <p>
        There is no project here, and the ledger has no run. Start the command in the folder with
        hooks.config.ts, or name it with --config.
      </p>
    </Empty>
  );
}
