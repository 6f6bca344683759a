import { refuseOtherRole, roleOfItem } from '../item-role.ts';
import { copyRunFields } from '../json.ts';
import { copyMessage } from '../message-fields.ts';
import { foreignEntry, messageIdTaken, noSuchMessage, noSuchThread } from '../refusals.ts';
import type {
  Append,
  LedgerEntry,
  QueueItem,
  StoredMessage,
  ThreadChanges,
  ToolCallRecord,
} from '../store.ts';
import {
  copyItem,
  copyMetadata,
  copyValue,
  type Memory,
  type MemoryThread,
  putValue,
  readable,
} from './thread.ts';

/** What an append will change; made whole, with every check, before anything is changed. */
interface Plan {
  messages: StoredMessage[];
  calls: ToolCallRecord[];
  runs: LedgerEntry[];
  enqueue: QueueItem[];
  values: { key: string; value: unknown }[];
  thread: ThreadChanges;
}

/** Applies an append whole, or refuses it and changes nothing (see `Store.append` for what a repeated one does). */
export function applyAppend(memory: Memory, thread: MemoryThread, append: Append): void {
  const plan = planAppend(thread, append);
  for (const message of plan.messages) {
    const entry = { seq: ++thread.lastSeq, message, calls: [] };
    thread.entries.push(entry);
    thread.byId.set(message.id, entry);
  }
  for (const call of plan.calls) {
    const entry = thread.byId.get(call.messageId);
    if (entry) entry.calls[call.position] = call;
  }
  memory.runs.push(...plan.runs);
  for (const id of append.dequeue ?? []) thread.queue.delete(id);
  for (const item of plan.enqueue) if (!thread.queue.has(item.id)) thread.queue.set(item.id, item);
  for (const value of plan.values) putValue(thread, value);
  Object.assign(thread.record, plan.thread);
}

/** What is put into a thread's inbox. */
export interface Posted {
  readonly item: QueueItem;
  readonly runs: readonly LedgerEntry[];
}

/** Puts an item in a thread's queue. @throws RunError `not_found`, `invalid_message` */
export function postItem(memory: Memory, threadId: string, { item, runs }: Posted): void {
  const copy = copyItem(item, threadId);
  const thread = readable(memory, threadId);
  if (!thread) throw noSuchThread(threadId);
  refuseTakenItem(thread, copy);
  memory.runs.push(...runs.map((run) => copyRun(run, threadId)));
  const stored = copy.kind === 'message' && thread.byId.has(copy.id);
  if (!stored && !thread.queue.has(copy.id)) thread.queue.set(copy.id, copy);
}

/** What leaves the queue in the same append gives its id free. */
function refuseTakenItem(thread: MemoryThread, item: QueueItem, dequeue: readonly string[] = []): void {
  const { id } = item;
  const waiting = dequeue.includes(id) ? undefined : thread.queue.get(id);
  const known = [thread.byId.get(id)?.message.role, waiting && roleOfItem(waiting)];
  refuseOtherRole({ threadId: thread.record.id, id, role: roleOfItem(item), known });
}

function planAppend(thread: MemoryThread, append: Append): Plan {
  const threadId = thread.record.id;
  const given = (append.messages ?? []).map((message) => copyMessage(message, threadId));
  const fresh = new Map<string, StoredMessage>();
  for (const message of given) {
    const known = thread.byId.get(message.id)?.message ?? fresh.get(message.id);
    if (known === undefined) fresh.set(message.id, message);
    else if (known.role !== message.role) throw messageIdTaken(threadId, message.id);
  }
  const repeated = given.length > 0 && fresh.size === 0;
  const enqueue = repeated ? [] : (append.enqueue ?? []).map((item) => copyItem(item, threadId));
  for (const item of enqueue) refuseTakenItem(thread, item, append.dequeue);
  const old = new Set(given.map((message) => message.id).filter((id) => !fresh.has(id)));
  return {
    messages: [...fresh.values()],
    calls: planCalls(thread, append, { fresh, old }),
    runs: repeated ? [] : (append.runs ?? []).map((run) => copyRun(run, threadId)),
    enqueue,
    values: (append.values ?? []).map((entry) => copyValue(entry, threadId)),
    thread: copyChanges(append.thread ?? {}, threadId),
  };
}

function planCalls(
  thread: MemoryThread,
  append: Append,
  messages: { fresh: ReadonlyMap<string, unknown>; old: ReadonlySet<string> },
): ToolCallRecord[] {
  const calls: ToolCallRecord[] = [];
  for (const call of append.toolCalls ?? []) {
    if (messages.old.has(call.messageId)) continue;
    if (!messages.fresh.has(call.messageId) && !thread.byId.has(call.messageId)) {
      throw noSuchMessage(thread.record.id, call.messageId);
    }
    calls.push({ ...call });
  }
  return calls;
}

function copyRun(run: LedgerEntry, threadId: string): LedgerEntry {
  if (run.threadId !== threadId) throw foreignEntry(threadId);
  const { values, ...fields } = run;
  return values === undefined ? fields : { ...fields, ...copyRunFields({ values }, threadId) };
}

function copyChanges(changes: ThreadChanges, threadId: string): ThreadChanges {
  const { currentSide, terminated, turn, compaction, metadata } = changes;
  return {
    ...(currentSide !== undefined && { currentSide }),
    ...(terminated !== undefined && { terminated }),
    ...(turn !== undefined && { turn: turn && { ...turn } }),
    ...(compaction !== undefined && { compaction: compaction && { ...compaction } }),
    ...(metadata !== undefined && { metadata: copyMetadata(metadata, threadId) }),
  };
}
