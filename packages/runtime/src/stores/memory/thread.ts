import { copyJson, itemPlace, metadataPlace, valuePlace } from '../json.ts';
import { fencedOff, noSuchThread, storeClosed } from '../refusals.ts';
import type {
  Lease,
  LedgerEntry,
  QueueItem,
  StoredFile,
  StoredMessage,
  ThreadRecord,
  ToolCallRecord,
} from '../store.ts';

/** A message with its place in the order and the calls it asked for, by position. */
export interface MemoryEntry {
  seq: number;
  message: StoredMessage;
  calls: ToolCallRecord[];
}

export interface MemoryThread {
  record: ThreadRecord;
  /** Ascending by `seq`. */
  entries: MemoryEntry[];
  byId: Map<string, MemoryEntry>;
  lastSeq: number;
  queue: Map<string, QueueItem>;
  values: Map<string, unknown>;
  files: Map<string, StoredFile>;
  /** The newest lease; a released one keeps its fence here, with no owner. */
  lease: (Omit<Lease, 'owner'> & { owner: string | null }) | null;
}

export interface Memory {
  threads: Map<string, MemoryThread>;
  /** In the order of their commits. */
  runs: LedgerEntry[];
  /** Fences count up over all threads, so that a thread created again under an old id never meets an old fence. */
  lastFence: number;
  closed: boolean;
}

/** The memory of a store that is open. @throws RunError `closed`. */
export function open(memory: Memory): Memory {
  if (memory.closed) throw storeClosed();
  return memory;
}

/** The thread to read from; reading one that is not there finds nothing. @throws RunError `closed`. */
export function readable(memory: Memory, threadId: string): MemoryThread | undefined {
  return open(memory).threads.get(threadId);
}

/** The thread to write to. @throws RunError `closed`, `not_found`, or `thread_busy` where its lease has a higher fence. */
export function writable(memory: Memory, threadId: string, fence: number): MemoryThread {
  const thread = readable(memory, threadId);
  if (!thread) throw noSuchThread(threadId);
  if (thread.lease && thread.lease.fence > fence) throw fencedOff(threadId, fence);
  return thread;
}

/** A checked copy of a thread's record. */
export function copyRecord(record: ThreadRecord): ThreadRecord {
  const { id, turn, compaction } = record;
  return {
    ...record,
    turn: turn && { ...turn },
    compaction: compaction && { ...compaction },
    metadata: copyMetadata(record.metadata, id),
  };
}

/** A checked copy of a thread's metadata. @throws RunError `invalid_input`. */
export function copyMetadata(metadata: Record<string, unknown>, threadId: string): Record<string, unknown> {
  return copyJson(metadata, metadataPlace(threadId)) as Record<string, unknown>;
}

/** A checked copy of a value to keep. @throws RunError `invalid_input`. */
export function copyValue(
  entry: { key: string; value: unknown },
  threadId: string,
): { key: string; value: unknown } {
  const { key, value } = entry;
  return { key, value: value === undefined ? undefined : copyJson(value, valuePlace(key, threadId)) };
}

/** A checked copy of a queue item. @throws RunError `invalid_message`. */
export function copyItem(item: QueueItem, threadId: string): QueueItem {
  return {
    ...item,
    payload: copyJson(item.payload, itemPlace(item.id, threadId)) as Record<string, unknown>,
  };
}

/** Sets a value, or removes it where it is `undefined`. */
export function putValue(thread: MemoryThread, { key, value }: { key: string; value: unknown }): void {
  if (value === undefined) thread.values.delete(key);
  else thread.values.set(key, value);
}
