// Methods: the driver's methods as statements, one transaction each. Only the SQLite store calls it; the rules are elsewhere.

import { checkRemoval, settle } from '../../derive/settle.ts';
import type { Commit, CommitAnswer, StoreDriver } from '../../driver.ts';
import { decodeMessage } from '../tables/message-row.ts';
import { type OpenFile, threadReader } from '../tables/tables.ts';
import { encodeThread } from '../tables/thread-row.ts';
import { pruning } from './pruning.ts';
import { ThreadRows } from './thread-rows.ts';

type Part<Method extends keyof StoreDriver> = Required<Pick<StoreDriver, Method>>;

/** The driver of an open file, without the methods for the file as a whole. */
export function rowsDriver(file: OpenFile): Omit<StoreDriver, 'backup'> {
  return {
    answersAreCopies: true,
    ...threadRows(file),
    ...leaseRows(file),
    ...messageRows(file),
    ...stateRows(file),
    ...ledgerRows(file),
    close: () => file.commits.close(),
  };
}

function threadRows({
  tables,
  commits,
}: OpenFile): Part<'createThread' | 'getThread' | 'listThreads' | 'deleteThread'> {
  const { threads, leases, ledger } = tables;
  const { write, read, erases } = commits;
  return {
    createThread: (thread) => write(() => threads.insert(encodeThread(thread))),
    getThread: (threadId) => read(() => threads.find(threadId)),
    listThreads: (filter) => read(() => threads.list(filter)),
    deleteThread: (threadId, fence) =>
      write(() => {
        if (threads.keyOf(threadId) === undefined) return false;
        const family = leases.ofFamily(threadId);
        const own = family.find((one) => one.threadId === threadId);
        checkRemoval(own ?? { threadId, lease: null }, family, fence);
        ledger.removeFamily(threadId);
        threads.remove(threadId);
        erases();
        return true;
      }),
  };
}

function leaseRows(file: OpenFile): Part<'readLease' | 'changeLease'> {
  const { threads, leases } = file.tables;
  const readOf = threadReader(file);
  return {
    readLease: (id) => readOf(id, null, (key) => leases.find({ key, id })),
    changeLease: (id, next) =>
      file.commits.write(() => {
        const key = threads.keyOf(id);
        const held = key === undefined ? undefined : leases.find({ key, id });
        const lease = next(held);
        return key === undefined || lease === null ? (held ?? null) : leases.put(key, lease);
      }),
  };
}

type MessageMethod =
  | 'commit'
  | 'findMessage'
  | 'listMessages'
  | 'countMessages'
  | 'listToolCalls'
  | 'listQueue';

function messageRows(file: OpenFile): Part<MessageMethod> {
  const { messages, calls, queue } = file.tables;
  const { write, read } = file.commits;
  const readOf = threadReader(file);
  return {
    commit: (threadId, fence, commit) => write(() => commitRows(file, { threadId, fence }, commit)),
    findMessage: (threadId, id) =>
      readOf(threadId, null, (thread) => {
        const row = messages.find(thread, id);
        return row ? decodeMessage(row, threadId) : null;
      }),
    listMessages: (threadId, { before, after, count, from }) =>
      readOf(threadId, [], (thread) => {
        const below =
          before === undefined ? Number.MAX_SAFE_INTEGER : messages.identifyPlace(thread, before)?.[0];
        const above = after === undefined ? 0 : messages.identifyPlace(thread, after)?.[0];
        if (below === undefined || above === undefined) return [];
        const rows = messages.list(thread, { count, from, above, below });
        return rows.map((row) => decodeMessage(row, threadId));
      }),
    countMessages: (threadId) => readOf(threadId, 0, (thread) => messages.count(thread)),
    listToolCalls: (id, filter) => readOf(id, [], (key) => calls.list({ key, id }, filter)),
    listQueue: (threadId) => read(() => queue.list(threadId)),
  };
}

/** Runs inside a transaction. */
function commitRows(
  { tables, commits }: OpenFile,
  at: { threadId: string; fence: number | null },
  commit: Commit,
): CommitAnswer {
  const [key, fence] = tables.threads.stateOf(at.threadId) ?? [];
  const thread =
    key === undefined
      ? undefined
      : new ThreadRows(tables, { key, id: at.threadId, fence: fence ?? 0 }, commit.toolCalls);
  const { writes, answer } = settle(at, thread, commit);
  if (thread === undefined || !answer.applied) return answer;
  const { keepsText } = thread.write(writes);
  if (commit.erases && !keepsText) commits.erases();
  // A look here saves a turn the one before each step, which would be a transaction of its own. Who only posts has no turn.
  return at.fence === null ? answer : { ...answer, waiting: tables.queue.holdsAny(thread.key) };
}

function stateRows(file: OpenFile): Part<'listValues' | 'listFiles' | 'readFile'> {
  const { values, files } = file.tables;
  const readOf = threadReader(file);
  return {
    listValues: (id, key) => readOf(id, [], (thread) => values.list({ key: thread, id }, key)),
    listFiles: (id) => readOf(id, [], (key) => files.list({ key, id })),
    readFile: (id, path) => readOf(id, null, (key) => files.get({ key, id }, path)),
  };
}

function ledgerRows(file: OpenFile): Part<'listRuns' | 'pageRuns' | 'listMarks' | 'pruneRuns'> {
  const { tables, commits } = file;
  const { threads, ledger, ledgerPages } = tables;
  const inThread = <R>(threadId: string | undefined, absent: R, work: (thread: number | undefined) => R) =>
    commits.read(() => {
      const thread = threadId === undefined ? undefined : threads.keyOf(threadId);
      return threadId !== undefined && thread === undefined ? absent : work(thread);
    });
  return {
    listRuns: (filter) => inThread(filter.threadId, [], (thread) => ledger.list(filter, thread)),
    pageRuns: ({ threadId, ...page }) =>
      inThread(threadId, { runs: [], next: null }, (thread) => ledgerPages.page(page, thread)),
    listMarks: (threadId, turnId) =>
      inThread(threadId, [], (thread) => ledger.listMarks(thread as number, turnId)),
    pruneRuns: pruning(commits, ledgerPages),
  };
}
