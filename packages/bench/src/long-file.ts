import { join } from 'node:path';
import { sqliteReader, sqliteStore } from '@spec/runtime/sqlite';
import Database from 'better-sqlite3';
import type { Bench } from './bench.ts';
import { fill } from './fill.ts';
import { measure } from './measure.ts';
import { inFolder } from './scratch.ts';

const LONG = '1,000,000 messages';
const SHORT = '1,000 messages';

/** What a person waits for who looks into a long file: some 700 MB of messages in 1,000 threads. */
export const longFile: Bench = {
  name: 'long-file',
  about: 'opening a file, its newest turns, and a search that finds nothing, page by page',
  unit: 'ns',
  comparisons: [
    { of: `open ${LONG}`, against: `open ${SHORT}`, atMost: 2 },
    { of: `turns of ${LONG}`, against: `turns of ${SHORT}`, atMost: 2 },
    { of: `first page of a search in ${LONG}`, against: `search in ${SHORT}`, atMost: 20 },
  ],
  run: () =>
    inFolder(async (folder) => {
      const [long, short] = [join(folder, 'long.db'), join(folder, 'short.db')];
      await make(long, 1_000_000);
      await make(short, 1_000);
      return measure(
        {
          [`open ${LONG}`]: () => open(long),
          [`open ${SHORT}`]: () => open(short),
          [`turns of ${LONG}`]: () => readTurns(long),
          [`turns of ${SHORT}`]: () => readTurns(short),
          [`first page of a search in ${LONG}`]: () => search(long, 1),
          [`search in ${SHORT}`]: () => search(short, 1),
          [`all of a search in ${LONG}`]: () => search(long, Number.POSITIVE_INFINITY),
        },
        { batch: 1, rounds: 5 },
      );
    }),
};

async function open(path: string): Promise<void> {
  await sqliteStore({ path, synchronous: 'NORMAL' }).close();
}

async function readTurns(path: string): Promise<void> {
  const records = sqliteReader({ path });
  await records.turns('thread', { size: 20 });
  await records.close();
}

async function search(path: string, pages: number): Promise<void> {
  const records = sqliteReader({ path });
  let cursor: string | null | undefined;
  for (let page = 0; page < pages && cursor !== null; page++)
    cursor = (await records.search({ text: 'needle', size: 20, clip: 100, cursor })).next;
  await records.close();
}

/** Rows as the store writes them: a million messages would take minutes through it. */
async function make(path: string, messages: number): Promise<void> {
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await fill(store, 'thread', 20);
  await store.close();
  const client = new Database(path);
  const { count, columns } = client
    .prepare(
      `select (select max(key) from messages) as count, group_concat(name) as columns from pragma_table_info('messages')`,
    )
    .get() as { count: number; columns: string };
  const rest = columns
    .split(',')
    .filter((name) => !['key', 'thread', 'id', 'content'].includes(name))
    .map((name) => `"${name}"`);
  client
    .prepare(`with recursive n(i) as (select 1 union all select i + 1 from n where i < :messages)
      insert into messages (key, thread, id, content, ${rest.join()})
      select ${count} + i, 1, 'm-' || i, printf('%0500d', i), ${rest.join()} from n, (select * from messages limit 1)`)
    .run({ messages });
  client.close();
}
