import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Records, RunError, type RunFilter } from '@spec/hooks';
import { RunSums } from '../../../ledger/stats.ts';
import {
  checkMessageQuery,
  checkRunFilter,
  checkRunQuery,
  checkThreadId,
  checkThreadQuery,
  checkTime,
} from '../../record-queries.ts';
import type { Connection } from '../file/connection.ts';
import { storeFailure, unreadable } from '../file/failures.ts';
import { openFailure } from '../file/open.ts';
import { threadTable } from '../tables/threads.ts';
import { openToRead } from './open-reader.ts';
import type { ReaderOptions } from './options.ts';
import { type RunPages, runPages } from './run-pages.ts';
import { threadPages } from './thread-pages.ts';

/** Runs that `stats` adds up before others get their turn. */
const runsAtOnce = 1_000;

/**
 * Reads the file of a `sqliteStore` for people, also while others write to it. It changes nothing in the file; where nobody has it open,
 * SQLite puts an empty log beside it (`-wal`, `-shm`).
 * @throws DefinitionError `bad_option`, or `missing_dependency` where better-sqlite3 is not built for this Node.
 * @throws RunError `store_older` or `store_newer` where the file has another schema, `store_unreadable` or `store_failed` where it cannot be
 * read, or its log cannot be used.
 */
export function sqliteReader(options: ReaderOptions): Records {
  const connection = openToRead(options);
  const { client } = connection;
  const { table, runs, lists } = prepareReads(connection);
  const use = reading(connection);
  const keyIn = ({ threadId }: RunFilter) =>
    threadId === undefined ? undefined : (table.keyOf(threadId) ?? null);

  return {
    version: () => use(() => client.pragma('data_version', { simple: true }) as number),
    threads: (query) => use(() => lists.threads(checkThreadQuery(query))),
    messages: (threadId, query) =>
      use(() => {
        checkThreadId('messages', threadId);
        checkMessageQuery(query);
        const key = table.keyOf(threadId);
        return key === undefined ? [] : lists.messages({ key, id: threadId }, query);
      }),
    runs: (query) => use(() => runs.page(checkRunQuery(query), keyIn(query))),
    runsAt: (at) =>
      use(() => {
        checkTime('runsAt', at);
        return runs.at(at);
      }),
    stats: async (filter = {}) =>
      addUp((query) => use(() => runs.page(query, keyIn(query))), checkRunFilter('stats', filter)),
    cursorAt: (time) =>
      use(() => {
        if (time !== undefined) checkTime('cursorAt', time);
        return runs.cursorAt(time);
      }),
    since: (cursor, filter = {}) => use(() => runs.since(cursor, checkRunFilter('since', filter))),
    async close() {
      client.close();
    },
  };
}

/** A file may say that it has the newest schema and have other tables. */
function prepareReads(connection: Connection): {
  readonly table: ReturnType<typeof threadTable>;
  readonly runs: RunPages;
  readonly lists: ReturnType<typeof threadPages>;
} {
  try {
    return {
      table: threadTable(connection),
      runs: runPages(connection),
      lists: threadPages(connection),
    };
  } catch (error) {
    const { client, path } = connection;
    client.close();
    const { code } = error as { code?: unknown };
    if (code !== 'SQLITE_ERROR') throw openFailure(error, path);
    throw unreadable(path, 'its tables are not those of a store (SQLITE_ERROR); restore a copy of it');
  }
}

/** Reads in one transaction, which ends with the answer. */
function reading({ client, path }: Connection): <T>(read: () => T) => Promise<T> {
  return async (read) => {
    if (!client.open) throw new RunError('closed', `store ${path}: the reader is closed; open another one`);
    try {
      return client.transaction(read)();
    } catch (error) {
      throw storeFailure(error, path);
    }
  };
}

type ReadPage = (query: Parameters<Records['runs']>[0]) => Promise<ReturnType<RunPages['page']>>;

async function addUp(readPage: ReadPage, filter: RunFilter): ReturnType<Records['stats']> {
  const sums = new RunSums();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await readPage({ ...filter, order: 'oldest', size: runsAtOnce, cursor });
    for (const run of page.items) sums.add(run);
    cursor = page.next;
    await letOthersRun();
  }
  return sums.list();
}
