import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { AboutInspector, CallName, RerunOutcome, WhyMatrix, WhyRow } from '../../api.ts';
import { ask, makeLink, useAsked } from '../lib/ask.ts';
import type { AskFailure } from '../lib/failure.ts';
import { noEntry } from '../lib/skip-reasons.ts';
import { formatDuration } from '../lib/texts.ts';
import { Foreign } from '../parts/foreign.tsx';
import { OutcomeWord } from '../parts/outcome.tsx';
import { Scroll } from '../parts/rows.tsx';
import { SaveText } from '../parts/save.tsx';
import { Failed, Waiting } from '../parts/states.tsx';
import { TextChanges } from '../parts/text-changes.tsx';
import { Time } from '../parts/time.tsx';

interface WhyViewProps {
  readonly thread: string;
  readonly id: string;
  /** Of several calls of a message, the one that it is about; without it the first. */
  readonly call: string | undefined;
}

/** All hooks against one event: what the ledger has, and what the hooks of today would do. */
export function WhyView({ thread, id, call }: WhyViewProps): JSX.Element {
  const matrix = useSignal<WhyMatrix | undefined>(undefined);
  const failure = useSignal<AskFailure | undefined>(undefined);
  const askAgain = (): void => {
    matrix.value = undefined;
    failure.value = undefined;
    ask<WhyMatrix>('/api/explain', { thread, message: id, call }).then(
      (answer) => {
        matrix.value = answer;
      },
      (error: AskFailure) => {
        failure.value = error;
      },
    );
  };
  useEffect(askAgain, [thread, id, call]);
  if (failure.value !== undefined) return <Failed failure={failure.value} onAgain={askAgain} />;
  if (matrix.value === undefined) return <p class="detail quiet">Asking the hooks of today …</p>;
  return <Matrix matrix={matrix.value} thread={thread} id={id} call={call} onAgain={askAgain} />;
}

interface MatrixProps extends WhyViewProps {
  readonly matrix: WhyMatrix;
  /** Asks the hooks as they are now, such as after an edit. */
  readonly onAgain: () => void;
}

function Matrix({ matrix, thread, id, call, onAgain }: MatrixProps): JSX.Element {
  const { hook, tool, at, rows, notLoaded, hasProject } = matrix;
  return (
    <Scroll class="detail" label="Why not?">
      <header class="detail-head">
        <h2>Why not?</h2>
        <p class="quiet">
          <Foreign text={hook} class="hook-name" />{' '}
          {tool !== null && <Foreign text={tool} class="call-name" />} · <Time at={at} /> ·{' '}
          <button type="button" class="link" onClick={onAgain}>
            Ask again
          </button>
        </p>
      </header>
      <CallTabs calls={matrix.calls} current={matrix.call} thread={thread} id={id} />
      {rows.length === 0 && <p class="note">No hook is for this event, and none was.</p>}
      <ul class="why-rows">
        {rows.map((row) => (
          <Why key={row.id} row={row} hasProject={hasProject} />
        ))}
        {notLoaded.map(({ source, message }) => (
          <li key={source + message}>
            <span class="bad">not loaded</span> <Foreign text={`${source}: ${message}`} />
          </li>
        ))}
      </ul>
      {hasProject && rows.length > 0 && rows.every(({ today }) => today === null) && <OtherProject />}
      <p class="note">What is stored has passed the hooks: one that redacts finds nothing left in it.</p>
      <Rerun thread={thread} id={id} call={call} />
    </Scroll>
  );
}

/** For those who look into a store from another folder, and would look for the fault in their hooks. */
function OtherProject(): JSX.Element {
  return (
    <p class="note">
      The folder where spec-hooks inspect was started has none of these hooks. Start it in the folder of the
      project, to be told what they would do now.
    </p>
  );
}

interface CallTabsProps extends Pick<WhyViewProps, 'thread' | 'id'> {
  readonly calls: readonly CallName[];
  readonly current: string | null;
}

