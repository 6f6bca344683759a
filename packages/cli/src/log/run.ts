import type { RecordedRun, Records, RunFilter } from '@spec/hooks';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { withRecords } from '../store/open-store.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { makeLogEntry } from './entry.ts';
import { type LogFilters, readFilters } from './filters.ts';
import { logTable } from './to-text.ts';
import { refuseUnknownThread } from './unknown-thread.ts';

/** More runs than this are only shown where somebody asks for them. */
const SHOWN = 50;

/** Lists runs. Gives the exit code. */
export async function showLog(flags: LogFilters): Promise<number> {
  const asked = await readFilters(flags);
  if (typeof asked === 'string') return wrongUsage(asked);
  const { filter, limit = SHOWN } = asked;
  const found = await withRecords(flags, async (records, { db }) => {
    const newest = await readNewest(records, filter, limit + 1);
    if (newest.length === 0) await refuseUnknownThread(records, filter, db);
    return newest;
  });
  const runs = found.slice(0, limit).reverse().map(makeLogEntry);
  if (flags.json) process.stdout.write(`${JSON.stringify({ runs }, undefined, 2)}\n`);
  else if (runs.length === 0) process.stdout.write('No run matches.\n');
  else process.stdout.write(`${logTable(runs)}\n${found.length > limit ? pc.dim(olderText(limit)) : ''}`);
  return exitCodes.fine;
}

function olderText(limit: number): string {
  return `These are the newest ${limit}; --limit shows more.\n`;
}

/** The newest runs that match, at least so many where there are, newest first. */
async function readNewest(records: Records, filter: RunFilter, count: number): Promise<RecordedRun[]> {
  const found: RecordedRun[] = [];
  for (let cursor: string | null | undefined; cursor !== null && found.length < count; ) {
    const size = count - found.length;
    const page = await records.runs({ ...filter, order: 'newest', size, cursor });
    found.push(...page.items);
    cursor = page.next;
  }
  return found;
}
