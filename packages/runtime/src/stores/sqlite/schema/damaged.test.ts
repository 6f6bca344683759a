import { copyFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunError } from '@spec/hooks';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../../../test/sqlite/temp-files.ts';
import { call, message, run as runOf, t, thread } from '../../../testing/store-suite-samples.ts';
import { type SqliteOptions, type SqliteStore, sqliteStore } from '../index.ts';

const newFile = tempFiles();

const SECRET = 's3cret-4111';

/** A file with two threads, in which a statement has done its damage. */
async function damagedFile(sql: string): Promise<string> {
  const path = newFile();
  const store = sqliteStore({ path });
  for (const id of [t, 'other'])
    await store.createThread({
      ...thread(),
      id,
      metadata: { note: SECRET },
      compaction: { summaryId: 'a', throughId: 'b' },
    });
  const run = runOf('guard', { turnId: null, step: 0 });
  const values = [{ key: 'kept', value: SECRET }];
  const enqueue = [{ id: 'q1', kind: 'message' as const, payload: { text: SECRET } }];
  await store.append(t, 0, {
    messages: [message('m1', { metadata: { note: SECRET }, extra: SECRET })],
    toolCalls: [call('m1')],
    runs: [run],
    values,
    enqueue,
  });
  await store.append('other', 0, { runs: [{ ...run, threadId: 'other' }] });
  await store.close();
  const client = new Database(path);
  client.exec(sql);
  client.close();
  return path;
}

async function opened<T>(options: SqliteOptions, use: (store: SqliteStore) => Promise<T>): Promise<T> {
  const store = sqliteStore(options);
  return use(store).finally(() => store.close());
}

const broken: Array<[string, string, string, (store: SqliteStore) => Promise<unknown>]> = [
  ['threads', 'metadata', `thread ${t}`, (store) => store.getThread(t)],
  ['threads', 'compaction', `thread ${t}`, (store) => store.getThread(t)],
  ['messages', 'metadata', `message m1 of thread ${t}`, (store) => store.getMessage(t, 'm1')],
  ['messages', 'calls', `message m1 of thread ${t}`, (store) => store.listToolCalls(t)],
  ['messages', 'extra', `message m1 of thread ${t}`, (store) => store.listMessages(t)],
  ['queue', 'payload', `item q1 of thread ${t}`, (store) => store.listQueue(t)],
  ['values', 'value', `value kept of thread ${t}`, (store) => store.getValue(t, 'kept')],
  ['values', 'value', `value kept of thread ${t}`, (store) => store.listValues(t)],
  ['hook_runs', 'runs', `thread ${t}, turn none, step 0`, (store) => store.pageRuns(t, { size: 9 })],
];

describe.each(broken)('table %s, column %s of %s', (table, column, row, read) => {
  test.each(['begins with something else', 'holds other JSON'])(
    '%s: the error has its place and no data',
    async (how) => {
      const value =
        how === 'holds other JSON' && table !== 'values' && !(table === 'messages' && column === 'metadata')
          ? "'7'"
          : `'x' || ${column}`;
      const path = await damagedFile(`update "${table}" set ${column} = ${value} where rowid = 1`);
      await opened({ path }, async (store) => {
        const error = await read(store).then(
          () => undefined,
          (reason: unknown) => reason as RunError,
        );
        expect(error).toMatchObject({ code: 'store_unreadable' });
        expect(error?.message).toContain(`the column ${column} of ${row} in the table ${table} is damaged`);
        expect(error?.message).not.toContain(SECRET.slice(0, 6));
      });
    },
  );
});

test('a text that is kept as a blob and is none has a code too', async () => {
  const path = await damagedFile(`update messages set content = x'7b31'`);
  await opened({ path }, async (store) => {
    await expect(store.listMessages(t)).rejects.toMatchObject({ code: 'store_unreadable' });
  });
});

