import type { KeyedValue } from '@spec/hooks';
import { and, sql } from 'drizzle-orm';
import { readColumn } from '../../rows/damaged.ts';
import { type Connection, equals, rawStatement } from '../file/connection.ts';
import { values } from '../schema/schema.ts';
import { encodeText } from '../schema/text.ts';
import { makeRowCheck } from './row-checks.ts';

/** A thread by its key, and by its id for error messages. */
interface ThreadKey {
  readonly key: number;
  readonly id: string;
}

/** The values of one file. */
export interface ValueTable {
  get(thread: ThreadKey, key: string): unknown;
  /** Sets a value, or removes it if it is `undefined`; `thread` is the key of a thread. */
  put(thread: number, value: KeyedValue): void;
  /** In any order: all values, or the one with this key. */
  list(thread: ThreadKey, key?: string): KeyedValue[];
}

const slot = sql.placeholder;

/** Prepares the statements over `values`. */
export function valueTable(connection: Connection): ValueTable {
  const { orm } = connection;
  const identity = and(equals(values.thread, 'thread'), equals(values.key, 'key'));
  const select = () => orm.select({ key: values.key, value: values.value }).from(values);
  const one = select().where(identity).prepare();
  const all = select().where(equals(values.thread, 'thread')).prepare();
  const insert = orm
    .insert(values)
    .values({ thread: slot('thread'), key: slot('key'), value: slot('value') })
    .onConflictDoUpdate({ target: [values.thread, values.key], set: { value: sql`excluded.value` } });
  /** Raw, because the sum of tokens is written with every answer of a model. */
  const set = rawStatement<[thread: number, key: string | Buffer, value: string]>(connection, insert);
  const remove = orm.delete(values).where(identity).prepare();

  function listOf(thread: ThreadKey, key?: string): KeyedValue[] {
    const rows = key === undefined ? all.all({ thread: thread.key }) : one.all({ thread: thread.key, key });
    return rows.map((row) => ({ key: row.key, value: decodeValue(row, thread.id) }));
  }

  return {
    get: (thread, key) => listOf(thread, key)[0]?.value,
    put: (thread, { key, value }) => {
      if (value === undefined) remove.run({ thread, key });
      else set.run(thread, encodeText(key), JSON.stringify(value));
    },
    list: listOf,
  };
}

const checkRow = makeRowCheck(values, 'values');

/** The value in a row. @throws RunError `store_unreadable` */
function decodeValue(row: { key: string; value: string }, threadId: string): unknown {
  const { key, value } = row;
  const name =
    typeof key === 'string' ? `value ${key} of thread ${threadId}` : `a value of thread ${threadId}`;
  checkRow(row, () => name);
  return readColumn({ table: 'values', row: name, column: 'value' }, () => JSON.parse(value));
}
