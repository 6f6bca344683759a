import { windowOf } from '../counts.ts';
import { copyMessage, copyOut, withFields } from '../message-fields.ts';
import type { MessageQuery, StoredMessage, ToolCallRecord, ToolCallStatus } from '../store.ts';
import type { MemoryThread } from './thread.ts';

/** A copy of a message; `null` where there is none. */
export function findMessage(thread: MemoryThread | undefined, id: string): StoredMessage | null {
  const entry = thread?.byId.get(id);
  return entry ? copyOut(entry.message) : null;
}

/** Copies of the messages that a query asks for, in their order. */
export function listMessages(thread: MemoryThread | undefined, query: MessageQuery = {}): StoredMessage[] {
  const { count, from } = windowOf(query);
  if (!thread) return [];
  const { before, after } = query;
  if (after !== undefined && !thread.byId.has(after)) return [];
  const first = after === undefined ? 0 : positionOf(thread, after) + 1;
  const end = before === undefined ? thread.entries.length : positionOf(thread, before);
  const matching = Math.max(0, end - first);
  const size = count < 0 ? matching : Math.min(count, matching);
  const start = from === 'start' ? first : end - size;
  return thread.entries.slice(start, start + size).map((entry) => copyOut(entry.message));
}

/** Replaces fields of a message; a copy of the result, `null` where there is no such message. */
export function updateMessage(
  thread: MemoryThread,
  update: { id: string; fields: Record<string, unknown> },
): StoredMessage | null {
  const entry = thread.byId.get(update.id);
  if (!entry) return null;
  const threadId = thread.record.id;
  entry.message = copyMessage(withFields(entry.message, update.fields, threadId), threadId);
  return copyOut(entry.message);
}

/** Removes a message and its tool calls; `false` where there was none. */
export function deleteMessage(thread: MemoryThread, id: string): boolean {
  if (!thread.byId.has(id)) return false;
  thread.entries.splice(positionOf(thread, id), 1);
  return thread.byId.delete(id);
}

/** Copies of a thread's tool calls: by message, then by position. */
export function listCalls(
  thread: MemoryThread | undefined,
  { status, messageId }: { status?: ToolCallStatus; messageId?: string } = {},
): ToolCallRecord[] {
  const entries = messageId === undefined ? thread?.entries : [thread?.byId.get(messageId)];
  const calls = (entries ?? []).flatMap((entry) => entry?.calls.filter((call) => call !== undefined) ?? []);
  return calls.filter((call) => status === undefined || call.status === status).map((call) => ({ ...call }));
}

/** Where a message stands among the entries, found by halving; 0 for one that is not there. */
function positionOf(thread: MemoryThread, id: string): number {
  const seq = thread.byId.get(id)?.seq ?? 0;
  let low = 0;
  let high = thread.entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((thread.entries[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