describe('one damaged row', () => {
  test('leaves all other threads in the list, and is told of', async () => {
    const path = await damagedFile(`update threads set metadata = 'x' || metadata where id = '${t}'`);
    const told: string[] = [];
    await opened({ path, onUnreadable: ({ message }) => told.push(message) }, async (store) => {
      expect((await store.listThreads()).map(({ id }) => id)).toEqual(['other']);
      expect(told).toEqual([expect.stringContaining(`the column metadata of thread ${t}`)]);
      expect(await store.deleteThread(t, 0)).toBe(true);
      await store.listThreads();
      expect(told).toHaveLength(1);
    });
  });

  test('is told of as a warning where nobody listens, once', async () => {
    const path = await damagedFile(`update threads set metadata = 'x' || metadata where id = '${t}'`);
    const warnings: Array<Error & { code?: string }> = [];
    const hear = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', hear);
    await opened({ path }, async (store) => {
      await store.listThreads();
      await store.listThreads();
    });
    await new Promise(setImmediate);
    process.off('warning', hear);
    const ours = warnings.filter(({ code }) => code === 'STORE_UNREADABLE');
    expect(ours.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${path}: the column metadata`),
    ]);
  });

  test('leaves the other runs in the ledger, which can be pruned', async () => {
    const path = await damagedFile('update hook_runs set runs = 7 where rowid = 1');
    const told: unknown[] = [];
    await opened({ path, onUnreadable: (error) => told.push(error) }, async (store) => {
      expect((await store.listRuns()).map(({ threadId }) => threadId)).toEqual(['other']);
      expect(told).toHaveLength(1);
      expect(await store.pruneRuns({ before: Number.MAX_SAFE_INTEGER })).toBe(1);
      expect(await store.pruneRuns({ keepBytes: 0 })).toBe(1);
    });
  });
});

describe('a file that cannot be opened has a code', () => {
  const codeOf = (path: string): unknown => {
    try {
      void sqliteStore({ path }).close();
    } catch (error) {
      return (error as RunError).code;
    }
    return undefined;
  };

  test('where links lead in a circle', () => {
    const folder = dirname(newFile());
    symlinkSync(join(folder, 'b.db'), join(folder, 'a.db'));
    symlinkSync(join(folder, 'a.db'), join(folder, 'b.db'));
    expect(codeOf(join(folder, 'a.db'))).toBe('store_unreadable');
    expect(codeOf(join(folder, 'a.db', 'c.db'))).toBe('store_unreadable');
  });

  test('where the tables are not ours, whatever the file says', async () => {
    for (const sql of [
      'drop table threads',
      'alter table messages rename column content to text',
      'drop table hook_runs',
    ])
      expect(codeOf(await damagedFile(sql))).toBe('store_unreadable');
  });
});

describe('a file that is gone from its path while it is open', () => {
  const happenings: Array<[string, (path: string) => void]> = [
    ['removed', (path) => rmSync(path)],
    [
      'replaced',
      (path) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
  ];
  test.each(happenings)('%s: no write is acknowledged any more', async (_what, happen) => {
    for (const synchronous of ['FULL', 'NORMAL'] as const) {
      const path = newFile();
      const store = sqliteStore({ path, synchronous });
      await store.createThread(thread());
      happen(path);
      const write = (): Promise<string> =>
        store.append(t, 0, { messages: [message('m1')] }).then(
          () => 'stored',
          (error: RunError) => `${error.code}: ${error.message}`,
        );
      let said = await write();
      for (
        const until = performance.now() + 10_000;
        said === 'stored' && performance.now() < until;
        said = await write()
      )
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(said).toMatch(/^store_unreadable: .*was removed or replaced while it was open/);
      await store.close();
    }
  });
});

test('a new file has its tables on the disk as soon as it is open, without its log', () => {
  for (const synchronous of ['FULL', 'NORMAL'] as const) {
    const path = newFile();
    const store = sqliteStore({ path, synchronous });
    copyFileSync(path, `${path}.cut`);
    void store.close();
    const client = new Database(`${path}.cut`, { readonly: true });
    expect(client.prepare("select count(*) from sqlite_master where name = 'threads'").pluck().get()).toBe(1);
    client.close();
  }
});
