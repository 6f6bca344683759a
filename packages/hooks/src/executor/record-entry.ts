import type { EntryRun } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { permitAround } from './permit.ts';

/**
 * Records the run of an entry beside the record of the hook that ran it. It may come after the hook has settled: what runs in
 * the background is recorded when it ends.
 *
 * @param state the state that the hook was given
 */
export function recordEntry(state: ThreadState, run: EntryRun): void {
  permitAround(state)?.noteEntry(run);
}
