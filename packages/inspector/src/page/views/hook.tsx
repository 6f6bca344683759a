import type { Outcome } from '@spec/hooks';
import type { JSX } from 'preact';
import type { HookDetail, NamedRun } from '../../api.ts';
import { makeLink, makePath, useAgain, useAsked } from '../lib/ask.ts';
import { findSkipReason, writeSkipReason } from '../lib/skip-reasons.ts';
import { countWords, formatCount, formatDuration } from '../lib/texts.ts';
import { Findings } from '../parts/findings.tsx';
import { Foreign } from '../parts/foreign.tsx';
import { OutcomeWord, outcomes } from '../parts/outcome.tsx';
import { Scroll } from '../parts/rows.tsx';
import { Counting, Failed, Waiting } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { HookSeries } from './hook-series.tsx';

interface HookViewProps {
  readonly hook: string;
  readonly id: string;
}

/** One hook: how often, how long, how it ended, and why it was passed over. */
export function HookView({ hook, id }: HookViewProps): JSX.Element {
  const { data, failure } = useAsked<HookDetail>(makePath(['api', 'hooks', hook, id]));
  useAgain(data?.isCounting === true);
  if (failure !== undefined) return <Failed failure={failure} />;
  if (data === undefined) return <Waiting text="Loading the hooks of the project …" />;
  const { sums, known, findings, isCounting } = data;
  return (
    <Scroll class="sheet" label="Hook">
      <header class="sheet-head">
        <h2>
          <Foreign text={id} />
        </h2>
        <Foreign text={hook} class="quiet" />
      </header>
      {known !== null && (
        <p class="quiet">
          {known.from} · <Foreign text={known.source ?? 'no file'} /> · {known.scope} · on error{' '}
          {known.onError}
          {known.matcher !== null && (
            <>
              {' '}
              · for <Foreign text={known.matcher} />
            </>
          )}
        </p>
      )}
      <Findings findings={findings} />
      {isCounting ? (
        <Counting />
      ) : sums === null ? (
        <p class="lead">It never ran since this ledger begins.</p>
      ) : (
        <Figures detail={data} />
      )}
    </Scroll>
  );
}

function Figures({ detail }: { readonly detail: HookDetail }): JSX.Element {
  const { hook, id, sums, skips, slowest, isAll, counted } = detail;
  return (
    <>
      <dl class="figures">
        <Figure name="runs" value={formatCount(sums?.runs ?? 0)} />
        <Figure name="changed" value={formatCount(sums?.changed ?? 0)} />
        <Figure name="p50" value={formatDuration(sums?.p50 ?? 0)} />
        <Figure name="p99" value={formatDuration(sums?.p99 ?? 0)} />
      </dl>
      <h3>Outcomes</h3>
      <OutcomeBars
        counts={sums?.outcomes ?? {}}
        href={(outcome) => makeLink(['log'], { hook, id, outcome })}
      />
      <HookSeries hook={hook} id={id} />
      {skips.length > 0 && (
        <>
          <h3>Why it was passed over</h3>
          <ul class="plain">
            {skips.map(({ why, count }) => (
              <li key={why} class="skip">
                <span class="number">{formatCount(count)}</span>
                <span>
                  {writeSkipReason(findSkipReason(why))} <Foreign text={why} class="quiet" />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Slowest</h3>
      <ul class="plain">
        {slowest.map((run) => (
          <SlowRun key={run.run} run={run} />
        ))}
      </ul>
      {!isAll && (
        <p class="quiet">Reasons and slowest runs are those of its last {countWords(counted, 'run')}.</p>
      )}
    </>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number">{value}</dd>
    </div>
  );
}

interface OutcomeBarsProps {
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  readonly href: (outcome: Outcome) => string;
}

function OutcomeBars({ counts, href }: OutcomeBarsProps): JSX.Element {
  const most = Math.max(1, ...Object.values(counts));
  return (
    <ul class="bars">
      {outcomes
        .filter((outcome) => (counts[outcome] ?? 0) > 0)
        .map((outcome) => (
          <li key={outcome}>
            <a href={href(outcome)} data-row>
              <OutcomeWord outcome={outcome} />
            </a>
            <span class="number">{formatCount(counts[outcome] ?? 0)}</span>
            <progress max={most} value={counts[outcome]} aria-hidden="true" tabIndex={-1} />
          </li>
        ))}
    </ul>
  );
}

function SlowRun({ run }: { readonly run: NamedRun }): JSX.Element {
  return (
    <li>
      <a href={makeLink(['run', run.run])} class="slow" data-row>
        <span class="number">{formatDuration(run.ms)}</span>
        <OutcomeWord outcome={run.outcome} />
        <Foreign text={run.threadId} class="id" />
        <Time at={run.at} />
      </a>
    </li>
  );
}
