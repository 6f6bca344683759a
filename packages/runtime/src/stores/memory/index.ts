// Memory: the store that lasts as long as its process. The runtime uses it if it gets no other store; it never touches a disk.

import type { AttachmentRef, KeyedValue, TurnMark } from '@spec/hooks';
import { createStore } from '../derive/index.ts';
import { keepMarks, keepRuns, pickCalls, pickMarks, pickRuns, pickThreads } from '../derive/lists.ts';
import { checkRemoval, type LeasedThread, settle } from '../derive/settle.ts';
import type {
  ChangeLease,
  Commit,
  CommitAnswer,
  MessageRange,
  StoreDriver,
  StoredLease,
  ToolCallFilter,
} from '../driver.ts';
import type {
  LedgerEntry,
  QueueItem,
  Retention,
  RunPage,
  Store,
  StoredFile,
  StoredMessage,
  ThreadFilter,
  ThreadRecord,
  ToolCallRecord,
} from '../store.ts';
import { MemoryThread } from './thread.ts';

/** A store that forgets everything when the process ends, for tests, examples and short jobs. It is fast and has no `node:` imports. */
export function memoryStore(): Store {
  return createStore(new MemoryDriver());
}

class MemoryDriver implements StoreDriver {
  readonly #threads = new Map<string, MemoryThread>();
  /** In commit order. */
  #runs: LedgerEntry[] = [];
  #marks: TurnMark[] = [];
  /** Fences count up over all threads, so that a thread created again with an old id never gets an old fence. */
  #lastFence = 0;

  createThread(record: ThreadRecord): boolean {
    if (this.#threads.has(record.id)) return false;
    this.#threads.set(record.id, new MemoryThread(record));
    return true;
  }

  getThread(threadId: string): ThreadRecord | null {
    return this.#threads.get(threadId)?.record ?? null;
  }

  listThreads(filter: ThreadFilter): ThreadRecord[] {
    return pickThreads(
      Array.from(this.#threads.values(), ({ record }) => record),
      filter,
    );
  }

  deleteThread(threadId: string, fence: number): boolean {
    const thread = this.#threads.get(threadId);
    if (!thread) return false;
    const below = this.#below(threadId);
    checkRemoval(leased(thread), below.map(leased), fence);
    for (const { record } of [thread, ...below]) this.#threads.delete(record.id);
    this.#runs = this.#runs.filter((run) => this.#threads.has(run.threadId));
    this.#marks = this.#marks.filter((mark) => this.#threads.has(mark.threadId));
    return true;
  }

  commit(threadId: string, fence: number | null, commit: Commit): CommitAnswer {
    const thread = this.#threads.get(threadId);
    const { writes, answer } = settle({ threadId, fence }, thread?.known(), commit);
    for (const run of writes.runs ?? []) this.#runs.push(run);
    for (const mark of writes.marks ?? []) this.#marks.push(mark);
    if (thread === undefined || !answer.applied) return answer;
    thread.write(writes);
    return { ...answer, waiting: thread.queue.size > 0 };
  }

  findMessage(threadId: string, id: string): StoredMessage | null {
    return this.#threads.get(threadId)?.find(id) ?? null;
  }

  listMessages(threadId: string, range: MessageRange): StoredMessage[] {
    return this.#threads.get(threadId)?.list(range) ?? [];
  }

  countMessages(threadId: string): number {
    return this.#threads.get(threadId)?.count ?? 0;
  }

  listToolCalls(threadId: string, filter: ToolCallFilter): ToolCallRecord[] {
    return pickCalls(this.#threads.get(threadId)?.calls(filter.messageId) ?? [], filter);
  }

  listQueue(threadId: string): QueueItem[] {
    return [...(this.#threads.get(threadId)?.queue.values() ?? [])];
  }

  listValues(threadId: string, key?: string): KeyedValue[] {
    const values = this.#threads.get(threadId)?.values;
    if (!values) return [];
    const keys = key === undefined ? [...values.keys()] : [key];
    return keys.map((name) => ({ key: name, value: values.get(name) }));
  }

  listFiles(threadId: string): AttachmentRef[] {
    return [...(this.#threads.get(threadId)?.files.values() ?? [])];
  }

  readFile(threadId: string, path: string): StoredFile | null {
    return this.#threads.get(threadId)?.files.get(path) ?? null;
  }

  readLease(threadId: string): StoredLease | null {
    return this.#threads.get(threadId)?.lease ?? null;
  }

  changeLease(threadId: string, next: ChangeLease): StoredLease | null {
    const thread = this.#threads.get(threadId);
    const lease = next(thread?.lease);
    if (!thread) return null;
    if (lease) thread.lease = { ...lease, fence: lease.fence ?? ++this.#lastFence };
    return thread.lease;
  }

  pageRuns(page: { threadId?: string; from: number; size: number }): RunPage {
    return pickRuns(this.#runs, page);
  }

  listMarks(threadId: string, turnId: string | undefined): TurnMark[] {
    return pickMarks(this.#marks, threadId, turnId);
  }

  pruneRuns(retention: Retention): number {
    const before = this.#runs;
    const kept = keepRuns(before, retention);
    this.#runs = kept;
    this.#marks = keepMarks(this.#marks, { before, kept }, retention);
    return before.length - kept.length;
  }

  close(): void {
    this.#threads.clear();
    this.#runs = [];
    this.#marks = [];
  }

  #below(threadId: string): MemoryThread[] {
    const children = [...this.#threads.values()].filter(({ record }) => record.parentId === threadId);
    return children.flatMap((child) => [child, ...this.#below(child.record.id)]);
  }
}

function leased({ record, lease }: MemoryThread): LeasedThread {
  return { threadId: record.id, lease };
}
