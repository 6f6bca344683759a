// Reads: makes what the page shows of what the records give. The routes call it; it changes nothing and knows no request.

import type { RecordedRun } from '@spec/hooks';
import { nameRun } from '@spec/hooks/node';
import type { NamedRun } from '../api.ts';

/** Runs with their names. */
export function nameRuns(runs: readonly RecordedRun[]): NamedRun[] {
  return runs.map((run) => ({ ...run, run: nameRun(run) }));
}
