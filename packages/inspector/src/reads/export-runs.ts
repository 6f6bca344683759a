import type { RecordedRun, Records, RunFilter } from '@spec/hooks';
import { nameRuns } from './name-runs.ts';

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
