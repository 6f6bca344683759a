import { and, sql } from 'drizzle-orm';
import { jsonText, valuePlace } from '../../json.ts';
import { type Connection, equals } from '../file/connection.ts';
import { readColumn } from '../schema/damaged.ts';
import { values } from '../schema/schema.ts';
import { rowCheckOf } from './row-checks.ts';

/** The values of one file, as JSON text; `thread` is a thread's key. */
export interface ValueTable {
  get(thread: number, key: string): string | undefined;
  /** Sets a value, or removes it where its text is `undefined`. */
  put(thread: number, value: ValueText): void;
  /** By key, in the order of UTF-16 code units. */
  list(thread: number): { key: string; value: string }[];
}

/** A value to set; `undefined` for one to remove. */
export interface ValueText {
  key: string;
  text: string | undefined;
}

const slot = sql.placeholder;

/** Prepares the statements over `values`. */
export function valueTable({ orm }: Connection): ValueTable {
  const identity = and(equals(values.thread, 'thread'), equals(values.key, 'key'));
  const get = orm.select({ value: values.value }).from(values).where(identity).prepare();
  const set = orm
    .insert(values)
    .values({ thread: slot('thread'), key: slot('key'), value: slot('value') })
    .onConflictDoUpdate({ target: [values.thread, values.key], set: { value: sql`excluded.value` } })
    .prepare();
  const remove = orm.delete(values).where(identity).prepare();
  const list = orm
    .select({ key: values.key, value: values.value })
    .from(values)
    .where(equals(values.thread, 'thread'))
    .prepare();

  return {
    get: (thread, key) => get.get({ thread, key })?.value,
    put: (thread, { key, text }) => {
      if (text === undefined) remove.run({ thread, key });
      else set.run({ thread, key, value: text });
    },
    list: (thread) => list.all({ thread }).sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

/** @throws RunError `invalid_input` where a value is not JSON. */
export function encodeValue(entry: { key: string; value: unknown }, threadId: string): ValueText {
  const { key, value } = entry;
  return { key, text: value === undefined ? undefined : jsonText(value, valuePlace(key, threadId)) };
}

const checkRow = rowCheckOf(values, 'values');

/** The value of a row. @throws RunError `store_unreadable` */
export function decodeValue(row: { key: string; value: string }, threadId: string): unknown {
  const { key, value } = row;
  const name =
    typeof key === 'string' ? `value ${key} of thread ${threadId}` : `a value of thread ${threadId}`;
  checkRow(row, () => name);
  return readColumn({ table: 'values', row: name, column: 'value' }, () => JSON.parse(value));
}
