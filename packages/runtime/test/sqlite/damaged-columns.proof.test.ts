import { copyFileSync } from 'node:fs';
import { RunError } from '@spec/hooks';
import Database from 'better-sqlite3';
import { getTableConfig, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SqliteStore, sqliteStore } from '../../src/stores/sqlite/index.ts';
import * as schema from '../../src/stores/sqlite/schema/schema.ts';
import { call, file, message, run as runOf, t, thread } from '../../src/testing/store-suite-samples.ts';
import { tempFiles } from './temp-files.ts';

const newFile = tempFiles();
const SECRET = 's3cret-4111';
const whole = newFile();

/** Rows are found by these: of a row that nothing leads to, nothing can be told but that it is not there. */
const leading = /^(?:\w+\.(?:key|thread|rowid|fence)|(?!messages)\w+\.seq|tool_calls\.message)$/;

const tables = Object.values(schema).map(getTableConfig);
const columns = tables.flatMap(({ name: table, columns }) =>
  columns.filter(({ primary }) => !primary).map((column) => ({ table, column })),
);

/** What reads of the thread that nothing happens to give. */
let ofOther: readonly unknown[];

beforeAll(async () => {
  const store = sqliteStore({ path: whole });
  for (const id of [t, 'other']) {
    await store.createThread(
      thread({
        id,
        userId: SECRET,
        parentId: SECRET,
        terminated: SECRET,
        turn: { id: SECRET },
        metadata: { note: SECRET },
        compaction: { summaryId: 'a', throughId: SECRET },
      }),
    );
    const fields = { name: SECRET, tool_call_id: SECRET, parent_id: SECRET, depth: 1 };
    const made = message('m1', { ...fields, metadata: { note: SECRET }, tags: [SECRET] });
    const { fence } = await store.acquireLease({ threadId: id, owner: SECRET, ttlMs: 600_000 });
    await store.append(id, fence, {
      messages: [made],
      toolCalls: [call('m1')],
      runs: [{ ...runOf('guard', { turnId: 'turn', step: 0 }), threadId: id }],
      values: [{ key: 'kept', value: SECRET }],
      enqueue: [{ id: 'q1', kind: 'message', payload: { text: SECRET } }],
    });
    await store.writeFile(id, fence, file('f1', [1, 2, 3]));
  }
  await store.close();
  const copy = newFile();
  copyFileSync(whole, copy);
  ofOther = (await readAll(copy, 'other')).given;
});

/** Every way to read a thread. */
function listReads(store: SqliteStore, id: string): ReadonlyArray<() => Promise<unknown>> {
  return [
    () => store.getThread(id),
    () => store.getMessage(id, 'm1'),
    () => store.listMessages(id),
    () => store.listMessages(id, { last: 1 }),
    () => store.countMessages(id),
    () => store.listToolCalls(id),
    () => store.listToolCalls(id, { messageId: 'm1', status: 'started' }),
    () => store.listQueue(id),
    () => store.getValue(id, 'kept'),
    () => store.listValues(id),
    () => store.readFile(id, 'f1'),
    () => store.listFiles(id),
    () => store.getLease(id),
    () => store.pageRuns(id, { size: 9 }),
    () => store.listRuns({ threadId: id }),
    () => store.acquireLease({ threadId: id, owner: 'another', ttlMs: 1 }),
    () => store.updateMessage(id, Number.MAX_SAFE_INTEGER, { id: 'm1', fields: {} }),
  ];
}

interface Read {
  readonly given: readonly unknown[];
  /** What was thrown, and what lists told of. */
  readonly errors: readonly unknown[];
}

async function readAll(path: string, id: string): Promise<Read> {
  const errors: unknown[] = [];
  const store = sqliteStore({ path, onUnreadable: (error) => errors.push(error) });
  const given: unknown[] = [];
  for (const read of listReads(store, id))
    given.push(await read().catch((error: unknown) => void errors.push(error)));
  given.push((await store.listThreads()).filter((one) => one.id === id));
  given.push((await store.listRuns()).filter((one) => one.threadId === id));
  given.push(
    await store.deleteThread(id, Number.MAX_SAFE_INTEGER).catch((error: unknown) => void errors.push(error)),
  );
  await store.close();
  return { given, errors };
}

/** Writes into a column what SQLite would refuse there: as if a byte of the row had been another one. */
function damage(path: string, { table, column }: { table: string; column: string }, value: unknown): void {
  const client = new Database(path);
  client.unsafeMode(true);
  client.pragma('writable_schema = on');
  const sql = client
    .prepare("select sql from sqlite_master where type = 'table' and name = ?")
    .pluck()
    .get(table) as string;
  const retype = client.prepare("update sqlite_master set sql = ? where type = 'table' and name = ?");
  const typeless = sql.replace(
    new RegExp(`"${column}" (?:text|integer|blob)(?: NOT NULL)?`),
    `"${column}" blob`,
  );
  expect(typeless).not.toBe(sql);
  retype.run(typeless, table);
  client.close();
  const typed = new Database(path);
  typed.pragma('foreign_keys = off');
  const rows = typed.prepare(
    `update "${table}" set "${column}" = ? where rowid = (select min(rowid) from "${table}")`,
  );
  expect(rows.run(value).changes).toBe(1);
  typed.unsafeMode(true);
  typed.pragma('writable_schema = on');
  typed.prepare("update sqlite_master set sql = ? where type = 'table' and name = ?").run(sql, table);
  typed.close();
}

const damages: ReadonlyArray<[string, unknown]> = [
  ['nothing', null],
  ['a number', 4111],
  ['a text', SECRET],
  ['bytes', Buffer.from(`\0${SECRET}`)],
  ['bad JSON', `{"${SECRET}":`],
  ['other JSON', '7'],
];

/** Whether a column may hold it, as far as anybody can tell. */
function mayHold(table: string, column: SQLiteColumn, value: unknown): boolean {
  if (value === null) return !column.notNull;
  if (column.enumValues !== undefined && column.enumValues.length > 0) return false;
  const type = column.getSQLType();
  if (type === 'blob') return Buffer.isBuffer(value);
  if (type === 'integer') return typeof value === 'number';
  if (typeof value !== 'string') return false;
  if (`${table}.${column.name}` === 'values.value' || `${table}.${column.name}` === 'messages.metadata')
    return value === '7';
  return !/^(?:metadata|compaction|extra|payload|runs)$/.test(column.name);
}

describe.each(columns.map(({ table, column }) => [table, column.name, column] as const))(
  'table %s, column %s',
  (table, name, column) => {
    test.each(damages)('%s', async (_, value) => {
      const path = newFile();
      copyFileSync(whole, path);
      damage(path, { table, column: name }, value);
      const { errors } = await readAll(path, t);
      for (const error of errors) {
        expect(error).toBeInstanceOf(RunError);
        const { code, message: text } = error as RunError;
        expect(text).not.toContain(SECRET.slice(0, 6));
        expect(['store_unreadable', 'not_found', 'thread_busy']).toContain(code);
      }
      const places = errors.map((error) => (error as RunError).message);
      if (!mayHold(table, column, value) && !leading.test(`${table}.${name}`)) {
        const place = new RegExp(
          `the column ${name} of .*thread.* in the table ${table} is damaged; mend it`,
        );
        expect(places).toContainEqual(expect.stringMatching(place));
      }
      expect((await readAll(path, 'other')).given).toEqual(ofOther);
    });
  },
);
