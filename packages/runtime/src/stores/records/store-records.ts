// Records: reads any store for people, by the methods that every store has. Applications call it; it writes nothing.

import { type Records, RunError } from '@spec/hooks';
import { countRecent, RunSeries, RunSums } from '../../ledger/stats.ts';
import { makeMessageCard, withoutValues } from '../record-cards.ts';
import {
  checkId,
  checkMessageQuery,
  checkRecentQuery,
  checkRunFilter,
  checkRunQuery,
  checkSearchQuery,
  checkSeriesQuery,
  checkThreadQuery,
  checkTime,
  checkTurnQuery,
} from '../record-queries.ts';
import type { Store } from '../store.ts';
import { pageRunsOfStore, readCursorAt, readNewRuns } from './runs.ts';
import { listThreadPage, pageTurns, readVersion, searchThreads } from './threads.ts';

/** Options of {@link storeRecords}. */
export interface StoreRecordsOptions {
  /** Another number where somebody has stored something since. Default: threads, messages and runs are looked at. */
  readonly version?: (() => Promise<number>) | undefined;
}

/**
 * Reads any store for people: for stores in memory, and for those of your own. It asks for pages where the store has them; sums, searches and
 * the list of threads read all that there is. `close` leaves the store open.
 */
export function storeRecords(store: Store, { version }: StoreRecordsOptions = {}): Records {
  let isClosed = false;
  const use = async <T>(read: () => Promise<T> | T): Promise<T> => {
    if (isClosed) throw new RunError('closed', 'the records are closed; open them anew');
    return read();
  };
  return {
    version: () => use(() => version?.() ?? readVersion(store)),
    ...threadRecords(store, use),
    ...runRecords(store, use),
    async close() {
      isClosed = true;
    },
  };
}

type Use = <T>(read: () => Promise<T> | T) => Promise<T>;
type ThreadMethods = 'threads' | 'messages' | 'turns' | 'turn' | 'search';

function threadRecords(store: Store, use: Use): Pick<Records, ThreadMethods> {
  return {
    threads: (query) => use(() => listThreadPage(store, checkThreadQuery(query))),
    messages: (threadId, query) =>
      use(async () => {
        checkId('messages', 'thread', threadId);
        const { size, clip, before, after } = checkMessageQuery(query);
        if (size === 0) return [];
        const side = after === undefined ? { last: size } : { first: size, after };
        const place = before === undefined ? side : { ...side, before };
        return (await store.listMessages(threadId, place)).map((message) => makeMessageCard(message, clip));
      }),
    turns: (threadId, query) =>
      use(() => {
        checkId('turns', 'thread', threadId);
        return pageTurns(store, threadId, checkTurnQuery(query));
      }),
    turn: (threadId, turnId) =>
      use(async () => {
        checkId('turn', 'thread', threadId);
        checkId('turn', 'turn', turnId);
        const runs = (await store.listRuns({ threadId, turnId })).map(withoutValues);
        return { runs, marks: await store.listMarks(threadId, turnId) };
      }),
    search: (query) => use(() => searchThreads(store, checkSearchQuery(query))),
  };
}

type RunMethods = 'runs' | 'recent' | 'runsAt' | 'stats' | 'series' | 'cursorAt' | 'since';

function runRecords(store: Store, use: Use): Pick<Records, RunMethods> {
  return {
    runs: (query) => use(() => pageRunsOfStore(store, checkRunQuery(query))),
    recent: (threadId, query) =>
      use(async () => {
        checkId('recent', 'thread', threadId);
        const { size } = checkRecentQuery(query);
        return countRecent((await store.listRuns({ threadId, limit: size + 1 })).reverse(), size);
      }),
    runsAt: (at) =>
      use(() => {
        checkTime('runsAt', at);
        return store.listRuns({ since: at, until: at + 1 });
      }),
    stats: (filter = {}) =>
      use(async () => {
        const sums = new RunSums();
        for (const run of await store.listRuns(checkRunFilter('stats', filter))) sums.add(run);
        return sums.list();
      }),
    series: (query) =>
      use(async () => {
        const { buckets: _, ...filter } = checkSeriesQuery(query);
        const series = new RunSeries(query);
        for (const run of await store.listRuns(filter)) series.add(run);
        return series.list();
      }),
    cursorAt: (time) =>
      use(() => {
        if (time !== undefined) checkTime('cursorAt', time);
        return readCursorAt(store, time);
      }),
    since: (cursor, filter = {}) => use(() => readNewRuns(store, cursor, checkRunFilter('since', filter))),
  };
}
