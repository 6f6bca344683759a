import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Records } from '@spec/hooks';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { newFile, thrownBy } from '../../../../test/kit.ts';
import { readerSuite } from '../../../testing/index.ts';
import { message, noFence, run, t, thread } from '../../../testing/store-suite-samples.ts';
import { sqliteStore } from '../index.ts';
import { migrations } from '../schema/migrations.ts';
import { openToRead } from './open-reader.ts';
import { sqliteReader } from './reader.ts';

readerSuite({
  test,
  name: 'sqlite',
  open() {
    const path = newFile();
    const store = sqliteStore({ path, synchronous: 'NORMAL' });
    return { store, records: sqliteReader({ path }) };
  },
});

const opening = (path: string): Promise<Error & { code?: string }> =>
  thrownBy((async () => sqliteReader({ path }))());

test('a file that another process has to itself cannot be opened, which says what to do; and then it can', async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  await store.close();
  const holder = spawn(process.execPath, ['-e', holdFile, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  expect(() => openToRead({ path }, 10)).toThrow(
    /another process has it to itself \(SQLITE_BUSY\).*wait until that is done, or end it/,
  );
  holder.stdin.end();
  await once(holder, 'exit');
  const records = sqliteReader({ path });
  expect((await records.threads({ size: 1 })).items).toHaveLength(1);
  await records.close();
});

/** A program that keeps a file to itself until its input ends. */
const holdFile = `
  const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))});
  const client = new Database(process.argv[1]);
  client.pragma('locking_mode = EXCLUSIVE');
  client.exec('begin exclusive');
  process.stdout.write('held');
  process.stdin.resume().on('end', () => client.close());
`;

test('a file is read and not changed, and a writer beside it empties its log', async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  await store.append(t, noFence, { messages: [message('m1')], runs: [run('a')] });
  await store.close();
  const before = readFileSync(path);
  const records = sqliteReader({ path });
  expect((await records.runs({ order: 'newest', size: 1 })).items).toEqual([run('a')]);
  expect(readFileSync(path)).toEqual(before);

  const writer = sqliteStore({ path });
  await writer.deleteMessage(t, noFence, 'm1');
  expect(statSync(`${path}-wal`).size).toBe(0);
  await writer.close();
  await records.close();
});

test('older and newer files, files that are none and logs that cannot be used are refused with what to do', async () => {
  const path = newFile();
  expect(await opening(path)).toMatchObject({
    code: 'store_unreadable',
    message: expect.stringMatching(/there is no such file/),
  });
  expect(existsSync(path)).toBe(false);
  await sqliteStore({ path }).close();
  const versions = [
    [migrations.length - 1, 'store_older', /open it once with sqliteStore/],
    [migrations.length + 1, 'store_newer', /update @spec\/runtime/],
  ] as const;
  for (const [version, code, text] of versions) {
    const client = new Database(path);
    client.pragma(`user_version = ${version}`);
    client.close();
    expect(await opening(path)).toMatchObject({ code, message: expect.stringMatching(text) });
  }
  const other = newFile();
  new Database(other).exec('create table t (a)').close();
  expect(await opening(other)).toMatchObject({ code: 'store_unreadable' });
  const walled = newFile();
  await sqliteStore({ path: walled }).close();
  mkdirSync(`${walled}-wal`);
  expect(await opening(walled)).toMatchObject({
    code: 'store_unreadable',
    message: expect.stringMatching(/its log .* cannot be used/),
  });
});

test('a page over many rows that do not match ends, and goes on where it ended', async () => {
  const path = newFile();
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await store.createThread(thread());
  await store.append(t, noFence, { runs: [run('first')] });
  const client = new Database(path);
  client.exec(`with recursive n(i) as (select 2 union all select i + 1 from n where i < 60000)
    insert into hook_runs select i, thread, stored_at, longest, turn_id, step, alone, replace(runs, '"first"', '"other"') from hook_runs, n`);
  client.close();
  const records = sqliteReader({ path });
  const pages = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await records.runs({ id: 'first', order: 'newest', size: 10, cursor });
    pages.push(page.items.length);
    cursor = page.next;
  }
  expect(pages).toEqual([0, 0, 1, 0]); // The last page looks below the first key.
  await records.close();
  await store.close();
});

