import type { RunRecord } from '@spec/hooks';
import type { KnownHook } from '../project/known-hooks.ts';

/** An entry or a rule, with the hook of the chain that runs it. */
export type Member = Pick<KnownHook, 'id' | 'runsIn'>;

type Run = Pick<RunRecord, 'id' | 'outcome'>;

/**
 * Who decided: of the entries or rules that a hook runs the first, in their order, that came out as the hook did. Several may have;
 * which of them ended first does not matter, and what they said before the input was rewritten does not count.
 *
 * @param by the hook whose decision it is
 * @param runs as they were recorded: the members before the hook that runs them
 * @param members in the order in which their answers are combined
 */
export function findDecider(
  by: string | null,
  runs: readonly Run[],
  members: readonly Member[],
): string | null {
  const ids = members.filter(({ runsIn }) => runsIn === by).map(({ id }) => id);
  const end = runs.findLastIndex(({ id }) => id === by);
  const outcome = runs[end]?.outcome;
  if (ids.length === 0 || (outcome !== 'denied' && outcome !== 'asked')) return by;
  const start = runs.slice(0, Math.max(end, 0)).findLastIndex(({ id }) => id === by) + 1;
  const last = new Map(runs.slice(start, end).map((run) => [run.id, run.outcome]));
  const decided = ids.find((id) => last.get(id) === outcome);
  if (decided !== undefined) return decided;
  const failed = ids.filter((id) => isFailure(last.get(id)));
  return failed.length === 1 ? (failed[0] ?? by) : by;
}

/** Of those that denied nothing a failure may have, where it blocks. */
function isFailure(outcome: Run['outcome'] | undefined): boolean {
  return outcome !== undefined && !passing.includes(outcome);
}

const passing: readonly Run['outcome'][] = ['ok', 'changed', 'skipped', 'denied', 'asked'];
