import { and, asc, sql } from 'drizzle-orm';
import type { QueueItem } from '../../store.ts';
import { jsonText } from '../json.ts';
import { type Connection, equals } from './connection.ts';
import { queue } from './schema.ts';

/** An item with its payload as JSON text. */
export type QueueRow = Omit<QueueItem, 'payload'> & { payload: string };

/** The queues of one file; `thread` is a thread's key. */
export interface QueueTable {
  /** An item whose id is in the queue already changes nothing. */
  add(thread: number, item: QueueRow): void;
  remove(thread: number, id: string): void;
  list(thread: number): QueueItem[];
}

const slot = sql.placeholder;

/** Prepares the statements over `queue`. */
export function queueTable({ orm }: Connection): QueueTable {
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
  const list = orm
    .select({ id: queue.id, kind: queue.kind, payload: queue.payload })
    .from(queue)
    .where(ofThread)
    .orderBy(asc(queue.key))
    .prepare();

  return {
    add: (thread, item) => {
      add.run({ thread, ...item });
    },
    remove: (thread, id) => {
      remove.run({ thread, id });
    },
    list: (thread) => list.all({ thread }).map((row) => ({ ...row, payload: JSON.parse(row.payload) })),
  };
}

/** @throws RunError `invalid_message` where the payload is not JSON. */
export function encodeItem({ id, kind, payload }: QueueItem, threadId: string): QueueRow {
  return {
    id,
    kind,
    payload: jsonText(payload, { code: 'invalid_message', name: `queue item ${id}`, threadId }),
  };
}
