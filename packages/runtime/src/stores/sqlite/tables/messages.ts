import { and, asc, count, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { Window } from '../../counts.ts';
import { type Connection, rawStatement } from '../file/connection.ts';
import { messages } from '../schema/schema.ts';
import { encodeText } from '../schema/text.ts';
import { nextKey } from './keys.ts';
import { messageFields, type SqliteMessageRow } from './message-row.ts';

/** The messages of one file; `thread` is always the key of a thread. */
export interface MessageTable {
  /** Appends a message and returns its key; `undefined` if the thread already has its id. */
  insert(thread: number, row: SqliteMessageRow, calls: string | null): number | undefined;
  identifyPlace(thread: number, id: string): MessagePlace | undefined;
  find(thread: number, id: string): SqliteMessageRow | undefined;
  /** In order; only those with a key between `above` and `below`. */
  list(thread: number, window: Window & { above: number; below: number }): SqliteMessageRow[];
  count(thread: number): number;
  /** Replaces the row with the same id. */
  replace(thread: number, row: SqliteMessageRow): void;
  remove(thread: number, id: string): void;
}

/** The key of a message, by its id. */
export type MessagePlace = [key: number, role: string];

const slot = sql.placeholder;

type MessageColumns = Pick<typeof messages, (typeof messageFields)[number]>;

/** The columns of a message, in the order of {@link SqliteMessageRow} and of the schema. */
export const messageColumns: MessageColumns = Object.fromEntries(
  messageFields.map((name) => [name, messages[name]]),
) as MessageColumns;

const slots = Object.fromEntries(
  Object.keys(messageColumns).map((name) => [name, sql`${slot(name)}`]),
) as Record<keyof typeof messageColumns, SQL>;

const identity = and(eq(messages.thread, slot('thread')), eq(messages.id, slot('id')));
type Identity = [thread: number, id: string | Buffer];

/** Prepares the statements over `messages`. They are raw, because every step of every turn runs them. */
export function messageTable(connection: Connection): MessageTable {
  const { insert, replace, remove } = writing(connection);
  const { place, find, oldest, newest, size } = reading(connection);

  return {
    insert(thread, row, calls) {
      const { changes, lastInsertRowid } = insert.run(thread, calls, ...row);
      return changes > 0 ? Number(lastInsertRowid) : undefined;
    },
    identifyPlace: (thread, id) => place.get(thread, encodeText(id)),
    find: (thread, id) => find.get(thread, encodeText(id)),
    list(thread, { from, above, below, count }) {
      if (from === 'start') return oldest.all(thread, above, below, count);
      return newest.all(thread, above, below, count).reverse();
    },
    count: (thread) => size.get(thread)?.[0] ?? 0,
    replace(thread, row) {
      replace.run(...row, thread, row[0]);
    },
    remove(thread, id) {
      remove.run(thread, encodeText(id));
    },
  };
}

function writing(connection: Connection) {
  const { orm } = connection;
  const insert = orm
    .insert(messages)
    .values({ key: nextKey, thread: slot('thread'), calls: slot('calls'), ...slots });
  const replace = orm.update(messages).set(slots).where(identity);
  return {
    insert: rawStatement<[number, string | null, ...SqliteMessageRow]>(
      connection,
      insert.onConflictDoNothing(),
    ),
    replace: rawStatement<[...SqliteMessageRow, ...Identity]>(connection, replace),
    remove: rawStatement<Identity>(connection, orm.delete(messages).where(identity)),
  };
}

type ListValues = [thread: number, above: number, below: number, limit: number];

function reading(connection: Connection) {
  const { orm } = connection;
  const ofThread = eq(messages.thread, slot('thread'));
  const { key, role } = messages;
  const place = orm.select({ key, role }).from(messages).where(identity);
  const list = (order: SQL) =>
    orm
      .select(messageColumns)
      .from(messages)
      .where(and(ofThread, gt(key, slot('above')), lt(key, slot('below'))))
      .orderBy(order)
      .limit(slot('limit'));
  return {
    place: rawStatement<Identity, MessagePlace>(connection, place),
    find: rawStatement<Identity, SqliteMessageRow>(
      connection,
      orm.select(messageColumns).from(messages).where(identity),
    ),
    oldest: rawStatement<ListValues, SqliteMessageRow>(connection, list(asc(key))),
    newest: rawStatement<ListValues, SqliteMessageRow>(connection, list(desc(key))),
    size: rawStatement<[number], [number]>(
      connection,
      orm.select({ n: count() }).from(messages).where(ofThread),
    ),
  };
}
