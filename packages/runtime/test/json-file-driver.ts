import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { KeyedValue, TurnMark } from '@spec/hooks';
import type {
  LedgerEntry,
  QueueItem,
  StoredFile,
  StoredMessage,
  ThreadRecord,
  ToolCallRecord,
} from '@spec/runtime';
import {
  checkRemoval,
  type KnownThread,
  keepMarks,
  keepRuns,
  pickCalls,
  pickMarks,
  pickMessages,
  pickRuns,
  pickThreads,
  type StoreDriver,
  type StoredLease,
  settle,
  type Writes,
} from '@spec/runtime/store-kit';

/** All that is kept; it is written anew with every change. */
interface Contents {
  threads: Thread[];
  runs: LedgerEntry[];
  marks: TurnMark[];
  lastFence: number;
}

interface Thread {
  record: ThreadRecord;
  messages: StoredMessage[];
  calls: ToolCallRecord[];
  queue: QueueItem[];
  values: KeyedValue[];
  files: (Omit<StoredFile, 'data'> & { base64: string })[];
  lease: StoredLease | null;
}

/** A driver that keeps everything in one JSON file. It is slow, and for one process. */
export function jsonFileDriver(path: string): StoreDriver {
  const empty: Contents = { threads: [], runs: [], marks: [], lastFence: 0 };
  const kept: Contents = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : empty;
  const find = (id: string) => kept.threads.find(({ record }) => record.id === id);

  function save(): void {
    writeFileSync(`${path}.new`, JSON.stringify(kept));
    renameSync(`${path}.new`, path);
  }

  function below(id: string): Thread[] {
    const children = kept.threads.filter(({ record }) => record.parentId === id);
    return children.flatMap((child) => [child, ...below(child.record.id)]);
  }

  return {
    createThread(record) {
      if (find(record.id)) return false;
      const nothing = { messages: [], calls: [], queue: [], values: [], files: [], lease: null };
      kept.threads.push({ record, ...nothing });
      save();
      return true;
    },
    getThread: (threadId) => find(threadId)?.record ?? null,
    listThreads: (filter) =>
      pickThreads(
        kept.threads.map(({ record }) => record),
        filter,
      ),
    deleteThread(threadId, fence) {
      const thread = find(threadId);
      if (!thread) return false;
      const leased = ({ record, lease }: Thread) => ({ threadId: record.id, lease });
      const family = [thread, ...below(threadId)];
      checkRemoval(leased(thread), family.map(leased), fence);
      kept.threads = kept.threads.filter((one) => !family.includes(one));
      kept.runs = kept.runs.filter((run) => find(run.threadId));
      kept.marks = kept.marks.filter((mark) => find(mark.threadId));
      save();
      return true;
    },

    commit(threadId, fence, commit) {
      const thread = find(threadId);
      const { writes, answer } = settle({ threadId, fence }, thread && makeKnownThread(thread), commit);
      if (thread) write(thread, writes);
      kept.runs.push(...(writes.runs ?? []));
      kept.marks.push(...(writes.marks ?? []));
      save();
      return answer;
    },

    findMessage: (threadId, id) => find(threadId)?.messages.find((message) => message.id === id) ?? null,
    listMessages(threadId, range) {
      const { messages } = find(threadId) ?? { messages: [] };
      return pickMessages(messages, range, (id) => messages.findIndex((message) => message.id === id));
    },
    listToolCalls(threadId, filter) {
      const { calls, messages } = find(threadId) ?? { calls: [], messages: [] };
      const placeOf = (call: ToolCallRecord) => messages.findIndex(({ id }) => id === call.messageId);
      const sorted = [...calls].sort((a, b) => placeOf(a) - placeOf(b) || a.position - b.position);
      return pickCalls(sorted, filter);
    },
    listQueue: (threadId) => find(threadId)?.queue ?? [],
    listValues: (threadId, key) =>
      (find(threadId)?.values ?? []).filter((value) => key === undefined || value.key === key),
    listFiles: (threadId) => find(threadId)?.files ?? [],
    readFile(threadId, filePath) {
      const file = find(threadId)?.files.find((one) => one.path === filePath);
      if (!file) return null;
      const { base64, ...ref } = file;
      return { ...ref, data: Buffer.from(base64, 'base64') };
    },

    readLease: (threadId) => find(threadId)?.lease ?? null,
    changeLease(threadId, next) {
      const thread = find(threadId);
      const lease = next(thread?.lease);
      if (thread && lease) {
        thread.lease = { ...lease, fence: lease.fence ?? ++kept.lastFence };
        save();
      }
      return thread?.lease ?? null;
    },

    pageRuns: (page) => pickRuns(kept.runs, page),
    listMarks: (threadId, turnId) => pickMarks(kept.marks, threadId, turnId),
    pruneRuns(retention) {
      const before = kept.runs;
      kept.runs = keepRuns(before, retention);
      kept.marks = keepMarks(kept.marks, { before, kept: kept.runs }, retention);
      save();
      return before.length - kept.runs.length;
    },
    close() {},
  };
}

/** What `settle` asks of a thread. */
function makeKnownThread({ lease, messages, queue, values, files }: Thread): KnownThread {
  return {
    fence: lease?.fence ?? 0,
    roleOf: (id) => messages.find((message) => message.id === id)?.role,
    findMessage: (id) => messages.find((message) => message.id === id) ?? null,
    queued: (id) => queue.find((item) => item.id === id),
    valueOf: (key) => values.find((value) => value.key === key)?.value,
    hasFile: (path) => files.some((file) => file.path === path),
  };
}

/** Writes what `settle` made of a commit. */
function write(thread: Thread, writes: Writes): void {
  const { messages = [], replace, remove = [], dequeue = [], enqueue = [] } = writes;
  thread.messages.push(...messages);
  thread.messages = thread.messages.filter(({ id }) => !remove.includes(id));
  thread.messages = thread.messages.map((message) => (message.id === replace?.id ? replace : message));
  const calls = writes.toolCalls ?? [];
  const isSame = (a: ToolCallRecord, b: ToolCallRecord) =>
    a.messageId === b.messageId && a.position === b.position;
  thread.calls = thread.calls.filter(
    (old) => !remove.includes(old.messageId) && !calls.some((call) => isSame(call, old)),
  );
  thread.calls.push(...calls);
  thread.queue = thread.queue.filter(({ id }) => !dequeue.includes(id));
  thread.queue.push(...enqueue);
  for (const { key, value } of writes.values ?? []) {
    thread.values = thread.values.filter((old) => old.key !== key);
    if (value !== undefined) thread.values.push({ key, value });
  }
  for (const { data, ...ref } of writes.files ?? []) {
    thread.files = thread.files.filter(({ path }) => path !== ref.path);
    thread.files.push({ ...ref, base64: Buffer.from(data).toString('base64') });
  }
  thread.files = thread.files.filter(({ path }) => !writes.removeFiles?.includes(path));
  Object.assign(thread.record, writes.thread);
}
