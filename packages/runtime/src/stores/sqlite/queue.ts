import { and, asc, eq, sql } from 'drizzle-orm';
import type { QueueItem } from '../../store.ts';
import { itemPlace, jsonText } from '../json.ts';
import { type Connection, equals, rawStatement } from './connection.ts';
import { recordIn } from './damaged.ts';
import { queue, threads } from './schema.ts';
import { decodeText, encodeText } from './text.ts';

/** An item with its payload as JSON text. */
export type QueueRow = Omit<QueueItem, 'payload'> & { payload: string };

/** The queues of one file; `thread` is a thread's key. */
export interface QueueTable {
  /** An item whose id is in the queue already changes nothing. */
  add(thread: number, item: QueueRow): void;
  remove(thread: number, id: string): void;
  /** Asked before every step. */
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
  const remove = orm
    .delete(queue)
    .where(and(ofThread, equals(queue.id, 'id')))
    .prepare();
  const waiting = orm
    .select({ id: queue.id, kind: queue.kind, payload: queue.payload })
    .from(queue)
    .innerJoin(threads, eq(threads.key, queue.thread))
    .where(equals(threads.id, 'threadId'))
    .orderBy(asc(queue.key));
  const list = rawStatement<[threadId: string | Buffer], ListedRow>(connection, waiting);

  return {
    add: (thread, item) => {
      add.run({ thread, ...item });
    },
    remove: (thread, id) => {
      remove.run({ thread, id });
    },
    list: (threadId) =>
      list.all(encodeText(threadId)).map(([id, kind, payload]) => ({
        id: decodeText(id),
        kind,
        payload: recordIn(payload, { table: 'queue', row: `item ${decodeText(id)}`, column: 'payload' }),
      })),
  };
}

/** @throws RunError `invalid_message` where the payload is not JSON. */
export function encodeItem({ id, kind, payload }: QueueItem, threadId: string): QueueRow {
  return { id, kind, payload: jsonText(payload, itemPlace(id, threadId)) };
}
