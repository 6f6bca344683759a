import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import type { NamedRun } from '../../api.ts';
import { makeLink, makePath } from '../lib/ask.ts';
import { type Log, type LogQuery, sinceMicros, useLog } from '../lib/log.ts';
import { formatCount, formatDuration } from '../lib/texts.ts';
import { Foreign } from '../parts/foreign.tsx';
import { RunSummary } from '../parts/hook-lines.tsx';
import { OutcomeWord, outcomes, writeOutcome } from '../parts/outcome.tsx';
import { Rows } from '../parts/rows.tsx';
import { Save } from '../parts/save.tsx';
import { Empty, Failed, Waiting } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

/** Every run of every hook, newest first, narrowed by the address. */
export function LogView({ query }: { readonly query: LogQuery }): JSX.Element {
  const isAtStart = useSignal(true);
  const log = useLog(query, isAtStart.value);
  const { runs, hasMore, failure, readMore } = log;
  const timesTaken = useSignal(0);
  const takeIn = (): void => {
    log.takeIn();
    timesTaken.value++;
  };
  return (
    <div class="page">
      <Filters query={query} />
      {failure !== undefined ? (
        <Failed failure={failure} />
      ) : runs === undefined ? (
        <Waiting />
      ) : runs.length === 0 ? (
        <NoRuns isNarrowed={Object.keys(query).length > 0} hasMore={hasMore} readMore={readMore} />
      ) : (
        <>
          <NewRuns log={log} onTake={takeIn} />
          <Rows
            label="Runs of hooks"
            rows={runs}
            draw={drawRun}
            onEnd={readMore}
            timesToStart={timesTaken.value}
            onLeaveStart={(isLeft) => {
              isAtStart.value = !isLeft;
            }}
          />
        </>
      )}
    </div>
  );
}

/** What came while one looks further down. */
function NewRuns({
  log: { held, isHeldMore },
  onTake,
}: {
  readonly log: Log;
  readonly onTake: () => void;
}): JSX.Element {
  return (
    <div role="status">
      {held > 0 && (
        <button type="button" class="new-runs" onClick={onTake}>
          {formatCount(held)}
          {isHeldMore ? '+' : ''} new
        </button>
      )}
    </div>
  );
}

function drawRun(run: NamedRun): JSX.Element {
  const { id, hook, threadId, outcome, ms, at } = run;
  return (
    <a key={run.run} href={makeLink(['run', run.run])} class="log-row" data-row>
      <Time at={at} />
      <OutcomeWord outcome={outcome} />
      <Foreign text={id} class="run-id" />
      <Foreign text={hook} class="log-hook quiet" />
      <RunSummary run={run} />
      <Foreign text={threadId} class="log-thread quiet id" />
      <span class="number log-ms">{outcome === 'skipped' ? '' : formatDuration(ms)}</span>
    </a>
  );
}

/** The same runs; a time counts back from now. */
function exported({ since, ...query }: LogQuery): Record<string, string | undefined> {
  return { ...query, since: sinceMicros(since) };
}

const spans = ['15m', '1h', '24h', '7d'] as const;

function Filters({ query }: { readonly query: LogQuery }): JSX.Element {
  const { route } = useLocation();
  const set = (name: keyof LogQuery, value: string): void =>
    route(makeLink(['log'], { ...query, [name]: value }), true);
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <select
        aria-label="Outcome"
        value={query.outcome ?? ''}
        onChange={(event) => set('outcome', event.currentTarget.value)}
      >
        <option value="">every outcome</option>
        {outcomes.map((outcome) => (
          <option key={outcome} value={outcome}>
            {writeOutcome(outcome)}
          </option>
        ))}
      </select>
      <select
        aria-label="Time"
        value={query.since ?? ''}
        onChange={(event) => set('since', event.currentTarget.value)}
      >
        <option value="">all time</option>
        {spans.map((span) => (
          <option key={span} value={span}>
            last {span}
          </option>
        ))}
      </select>
      {(['id', 'hook', 'thread'] as const).map((name) => (
        <FilterField key={name} name={name} value={query[name] ?? ''} onSet={(value) => set(name, value)} />
      ))}
      <Save path={makePath(['api', 'export', 'runs', 'csv'], exported(query))} name="runs.csv">
        Save as CSV
      </Save>
    </form>
  );
}

interface FilterFieldProps {
  readonly name: string;
  readonly value: string;
  readonly onSet: (value: string) => void;
}

function FilterField({ name, value, onSet }: FilterFieldProps): JSX.Element {
  return (
    <input
      type="text"
      aria-label={name === 'id' ? 'Id of the hook' : name}
      placeholder={name === 'id' ? 'id' : name}
      value={value}
      spellcheck={false}
      onChange={(event) => onSet(event.currentTarget.value.trim())}
    />
  );
}

interface NoRunsProps {
  readonly isNarrowed: boolean;
  readonly hasMore: boolean;
  readonly readMore: () => void;
}

function NoRuns({ isNarrowed, hasMore, readMore }: NoRunsProps): JSX.Element {
  if (!isNarrowed)
    return (
      <Empty title="No runs yet">
        <p>The ledger is empty: no hook ran, the runtime keeps no ledger, or what it had was pruned.</p>
      </Empty>
    );
  return (
    <Empty title="No run matches">
      {hasMore ? (
        <button type="button" class="button" onClick={readMore}>
          Look further back
        </button>
      ) : (
        <p>Nothing in the ledger is as narrow as this.</p>
      )}
    </Empty>
  );
}