/** The calls of a message, one of which is asked about. */
function CallTabs({ calls, current, thread, id }: CallTabsProps): JSX.Element | null {
  if (calls.length < 2) return null;
  return (
    <nav class="tabs" aria-label="Calls of this message">
      {calls.map((one) => (
        <a
          key={one.id}
          href={makeLink(['t', thread, 'm', id, 'why', one.id])}
          aria-current={one.id === current ? 'page' : undefined}
        >
          <Foreign text={one.name} />
        </a>
      ))}
    </nav>
  );
}

function Why({ row, hasProject }: { readonly row: WhyRow; readonly hasProject: boolean }): JSX.Element {
  const { id, source, recorded, today } = row;
  return (
    <li>
      <p>
        <Foreign text={id} class="run-id" /> <Foreign text={source ?? ''} class="quiet" />
      </p>
      <dl class="then-now">
        <dt>then</dt>
        <dd>
          {recorded === null ? (
            <span class="quiet">{noEntry}</span>
          ) : (
            <a href={makeLink(['run', recorded.run])}>
              <OutcomeWord outcome={recorded.outcome} /> <Foreign text={recorded.why ?? ''} class="quiet" />
            </a>
          )}
        </dd>
        <dt>now</dt>
        <dd>
          {today === null ? (
            <span class="quiet">{hasProject ? 'no such hook in the project' : 'no project is known'}</span>
          ) : (
            <>
              <strong>{today.runs === null ? 'maybe' : today.runs ? 'runs' : 'does not run'}</strong>{' '}
              <Foreign text={today.why} class="quiet" />
            </>
          )}
          {hasChanged(row) && <span class="warm"> ← changed since</span>}
        </dd>
      </dl>
    </li>
  );
}

/** Whether a hook that ran then would be passed over now, or the other way round. */
function hasChanged({ recorded, today }: WhyRow): boolean {
  if (recorded === null || today === null || today.runs === null) return false;
  return (recorded.outcome !== 'skipped') !== today.runs;
}

/** The same event through the hooks of now; only where the command allowed it. */
function Rerun({ thread, id, call }: WhyViewProps): JSX.Element | null {
  const { data: about } = useAsked<AboutInspector>('/api/about', false);
  const result = useSignal<RerunOutcome | AskFailure | 'running' | undefined>(undefined);
  if (!about?.allows.includes('run')) return null;
  const run = (): void => {
    result.value = 'running';
    ask<RerunOutcome>('/api/rerun', { thread, message: id, call }).then(
      (answer) => {
        result.value = answer;
      },
      (error: AskFailure) => {
        result.value = error;
      },
    );
  };
  return (
    <>
      <h3>Run it again</h3>
      <p class="note">The hooks of this project really run, with all that they do.</p>
      <button type="button" class="button" onClick={run} disabled={result.value === 'running'}>
        Run the hooks on this event
      </button>
      <div role="status">
        {result.value === 'running' ? <Waiting /> : result.value && <RerunResult result={result.value} />}
      </div>
    </>
  );
}

function RerunResult({ result }: { readonly result: RerunOutcome | AskFailure }): JSX.Element {
  if ('message' in result)
    return (
      <p class="note bad">
        <Foreign text={result.message} />
      </p>
    );
  return (
    <>
      <p class="note">
        {result.decision === null ? 'Nobody decided.' : `Decision: ${result.decision}.`}{' '}
        <Foreign text={result.reason ?? ''} />
      </p>
      <ol class="chain">
        {result.runs.map((run) => (
          <li key={run.id}>
            <span class="chain-run">
              <Foreign text={run.id} class="run-id" />
              <OutcomeWord outcome={run.outcome} />
              <span class="number quiet">{formatDuration(run.ms)}</span>
            </span>
          </li>
        ))}
      </ol>
      {result.changes.length === 0 ? (
        <p class="note">What is stored would be stored as it is.</p>
      ) : (
        <>
          <h3>Stored → now</h3>
          <TextChanges changes={result.changes} />
        </>
      )}
      {result.testCase !== null && (
        <p class="note">
          <SaveText text={result.testCase} name="case.hooks.yaml">
            Save as a test case
          </SaveText>{' '}
          beside the hooks: spec-hooks test then holds them to it. It has the texts of this event.
        </p>
      )}
    </>
  );
}
