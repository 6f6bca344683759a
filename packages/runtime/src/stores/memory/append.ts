import type {
  Append,
  LedgerEntry,
  QueueItem,
  StoredMessage,
  ThreadChanges,
  ToolCallRecord,
} from '../../store.ts';
import { copyJson } from '../json.ts';
import { copyMessage } from '../message-fields.ts';
import { foreignEntry, noSuchMessage } from '../refusals.ts';
import { copyMetadata, type Memory, type MemoryThread } from './thread.ts';

/** What an append will change; made whole, with every check, before anything is changed. */
interface Plan {
  messages: StoredMessage[];
  calls: ToolCallRecord[];
  runs: LedgerEntry[];
  enqueue: QueueItem[];
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
  Object.assign(thread.record, plan.thread);
}

function planAppend(thread: MemoryThread, append: Append): Plan {
  const threadId = thread.record.id;
  const given = (append.messages ?? []).map((message) => copyMessage(message, threadId));
  const fresh = new Map<string, StoredMessage>();
  for (const message of given) {
    if (!thread.byId.has(message.id) && !fresh.has(message.id)) fresh.set(message.id, message);
  }
  const repeated = given.length > 0 && fresh.size === 0;
  const old = new Set(given.map((message) => message.id).filter((id) => !fresh.has(id)));
  return {
    messages: [...fresh.values()],
    calls: planCalls(thread, append, { fresh, old }),
    runs: repeated ? [] : (append.runs ?? []).map((run) => copyRun(run, threadId)),
    enqueue: repeated ? [] : (append.enqueue ?? []).map((item) => copyItem(item, threadId)),
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
  return { ...run };
}

function copyItem(item: QueueItem, threadId: string): QueueItem {
  const place = { code: 'invalid_message', name: `queue item ${item.id}`, threadId } as const;
  return { ...item, payload: copyJson(item.payload, place) as Record<string, unknown> };
}

function copyChanges(changes: ThreadChanges, threadId: string): ThreadChanges {
  const { currentSide, terminated, turn, metadata } = changes;
  return {
    ...(currentSide !== undefined && { currentSide }),
    ...(terminated !== undefined && { terminated }),
    ...(turn !== undefined && { turn: turn && { ...turn } }),
    ...(metadata !== undefined && { metadata: copyMetadata(metadata, threadId) }),
  };
}
