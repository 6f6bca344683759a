import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Records, RunError, type RunFilter } from '@spec/hooks';
import { RunSums } from '../../../ledger/stats.ts';
import { wantedCount } from '../../counts.ts';
import type { Connection } from '../file/connection.ts';
import { storeFailure } from '../file/failures.ts';
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
  const table = threadTable(connection);
  const runs = runPages(connection);
  const lists = threadPages(connection);
  const use = reading(connection);
  const keyIn = ({ threadId }: RunFilter) =>
    threadId === undefined ? undefined : (table.keyOf(threadId) ?? null);

  return {
    version: () => use(() => client.pragma('data_version', { simple: true }) as number),
    threads: (query) => use(() => lists.threads(checkSize(query))),
    messages: (threadId, query) =>
      use(() => {
        const key = table.keyOf(threadId);
        return key === undefined ? [] : lists.messages({ key, id: threadId }, checkSize(query));
      }),
    runs: (query) => use(() => runs.page(checkSize(query), keyIn(query))),
    runsAt: (at) => use(() => runs.at(at)),
    stats: (filter = {}) => addUp((query) => use(() => runs.page(query, keyIn(query))), filter),
    cursorAt: (time) => use(() => runs.cursorAt(time)),
    since: (cursor, filter = {}) => use(() => runs.since(cursor, filter)),
    async close() {
      client.close();
    },
  };
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

function checkSize<Query extends { readonly size: number }>(query: Query): Query {
  wantedCount('size', query.size);
  return query;
}
