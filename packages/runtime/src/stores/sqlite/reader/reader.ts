import { type Records, RunError, type RunFilter } from '@spec/hooks';
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
} from '../../record-queries.ts';
import { countRecent, RunSeries, RunSums } from '../../run-sums.ts';
import type { Connection } from '../file/connection.ts';
import { storeFailure, unreadable } from '../file/failures.ts';
import { openFailure, refuseNewerMeanwhile } from '../file/open.ts';
import { identifyFile } from '../file/presence.ts';
import { threadTable } from '../tables/threads.ts';
import { keepSums } from './kept-sums.ts';
import { openToRead } from './open-reader.ts';
import type { ReaderOptions } from './options.ts';
import { recentRuns } from './recent-runs.ts';
import { addPieces, runCounter, type Sums } from './run-counter.ts';
import { type RunPages, runPages } from './run-pages.ts';
import { searchPage } from './search-pages.ts';
import { threadPages } from './thread-pages.ts';
import { type TurnPages, turnPages } from './turn-pages.ts';

/**
 * Reads the file of a `sqliteStore` for people, even while others write to it. It changes nothing in the file. If nobody has it open,
 * SQLite puts an empty log beside it (`-wal`, `-shm`).
 * @throws DefinitionError `bad_option`, or `missing_dependency` if better-sqlite3 is not built for this Node.
 * @throws RunError `store_older` or `store_newer` if the file has another schema; `store_unreadable` or `store_failed` if it cannot be
 * read or its log cannot be used.
 */
export function sqliteReader(options: ReaderOptions): Records {
  const connection = openToRead(options);
  const { client } = connection;
  const reads = { connection, ...prepareReads(connection), use: reading(connection) };
  return {
    version: () => reads.use(() => client.pragma('data_version', { simple: true }) as number),
    ...threadRecords(reads),
    ...runRecords(reads),
    async close() {
      client.close();
    },
  };
}

interface Reads {
  readonly connection: Connection;
  readonly table: ReturnType<typeof threadTable>;
  readonly runs: RunPages;
  readonly lists: ReturnType<typeof threadPages>;
  readonly turns: TurnPages;
  readonly use: <T>(read: () => T) => Promise<T>;
}

type ThreadMethods = 'threads' | 'messages' | 'turns' | 'turn' | 'search';

function threadRecords({ connection, table, lists, turns, use }: Reads): Pick<Records, ThreadMethods> {
  return {
    threads: (query) => use(() => lists.threads(checkThreadQuery(query))),
    messages: (threadId, query) =>
      use(() => {
        checkId('messages', 'thread', threadId);
        checkMessageQuery(query);
        const key = table.keyOf(threadId);
        return key === undefined ? [] : lists.messages({ key, id: threadId }, query);
      }),
    turns: (threadId, query) =>
      use(() => {
        checkId('turns', 'thread', threadId);
        checkTurnQuery(query);
        const key = table.keyOf(threadId);
        return key === undefined ? { items: [], next: null } : turns.turns(key, query);
      }),
    turn: (threadId, turnId) =>
      use(() => {
        checkId('turn', 'thread', threadId);
        checkId('turn', 'turn', turnId);
        const key = table.keyOf(threadId);
        return key === undefined ? { runs: [], marks: [] } : turns.turn(key, turnId);
      }),
    search: (query) =>
      use(() => {
        const key = findThread(table, checkSearchQuery(query));
        return key === null ? { items: [], next: null } : searchPage(connection, key, query);
      }),
  };
}

type RunMethods = 'runs' | 'recent' | 'runsAt' | 'stats' | 'series' | 'cursorAt' | 'since';

function runRecords({ connection, table, runs, use }: Reads): Pick<Records, RunMethods> {
  const addPiece = runCounter(connection);
  const readRecent = recentRuns(connection);
  const sumAll = keepSums(connection, use, addPiece);
  const addUp = async <S extends Sums>(sums: S, { threadId, ...filter }: RunFilter): Promise<S> => {
    const add = (from: number): number | undefined => {
      const thread = findThread(table, threadId === undefined ? {} : { threadId });
      return thread === null ? undefined : addPiece(sums, { from, filter, thread });
    };
    await addPieces((from) => use(() => add(from)));
    return sums;
  };
  return {
    runs: (query) => use(() => runs.page(checkRunQuery(query), findThread(table, query))),
    recent: (threadId, query) =>
      use(() => {
        checkId('recent', 'thread', threadId);
        const { size } = checkRecentQuery(query);
        const thread = table.keyOf(threadId);
        return countRecent(thread === undefined ? [] : readRecent(thread), size);
      }),
    runsAt: (at) =>
      use(() => {
        checkTime('runsAt', at);
        return runs.at(at);
      }),
    stats: async (filter = {}) => {
      const isWhole = Object.values(checkRunFilter('stats', filter)).every((value) => value === undefined);
      return isWhole ? sumAll() : (await addUp(new RunSums(), filter)).list();
    },
    series: async (query) => {
      const { buckets: _, ...filter } = checkSeriesQuery(query);
      return (await addUp(new RunSeries(query), filter)).list();
    },
    cursorAt: (time) =>
      use(() => {
        if (time !== undefined) checkTime('cursorAt', time);
        return runs.cursorAt(time);
      }),
    since: (cursor, filter = {}) => use(() => runs.since(cursor, checkRunFilter('since', filter))),
  };
}

/** The key of the requested thread; `null` if there is no such thread. */
function findThread(
  table: Reads['table'],
  { threadId }: Pick<RunFilter, 'threadId'>,
): number | null | undefined {
  return threadId === undefined ? undefined : (table.keyOf(threadId) ?? null);
}

/** A file may claim the newest schema and still have other tables. */
function prepareReads(connection: Connection): Omit<Reads, 'connection' | 'use'> {
  try {
    return {
      table: threadTable(connection),
      runs: runPages(connection),
      lists: threadPages(connection),
      turns: turnPages(connection),
    };
  } catch (error) {
    const { client, path } = connection;
    client.close();
    const { code } = error as { code?: unknown };
    if (code !== 'SQLITE_ERROR') throw openFailure(error, path);
    throw unreadable(path, 'its tables are not those of a store (SQLITE_ERROR); restore a copy of it');
  }
}

/**
 * Reads in one transaction, which ends with the answer. A file that was removed stays readable for who has it open, and says nothing
 * new for ever.
 */
function reading({ client, path }: Connection): <T>(read: () => T) => Promise<T> {
  const opened = identifyFile(path);
  const refuseNewer = refuseNewerMeanwhile(client, path);
  return async (read) => {
    if (!client.open) throw new RunError('closed', `store ${path}: the reader is closed; open another one`);
    if (identifyFile(path) !== opened)
      throw unreadable(path, 'the file was removed or replaced since it was opened; open another reader');
    try {
      return client.transaction(() => {
        refuseNewer();
        return read();
      })();
    } catch (error) {
      throw storeFailure(error, path);
    }
  };
}
