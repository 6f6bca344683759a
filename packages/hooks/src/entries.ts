import { permitAround } from './permit.ts';
import type { RunRecord } from './record.ts';
import type { ThreadState } from './state.ts';

/** The run of one of several entries that a hook runs for a chain, such as one command of a settings file (C1). */
export interface EntryRun extends Omit<RunRecord, 'hook' | 'source'> {
  /** Where the entry is written, such as `settings.json:12`. */
  readonly place?: string;
}

/**
 * Records the run of an entry beside the record of the hook that ran it (C10). It may come after the hook has settled: what runs in
 * the background is recorded when it ends.
 *
 * @param state the state that the hook was given
 */
export function recordEntry(state: ThreadState, run: EntryRun): void {
  permitAround(state)?.noteEntry(run);
}
