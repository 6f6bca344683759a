// Records: reads any store for people, by the methods that every store has. Applications call it; it writes nothing.

import { type Records, RunError } from '@spec/hooks';
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
import { countRecent, RunSeries, RunSums } from '../run-sums.ts';
import type { Store } from '../store.ts';
import { pageRunsOfStore, readCursorAt, readNewRuns } from './runs.ts';
import { listThreadPage, pageTurns, readVersion, searchThreads } from './threads.ts';

/** Options of {@link storeRecords}. */
export interface StoreRecordsOptions {
  /** Another number where somebody has stored something since. Default: threads, messages and runs are looked at. */
  readonly version?: (() => Promise<number>) | undefined;
  /** What a database answers by itself, so that nobody reads all of it. Queries come checked. */
  readonly own?: OwnRecords | undefined;
}

/** Methods of `Records` that a database has of its own; the others are made of those of its store. */
export type OwnRecords = Partial<Omit<Records, 'version' | 'messages' | 'turns' | 'turn' | 'close'>>;

/**
 * Reads any store for people: for stores in memory, and for those of your own. It asks for pages where the store has them; sums, searches and
 * the list of threads read all that there is, unless `own` has better ways. `close` leaves the store open.
 */
export function storeRecords(store: Store, { version, own = {} }: StoreRecordsOptions = {}): Records {
  let isClosed = false;
  const use = async <T>(read: () => Promise<T> | T): Promise<T> => {
    if (isClosed) throw new RunError('closed', 'the records are closed; open them anew');
    return read();
  };
  return {
    version: () => use(() => version?.() ?? readVersion(store)),
    ...threadRecords(store, use, own),
    ...runRecords(store, use, own),
    async close() {
      isClosed = true;
    },
  };
}

type Use = <T>(read: () => Promise<T> | T) => Promise<T>;
type ThreadMethods = 'threads' | 'messages' | 'turns' | 'turn' | 'search';

function threadRecords(store: Store, use: Use, own: OwnRecords): Pick<Records, ThreadMethods> {
  const {
    threads = (query) => listThreadPage(store, query),
    search = (query) => searchThreads(store, query),
  } = own;
  return {
    threads: (query) => use(() => threads(checkThreadQuery(query))),
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
    search: (query) => use(() => search(checkSearchQuery(query))),
  };
}

type RunMethods = 'runs' | 'recent' | 'runsAt' | 'stats' | 'series' | 'cursorAt' | 'since';

function runRecords(store: Store, use: Use, own: OwnRecords): Pick<Records, RunMethods> {
  const { runs, recent, runsAt, stats, series, cursorAt, since } = { ...makeRunsOfStore(store), ...own };
  return {
    runs: (query) => use(() => runs(checkRunQuery(query))),
    recent: (threadId, query) =>
      use(() => {
        checkId('recent', 'thread', threadId);
        return recent(threadId, checkRecentQuery(query));
      }),
    runsAt: (at) =>
      use(() => {
        checkTime('runsAt', at);
        return runsAt(at);
      }),
    stats: (filter = {}) => use(() => stats(checkRunFilter('stats', filter))),
    series: (query) => use(() => series(checkSeriesQuery(query))),
    cursorAt: (time) =>
      use(() => {
        if (time !== undefined) checkTime('cursorAt', time);
        return cursorAt(time);
      }),
    since: (cursor, filter = {}) => use(() => since(cursor, checkRunFilter('since', filter))),
  };
}

/** The same by the methods of a store. */
function makeRunsOfStore(store: Store): Pick<Records, RunMethods> {
  return {
    runs: (query) => pageRunsOfStore(store, query),
    recent: async (threadId, { size }) =>
      countRecent((await store.listRuns({ threadId, limit: size + 1 })).reverse(), size),
    runsAt: (at) => store.listRuns({ since: at, until: at + 1 }),
    async stats(filter) {
      const sums = new RunSums();
      for (const run of await store.listRuns(filter)) sums.add(run);
      return sums.list();
    },
    async series(query) {
      const { buckets: _, ...filter } = query;
      const series = new RunSeries(query);
      for (const run of await store.listRuns(filter)) series.add(run);
      return series.list();
    },
    cursorAt: (time) => readCursorAt(store, time),
    since: (cursor, filter = {}) => readNewRuns(store, cursor, filter),
  };
}
