import type { JSX } from 'preact';
import type { NamedRun } from '../../api.ts';
import { writeSizes } from '../../sizes.ts';
import { makeLink } from '../lib/ask.ts';
import { showControls } from '../lib/texts.ts';
import { Foreign } from './foreign.tsx';
import { OutcomeSign, writeOutcome } from './outcome.tsx';

/** What hooks did: a group for each moment at which something came of it, and one quiet line for all other runs. */
export function HookLines({ runs }: { readonly runs: readonly NamedRun[] }): JSX.Element | null {
  if (runs.length === 0) return null;
  const quiet = runs.filter(({ outcome }) => outcome === 'ok');
  const told = runs.filter(({ outcome }) => outcome !== 'ok');
  return (
    <dl class="hook-lines">
      {groupByHook(told).map(([hook, group]) => (
        <div key={hook}>
          <dt class="hook-name">
            <Foreign text={hook} />
          </dt>
          <dd>
            {group.map((run) => (
              <RunLink key={run.run} run={run} />
            ))}
          </dd>
        </div>
      ))}
      {quiet.length > 0 && (
        <div class="quiet-runs">
          <dt class="hook-name">{told.length === 0 ? 'hooks' : 'other hooks'}</dt>
          <dd>
            {quiet.map((run) => (
              <RunLink key={run.run} run={run} />
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** In the order of the first run of each. */
function groupByHook(runs: readonly NamedRun[]): readonly (readonly [hook: string, runs: NamedRun[]])[] {
  const groups = new Map<string, NamedRun[]>();
  for (const run of runs) groups.set(run.hook, [...(groups.get(run.hook) ?? []), run]);
  return [...groups];
}

/** A run in a line: who, how it ended, and what came of it in a few words. */
function RunLink({ run }: { readonly run: NamedRun }): JSX.Element {
  const { id, outcome, hook } = run;
  const isQuiet = outcome === 'ok';
  return (
    <a
      href={makeLink(['run', run.run])}
      class={isQuiet ? 'run-link is-quiet' : 'run-link'}
      title={isQuiet ? showControls(hook) : undefined}
    >
      <OutcomeSign outcome={outcome} />
      <Foreign text={id} class="run-id" />
      {isQuiet ? <span class="unseen"> ok</span> : <span class="run-word"> {writeOutcome(outcome)} </span>}
      <RunSummary run={run} />
    </a>
  );
}

/** What came of a run: the sizes where it changed something, the clause where it did not run. */
export function RunSummary({ run }: { readonly run: NamedRun }): JSX.Element | null {
  const { changed, why, code } = run;
  if (why !== undefined || code !== undefined)
    return (
      <span class="why">
        <Foreign text={why ?? code ?? ''} />
      </span>
    );
  return changed ? <span class="why number">{writeSizes(run)}</span> : null;
}
