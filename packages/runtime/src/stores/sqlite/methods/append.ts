// Methods: what a store is asked to do, as statements in one transaction. Only the SQLite store calls it.

import { refuseOtherRole, roleOfItem } from '../../item-role.ts';
import { messageIdTaken, noSuchMessage } from '../../refusals.ts';
import type { Append, ToolCallRecord } from '../../store.ts';
import { encodeMessage, type MessageRow } from '../tables/message-row.ts';
import { encodeItem, type QueueRow } from '../tables/queue.ts';
import { encodeRuns, type RunRow } from '../tables/run-row.ts';
import type { Tables } from '../tables/tables.ts';
import { encodeChanges, type ThreadUpdates } from '../tables/thread-row.ts';
import { encodeValue, type ValueText } from '../tables/values.ts';

/** An append in the form of its rows: checked, and the store's own. */
export interface EncodedAppend {
  messages: readonly { id: string; row: MessageRow }[];
  toolCalls: readonly ToolCallRecord[];
  runs: readonly RunRow[];
  dequeue: readonly string[];
  enqueue: readonly QueueRow[];
  values: readonly ValueText[];
  thread: ThreadUpdates | undefined;
}

/** @throws RunError `invalid_message` or `invalid_input` for what cannot be stored. */
export function encodeAppend(threadId: string, append: Append): EncodedAppend {
  const { messages, toolCalls, runs, dequeue, enqueue, values, thread } = append;
  return {
    messages: messages?.map((message) => ({ id: message.id, row: encodeMessage(message, threadId) })) ?? none,
    toolCalls: toolCalls?.map(copyCall) ?? none,
    runs: runs === undefined ? none : encodeRuns(runs, threadId),
    dequeue: dequeue === undefined ? none : [...dequeue],
    enqueue: enqueue?.map((item) => encodeItem(item, threadId)) ?? none,
    values: values?.map((entry) => encodeValue(entry, threadId)) ?? none,
    thread: thread && encodeChanges(thread, threadId),
  };
}

const none: readonly never[] = [];

function copyCall({ id, messageId, position, name, status }: ToolCallRecord): ToolCallRecord {
  return { id, messageId, position, name, status };
}

/** Stores an append; runs inside a transaction. See `Store.append` for what a repeated one does. */
export function storeAppend(
  tables: Tables,
  at: { threadId: string; fence: number },
  append: EncodedAppend,
): void {
  const thread = tables.threads.writable(at.threadId, at.fence);
  const stored = insertMessages(tables, thread, append);
  for (const { id, row } of stored.repeated)
    if (roleOf(tables.messages.find(thread, id)) !== roleOf(row)) throw messageIdTaken(at.threadId, id);
  const repeated = append.messages.length > 0 && stored.fresh === 0;
  for (const call of append.toolCalls) {
    if (stored.old.includes(call.messageId)) continue;
    const message = tables.messages.keyOf(thread, call.messageId);
    if (message === undefined) throw noSuchMessage(at.threadId, call.messageId);
    tables.calls.put(message, call);
  }
  for (const id of append.dequeue) tables.queue.remove(thread, id);
  for (const value of append.values) tables.values.put(thread, value);
  if (append.thread) tables.threads.update(thread, append.thread);
  if (repeated) return;
  for (const row of append.runs) tables.ledger.add(thread, row);
  for (const item of append.enqueue) {
    refuseTakenItem(tables, { thread, threadId: at.threadId }, item);
    tables.queue.add(thread, item);
  }
}

/** @throws RunError `invalid_message` where an item has the id of a message with another role. */
export function refuseTakenItem(
  { queue, messages }: Tables,
  { thread, threadId }: { thread: number; threadId: string },
  { id, role }: QueueRow,
): void {
  if (role === undefined) return;
  const waiting = queue.find({ thread, threadId }, id);
  const known = [roleOf(messages.find(thread, id)), waiting && roleOfItem(waiting)];
  refuseOtherRole({ threadId, id, role, known });
}

interface Stored {
  /** How many of the messages were new. */
  fresh: number;
  /** The ids of those that were in the thread before. */
  old: readonly string[];
  /** Those that were in the thread, or came twice. */
  repeated: EncodedAppend['messages'];
}

function roleOf(row: MessageRow | undefined): MessageRow[1] | undefined {
  return row?.[1];
}

function insertMessages({ messages }: Tables, thread: number, append: EncodedAppend): Stored {
  const own: string[] = [];
  const repeated: EncodedAppend['messages'][number][] = [];
  for (const message of append.messages)
    if (messages.insert(thread, message.row)) own.push(message.id);
    else repeated.push(message);
  const old = repeated.map(({ id }) => id).filter((id) => !own.includes(id));
  return { fresh: own.length, old, repeated };
}