test('sums leave out what is damaged as lists do, and count rows with other types than usual', async () => {
  const path = newFile();
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await store.createThread(thread());
  for (const id of ['a', 'b', 'c', 'd', 'e']) await store.append(t, noFence, { runs: [run(id)] });
  await store.close();
  const client = new Database(path);
  const damage = [`step = 'x' where key = 1`, `runs = '[3,' where key = 2`, `step = 1.5 where key = 4`];
  for (const one of damage) client.exec(`update hook_runs set ${one}`);
  client.close();
  const told: string[] = [];
  const records = sqliteReader({ path, onUnreadable: ({ message }) => told.push(message) });
  const { items } = await records.runs({ order: 'oldest', size: 10 });
  expect(items.map(({ id }) => id)).toEqual(['c', 'd', 'e']);
  expect(told.splice(0)).toHaveLength(2);
  expect((await records.stats()).map(({ id }) => id)).toEqual(['c', 'd', 'e']);
  expect(told.splice(0)).toHaveLength(2);
  expect(await records.recent(t, { size: 10 })).toMatchObject({ runs: 3, hasMore: false });
  expect(told).toHaveLength(2);
  await records.close();
});

test.each(['removed', 'replaced'])('a file that was %s is told, and not read as it was', async (how) => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  await store.close();
  const records = sqliteReader({ path });
  expect((await records.threads({ size: 1 })).items).toHaveLength(1);
  if (how === 'removed') rmSync(path);
  else {
    await sqliteStore({ path: `${path}.new` }).close();
    renameSync(`${path}.new`, path);
  }
  await expect(records.threads({ size: 1 })).rejects.toMatchObject({
    code: 'store_unreadable',
    message: expect.stringContaining('open another reader'),
  });
  await records.close();
});

test('a file whose tables are gone is told as such, and its handle is closed', async () => {
  const path = newFile();
  await sqliteStore({ path }).close();
  const client = new Database(path);
  client.exec('drop table hook_runs');
  client.close();
  expect(() => sqliteReader({ path })).toThrowError(
    expect.objectContaining({
      code: 'store_unreadable',
      message: expect.stringContaining('its tables are not those of a store'),
    }),
  );
});

describe('what is asked for in another form is refused by name, before the database sees it', () => {
  const asked: Readonly<Record<string, (records: Records, given: never) => Promise<unknown>>> = {
    threads: (records, query) => records.threads(query),
    messages: (records, query) => records.messages('t', query),
    runs: (records, query) => records.runs(query),
    stats: (records, filter) => records.stats(filter),
    since: async (records, filter) => records.since(await records.cursorAt(), filter),
  };
  const size = { size: 5, clip: 5, order: 'newest' };
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['threads', undefined, 'threads: what is asked for must be an object.'],
    ['threads', {}, 'threads: size must be a whole number: how many a page has at most.'],
    ['threads', { sise: 5 }, 'threads: there is no option "sise". Did you mean "size"?'],
    ['messages', { size: 5 }, 'messages: clip must be a whole number, 0 or more.'],
    ['messages', { size: 5, clip: 5, before: {} }, 'messages: before must be a text.'],
    ['runs', { ...size, clip: undefined }, 'runs: there is no option "clip". There are: threadId'],
    ['runs', { size: 5, order: 'last' }, 'runs: order must be "newest" or "oldest".'],
    ['runs', { size: -1, order: 'newest' }, 'runs: size must be a whole number, 0 or more.'],
    ['stats', { since: 'yesterday' }, 'stats: since must be a number of microseconds.'],
    ['since', { hook: 7 }, 'since: hook must be a text.'],
  ];

  test.each(cases)('%s %j', async (of, given, message) => {
    const path = newFile();
    await sqliteStore({ path }).close();
    const records = sqliteReader({ path });
    const call = async (): Promise<unknown> => asked[of]?.(records, given as never);
    await expect(call()).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
    await records.close();
  });
});
