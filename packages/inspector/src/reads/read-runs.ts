// Reads: makes what the page shows of what the records give. The routes call it; it changes nothing and knows no request.

import type { RecordedRun, Records, RunFilter, RunQuery } from '@spec/hooks';
import { momentIn, nameRun } from '@spec/hooks/node';
import type { NamedRun, RunPage, RunWithValues } from '../api.ts';

/** Runs with their names. */
export function nameRuns(runs: readonly RecordedRun[]): NamedRun[] {
  return runs.map((run) => ({ ...run, run: nameRun(run) }));
}

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

const pageSize = 1_000;

const columns = [
  ...(['at', 'threadId', 'turnId', 'step', 'hook', 'id', 'source', 'outcome', 'changed', 'ms'] as const),
  ...(['sizeBefore', 'sizeAfter', 'code', 'why'] as const),
] satisfies readonly (keyof RecordedRun)[];

/** Runs as lines of JSON, the oldest first; never with values. */
export async function* exportRunLines(records: Records, filter: RunFilter): AsyncGenerator<string> {
  for await (const runs of readPages(records, filter))
    yield nameRuns(runs)
      .map((run) => `${JSON.stringify(run)}\n`)
      .join('');
}

/** Runs as a table for a spreadsheet, the oldest first. */
export async function* exportRunTable(records: Records, filter: RunFilter): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  for await (const runs of readPages(records, filter))
    yield runs.map((run) => `${columns.map((name) => writeCell(run[name])).join(',')}\r\n`).join('');
}

async function* readPages(records: Records, filter: RunFilter): AsyncGenerator<readonly RecordedRun[]> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await records.runs({ ...filter, order: 'oldest', size: pageSize, cursor });
    yield page.items;
    cursor = page.next;
  }
}

/** A text that a spreadsheet would take for a formula gets a quote before it. */
function writeCell(value: string | number | boolean | null | undefined): string {
  if (typeof value !== 'string') return value === undefined || value === null ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
