import type { JSX } from 'preact';
import type { NamedRun } from '../../api.ts';
import { makePath } from '../lib/ask.ts';
import { formatCount } from '../lib/texts.ts';
import { Foreign } from './foreign.tsx';
import { OutcomeSign, writeOutcome } from './outcome.tsx';

/** What hooks did: a line for each run that something came of, and one quiet line for all others. */
export function HookLines({ runs }: { readonly runs: readonly NamedRun[] }): JSX.Element | null {
  if (runs.length === 0) return null;
  const quiet = runs.filter(({ outcome }) => outcome === 'ok');
  return (
    <ul class="hook-lines">
      {runs
        .filter(({ outcome }) => outcome !== 'ok')
        .map((run) => (
          <li key={run.run}>
            <RunLink run={run} />
            <span class="hook-name">{run.hook}</span>
          </li>
        ))}
      {quiet.length > 0 && (
        <li>
          {quiet.map((run) => (
            <RunLink key={run.run} run={run} />
          ))}
        </li>
      )}
    </ul>
  );
}

/** A run in a line: who, how it ended, and what came of it in a few words. */
function RunLink({ run }: { readonly run: NamedRun }): JSX.Element {
  const { id, outcome, hook } = run;
  const isQuiet = outcome === 'ok';
  return (
    <a href={makePath(['run', run.run])} class={isQuiet ? 'run-link is-quiet' : 'run-link'} title={hook}>
      <OutcomeSign outcome={outcome} />
      <Foreign text={id} class="run-id" />
      {isQuiet ? <span class="unseen"> ok</span> : <span class="run-word"> {writeOutcome(outcome)} </span>}
      <RunSummary run={run} />
    </a>
  );
}

/** What came of a run: the sizes where it changed something, the clause where it did not run. */
export function RunSummary({ run }: { readonly run: NamedRun }): JSX.Element | null {
  const { changed, sizeBefore, sizeAfter, why, code } = run;
  if (why !== undefined || code !== undefined)
    return (
      <span class="why">
        <Foreign text={why ?? code ?? ''} />
      </span>
    );
  if (!changed) return null;
  return (
    <span class="why number">
      {formatCount(sizeBefore)} → {formatCount(sizeAfter)}
    </span>
  );
}
