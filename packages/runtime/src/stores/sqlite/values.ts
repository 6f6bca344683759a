import { and, sql } from 'drizzle-orm';
import { type Connection, equals } from './connection.ts';
import { values } from './schema.ts';

/** The values of one file, as JSON text; `thread` is a thread's key. */
export interface ValueTable {
  get(thread: number, key: string): string | undefined;
  set(thread: number, key: string, value: string): void;
  remove(thread: number, key: string): void;
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

  return {
    get: (thread, key) => get.get({ thread, key })?.value,
    set: (thread, key, value) => {
      set.run({ thread, key, value });
    },
    remove: (thread, key) => {
      remove.run({ thread, key });
    },
  };
}
