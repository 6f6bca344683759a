import { and, asc, eq, sql } from 'drizzle-orm';
import { recordIn } from '../../rows/damaged.ts';
import type { QueueItem } from '../../store.ts';
import { type Connection, equals, rawStatement } from '../file/connection.ts';
import { queue, threads } from '../schema/schema.ts';
import { decodeText, encodeText } from '../schema/text.ts';
import { makeListCheck } from './row-checks.ts';

/** The queues of one file; `thread` is the key of a thread. */
export interface QueueTable {
  /** An item whose id is already in the queue changes nothing. */
  add(thread: number, item: QueueItem): void;
  find(thread: { key: number; id: string }, id: string): QueueItem | undefined;
  remove(thread: number, id: string): void;
  /** Runs in every commit of a turn. */
  holdsAny(thread: number): boolean;
  list(threadId: string): QueueItem[];
}

type ListedRow = [id: string | Buffer, kind: QueueItem['kind'], payload: string];

const slot = sql.placeholder;

/** Prepares the statements over `queue`. */
export function queueTable(connection: Connection): QueueTable {
  const { orm } = connection;
  const ofThread = equals(queue.thread, 'thread');
  const add = orm
    .insert(queue)
    .values({ thread: slot('thread'), id: slot('id'), kind: slot('kind'), payload: slot('payload') })
    .onConflictDoNothing()
    .prepare();
  const ofItem = and(ofThread, equals(queue.id, 'id'));
  const remove = orm.delete(queue).where(ofItem).prepare();
  const find = orm
    .select({ id: queue.id, kind: queue.kind, payload: queue.payload })
    .from(queue)
    .where(ofItem)
    .prepare();
  const waiting = orm
    .select({ id: queue.id, kind: queue.kind, payload: queue.payload })
    .from(queue)
    .innerJoin(threads, eq(threads.key, queue.thread))
    .where(equals(threads.id, 'threadId'))
    .orderBy(asc(queue.key));
  const list = rawStatement<[threadId: string | Buffer], ListedRow>(connection, waiting);
  const any = rawStatement<[thread: number], [key: number]>(
    connection,
    orm.select({ key: queue.key }).from(queue).where(ofThread),
  );

  return {
    add: (thread, { id, kind, payload }) => {
      add.run({ thread, id, kind, payload: JSON.stringify(payload) });
    },
    find: (thread, id) => {
      const row = find.get({ thread: thread.key, id });
      return row && decodeItem([row.id, row.kind, row.payload], thread.id);
    },
    remove: (thread, id) => {
      remove.run({ thread, id });
    },
    holdsAny: (thread) => any.get(thread) !== undefined,
    list: (threadId) => list.all(encodeText(threadId)).map((row) => decodeItem(row, threadId)),
  };
}

const checkRow = makeListCheck(queue, 'queue', ['id', 'kind', 'payload']);

function decodeItem(row: ListedRow, threadId: string): QueueItem {
  const [stored, kind, payload] = row;
  const id = decodeText(stored);
  const name = typeof id === 'string' ? `item ${id} of thread ${threadId}` : `an item of thread ${threadId}`;
  checkRow(row, () => name);
  return { id, kind, payload: recordIn(payload, { table: 'queue', row: name, column: 'payload' }) };
}
