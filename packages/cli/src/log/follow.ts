import { setTimeout as wait } from 'node:timers/promises';
import type { Ledger, LedgerEntry, LedgerQuery } from '@spec/runtime';
import { exitCodes } from '../exit-codes.ts';
import { withStore } from '../store/open-store.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { makeLogEntry, nameEntry } from './entry.ts';
import { type LogFilters, makeLedgerQuery } from './filters.ts';
import { openLedger } from './run.ts';
import { logLine } from './to-text.ts';

/** The options of `spec-hooks log follow`, as they were typed. */
export type FollowFlags = LogFilters;

/** Milliseconds between two looks. */
const INTERVAL = 500;

/** Runs are stored with the messages of their step: one may come that long after it was, in microseconds. */
const LATENESS = 10 * 60 * 1_000_000;

/** Shows runs as they are stored, until the process is interrupted. Gives the exit code. */
export async function follow(flags: FollowFlags): Promise<number> {
  const asked = await makeLedgerQuery(flags);
  if (typeof asked === 'string') return wrongUsage(asked);
  const { limit: _, ...query } = asked;
  const end = new AbortController();
  process.once('SIGINT', () => end.abort()).once('SIGTERM', () => end.abort());
  await withStore(flags, async ({ store }) => {
    const news = makeNewsReader(openLedger(store), query);
    if (query.since === undefined) await news();
    while (!end.signal.aborted) {
      for (const run of await news()) {
        const entry = makeLogEntry(run);
        process.stdout.write(`${flags.json ? JSON.stringify(entry) : logLine(entry)}\n`);
      }
      await wait(INTERVAL, undefined, { signal: end.signal }).catch(() => {});
    }
  });
  return exitCodes.fine;
}

/** Gives the runs that were not there when it was called before. */
function makeNewsReader(ledger: Ledger, query: LedgerQuery): () => Promise<LedgerEntry[]> {
  let seen = new Map<string, number>();
  let newest = Date.now() * 1_000;
  let since = query.since;
  return async () => {
    const runs = await ledger.runs({ ...query, since: since ?? newest - LATENESS });
    const counts = new Map<string, number>();
    const fresh = runs.filter((run) => {
      const name = nameEntry(run);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count > (seen.get(name) ?? 0);
    });
    seen = counts;
    newest = fresh.reduce((latest, { at }) => Math.max(latest, at), newest);
    since = undefined;
    return fresh;
  };
}
