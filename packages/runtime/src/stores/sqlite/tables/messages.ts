import { and, asc, count, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { Window } from '../../counts.ts';
import { type Connection, rawStatement } from '../file/connection.ts';
import { messages } from '../schema/schema.ts';
import { encodeText } from '../schema/text.ts';
import { type MessageRow, nameMessage } from './message-row.ts';
import { makeListCheck } from './row-checks.ts';

/** The messages of one file; `thread` is always a thread's key. */
export interface MessageTable {
  /** Puts a message at the end, and gives its key; `undefined` where the thread has one with this id. */
  insert(thread: number, row: MessageRow): number | undefined;
  placeOf(thread: number, id: string): MessagePlace | undefined;
  find(thread: number, id: string): MessageRow | undefined;
  /** In their order; only those with a sequence number between `above` and `below`. */
  list(thread: number, window: Window & { above: number; below: number }): MessageRow[];
  count(thread: number): number;
  /** SQLite has what is no number first or last. @throws RunError `store_unreadable` where that stands in `seq` */
  checkOrder(thread: number, threadId: string): void;
  /** Replaces the row with the same id. */
  replace(thread: number, row: MessageRow): void;
  remove(thread: number, id: string): void;
}

/** Where a message stands, and what has its id. */
export type MessagePlace = [key: number, seq: number, role: string];

const slot = sql.placeholder;

/** The columns that hold a message, in the order of {@link MessageRow} and of the schema. */
const columns = {
  id: messages.id,
  role: messages.role,
  content: messages.content,
  name: messages.name,
  toolCalls: messages.toolCalls,
  toolCallId: messages.toolCallId,
  createdAt: messages.createdAt,
  parentId: messages.parentId,
  depth: messages.depth,
  metadata: messages.metadata,
  extra: messages.extra,
  flags: messages.flags,
};

const slots = Object.fromEntries(Object.keys(columns).map((name) => [name, sql`${slot(name)}`])) as Record<
  keyof typeof columns,
  SQL
>;

const identity = and(eq(messages.thread, slot('thread')), eq(messages.id, slot('id')));
type Identity = [thread: number, id: string | Buffer];

/** Prepares the statements over `messages`: raw ones, because every step of every turn runs them. */
export function messageTable(connection: Connection): MessageTable {
  const { insert, replace, remove } = writing(connection);
  const { place, find, oldest, newest, size, ends } = reading(connection);

  return {
    insert(thread, row) {
      const { changes, lastInsertRowid } = insert.run(thread, thread, ...row);
      return changes > 0 ? Number(lastInsertRowid) : undefined;
    },
    placeOf: (thread, id) => place.get(thread, encodeText(id)),
    find: (thread, id) => find.get(thread, encodeText(id)),
    list(thread, { from, above, below, count }) {
      if (from === 'start') return oldest.all(thread, above, below, count);
      return newest.all(thread, above, below, count).reverse();
    },
    count: (thread) => size.get(thread)?.[0] ?? 0,
    checkOrder(thread, threadId) {
      for (const end of ends) {
        const row = end.get(thread, 1);
        if (row !== undefined) checkPosition(row, () => nameMessage(row[0], threadId));
      }
    },
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
  const next = sql`(select coalesce(max(seq), 0) + 1 from ${messages} where thread = ${slot('thread')})`;
  const insert = orm.insert(messages).values({ thread: slot('thread'), seq: next, ...slots });
  const replace = orm.update(messages).set(slots).where(identity);
  return {
    insert: rawStatement<[number, number, ...MessageRow]>(connection, insert.onConflictDoNothing()),
    replace: rawStatement<[...MessageRow, ...Identity]>(connection, replace),
    remove: rawStatement<Identity>(connection, orm.delete(messages).where(identity)),
  };
}

type Position = [id: string | Buffer, seq: number];

const checkPosition = makeListCheck(messages, 'messages', ['id', 'seq']);

type ListValues = [thread: number, above: number, below: number, limit: number];

function reading(connection: Connection) {
  const { orm } = connection;
  const ofThread = eq(messages.thread, slot('thread'));
  const { key, seq, role } = messages;
  const place = orm.select({ key, seq, role }).from(messages).where(identity);
  const list = (order: SQL) =>
    orm
      .select(columns)
      .from(messages)
      .where(and(ofThread, gt(messages.seq, slot('above')), lt(messages.seq, slot('below'))))
      .orderBy(order)
      .limit(slot('limit'));
  const end = (order: SQL) =>
    orm.select({ id: messages.id, seq }).from(messages).where(ofThread).orderBy(order).limit(slot('limit'));
  return {
    ends: [asc(seq), desc(seq)].map((order) =>
      rawStatement<[number, number], Position>(connection, end(order)),
    ),
    place: rawStatement<Identity, MessagePlace>(connection, place),
    find: rawStatement<Identity, MessageRow>(connection, orm.select(columns).from(messages).where(identity)),
    oldest: rawStatement<ListValues, MessageRow>(connection, list(asc(messages.seq))),
    newest: rawStatement<ListValues, MessageRow>(connection, list(desc(messages.seq))),
    size: rawStatement<[number], [number]>(
      connection,
      orm.select({ n: count() }).from(messages).where(ofThread),
    ),
  };
}
