import { setTimeout as wait } from 'node:timers/promises';
import { exitCodes } from '../exit-codes.ts';
import { withRecords } from '../store/open-store.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { makeLogEntry } from './entry.ts';
import { type LogFilters, readFilters } from './filters.ts';
import { logLine } from './to-text.ts';

/** The options of `spec-hooks log follow`, as they were typed. */
export type FollowFlags = LogFilters;

/** Milliseconds between two looks. */
const INTERVAL = 500;

/** Shows runs as they are stored, until the process is interrupted or nobody reads them. Gives the exit code. */
export async function follow(flags: FollowFlags): Promise<number> {
  const asked = await readFilters(flags);
  if (typeof asked === 'string') return wrongUsage(asked);
  const { filter } = asked;
  const end = new AbortController();
  process.once('SIGINT', () => end.abort()).once('SIGTERM', () => end.abort());
  process.stdout.once('error', () => end.abort()); // Nobody reads any more.
  await withRecords(flags, async (records, { takeNews }) => {
    let cursor = await records.cursorAt(filter.since);
    while (!end.signal.aborted) {
      await takeNews();
      const news = await records.since(cursor, filter);
      cursor = news.cursor;
      for (const run of news.runs) {
        const entry = makeLogEntry(run);
        process.stdout.write(`${flags.json ? JSON.stringify(entry) : logLine(entry)}\n`);
      }
      await wait(news.hasMore ? 0 : INTERVAL, undefined, { signal: end.signal }).catch(() => {});
    }
  });
  return exitCodes.fine;
}
