import type { Records, RunQuery } from '@spec/hooks';
import { momentIn, nameRun } from '@spec/hooks/node';
import type { RunPage, RunWithValues } from '../api.ts';
import { nameRuns } from './name-runs.ts';

/** A page of runs. */
export async function readRuns(records: Records, query: RunQuery): Promise<RunPage> {
  const { items, next } = await records.runs(query);
  return { items: nameRuns(items), next };
}

/** One run; `null` where there is none of this name. Its values only where they were asked for. */
export async function readRun(
  records: Records,
  name: string,
  withValues: boolean,
): Promise<RunWithValues | null> {
  const at = momentIn(name);
  const found =
    at === undefined ? undefined : (await records.runsAt(at)).find((run) => nameRun(run) === name);
  if (found === undefined) return null;
  const { values = null, ...run } = found;
  return { ...run, run: name, ...(withValues && { values }) };
}
