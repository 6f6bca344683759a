import type { Lease } from '../../src/stores/store.ts';
import { any, type Fault } from './fault.ts';

/** Faults in what happens to threads, their inbox, leases, values and ledger. */
export const threadFaults: readonly Fault[] = [
  {
    fault: 'two owners get the lease',
    noticed: 'one owner has the lease at a time',
    broken: (good) => ({ acquireLease: (request) => good.acquireLease({ ...request, owner: 'everybody' }) }),
  },
  {
    fault: 'a lease that lives is not taken over',
    noticed: 'a live lease is taken over where the owner asks for it',
    broken: (good) => ({
      async takeOver(request, query) {
        const lease = (await good.getLease(request.threadId)) ?? (await good.acquireLease(request));
        const head = await good.readHead(request.threadId, query);
        if (head === null) throw new Error('none');
        return { lease, head };
      },
    }),
  },
  {
    fault: 'the children of a thread that is taken over are forgotten',
    noticed: 'a thread that is taken over, or read, comes with its children and what is asked for',
    broken: (good) => ({
      async takeOver(request, query) {
        const taken = await good.takeOver(request, query);
        return { ...taken, head: { ...taken.head, children: [] } };
      },
    }),
  },
  {
    fault: 'a thread is read before it is taken over',
    noticed: 'what was written before a thread is taken over is in its head, and what comes later is refused',
    broken: (good) => ({
      async takeOver(request, query) {
        const head = await good.readHead(request.threadId, query);
        const taken = await good.takeOver(request, query);
        return { ...taken, head: head ?? taken.head };
      },
    }),
  },
  {
    fault: 'a lease cannot be released',
    noticed: 'a released lease can be had at once, with a higher fence',
    broken: () => ({ releaseLease: async () => {} }),
  },
  {
    fault: 'a lease that ran out is given as one that lives',
    noticed: 'the lease that lives can be read, with its length',
    broken(good) {
      let last: Lease | null = null;
      return {
        acquireLease: async (request) => (last = await good.acquireLease(request)),
        getLease: async (threadId) => (await good.getLease(threadId)) ?? last,
      };
    },
  },
  {
    fault: 'the length of a lease is not kept',
    noticed: 'the lease that lives can be read, with its length',
    broken: (good) => ({
      async getLease(threadId) {
        const lease = await good.getLease(threadId);
        return lease && { ...lease, ttlMs: 1 };
      },
    }),
  },
  {
    fault: 'a lease does not tell for which turn it is',
    noticed: 'a lease tells the turn that it was taken for last',
    broken: (good) => ({
      acquireLease: ({ turnId: _, ...request }) => good.acquireLease(request),
    }),
  },
  {
    fault: 'a thread is deleted whoever works below it',
    noticed: 'a thread is not deleted while another owner has a lease on one below it',
    broken: (good) => ({
      async deleteThread(threadId, fence) {
        const children = await good.listThreads({ parentId: threadId });
        for (const { id } of children) await good.deleteThread(id, any).catch(() => {});
        return good.deleteThread(threadId, fence).catch(() => true);
      },
    }),
  },
  {
    fault: 'child threads stay when their parent is deleted',
    noticed: 'deleting a thread removes all that belongs to it, its child threads too',
    broken: (good) => ({
      async deleteThread(threadId, fence) {
        const children = await good.listThreads({ parentId: threadId });
        const deleted = await good.deleteThread(threadId, fence);
        for (const child of children) await good.createThread(child);
        return deleted;
      },
    }),
  },
  {
    fault: 'the ledger is limited from its start',
    noticed: 'runs are listed in the order of their commits, filtered and limited',
    broken: (good) => ({
      listRuns: async ({ limit, ...filter } = {}) => (await good.listRuns(filter)).slice(0, limit),
    }),
  },
  {
    fault: 'a closed store still answers',
    noticed: 'after close every call is refused with closed',
    broken: (good) => ({ close: async () => {}, getThread: (threadId) => good.getThread(threadId) }),
  },
  {
    fault: 'posting needs the lease',
    noticed: 'an item can be posted without a fence, whoever has the lease',
    broken: (good) => ({
      post: async (threadId, item) => void (await good.append(threadId, 0, { enqueue: [item] })),
    }),
  },
  {
    fault: 'an append says that nothing waits',
    noticed: 'an append tells nothing about the queue, or what is true',
    broken: (good) => ({
      append: async (...append) => {
        await good.append(...append);
        return { waiting: false };
      },
    }),
  },
  {
    fault: 'a message that is stored can be posted again',
    noticed: 'posting what is queued or stored already changes nothing',
    broken: (good) => ({
      post: async (threadId, item) => void (await good.append(threadId, any, { enqueue: [item] })),
    }),
  },
  {
    fault: 'posting twice replaces what was posted first',
    noticed: 'posting what is queued or stored already changes nothing',
    broken: (good) => ({
      async post(threadId, item) {
        await good.append(threadId, any, { dequeue: [item.id] });
        await good.post(threadId, item);
      },
    }),
  },
  {
    fault: 'posting to no thread does nothing',
    noticed: 'what cannot be posted is refused',
    broken: (good) => ({
      async post(threadId, item) {
        if (await good.getThread(threadId)) await good.post(threadId, item);
      },
    }),
  },
  {
    fault: 'values are set whatever is there',
    noticed: 'values are set together without a fence where one of them is as it was read, else none is',
    broken: (good) => ({
      async setValuesIf(threadId, _expected, values) {
        await good.append(threadId, any, { values });
        return true;
      },
    }),
  },
  {
    fault: 'the expected value is compared before the commit',
    noticed: 'of writers that set a value at once where it is as they read it, one does',
    broken: (good) => ({
      async setValuesIf(threadId, { key, value }, values) {
        const there = await good.getValue(threadId, key);
        if (JSON.stringify(there) !== JSON.stringify(value)) return false;
        await good.append(threadId, any, { values });
        return true;
      },
    }),
  },
  {
    fault: 'values are set one by one',
    noticed: 'what cannot be set together is refused as a whole',
    broken: (good) => ({
      async setValuesIf(threadId, expected, values) {
        const isSame = await good.setValuesIf(threadId, expected, []);
        if (isSame) for (const value of values) await good.setValue(threadId, any, value);
        return isSame;
      },
    }),
  },
  {
    fault: 'values of an append are set in a commit of their own',
    noticed: 'values of an append are set and removed in its commit, also when it is repeated',
    broken: (good) => ({
      async append(threadId, fence, { values = [], ...append }) {
        for (const value of values) await good.setValue(threadId, fence, value);
        await good.append(threadId, fence, append);
      },
    }),
  },
  {
    fault: 'values of a repeated append are left out',
    noticed: 'values of an append are set and removed in its commit, also when it is repeated',
    broken: (good) => ({
      async append(threadId, fence, { values = [], ...append }) {
        const [first] = append.messages ?? [];
        const known = first && (await good.getMessage(threadId, first.id));
        await good.append(threadId, fence, known ? append : { ...append, values });
      },
    }),
  },
  {
    fault: 'values are listed in the order in which they were set',
    noticed: 'values are JSON, by thread and key',
    broken: (good) => ({ listValues: async (threadId) => (await good.listValues(threadId)).reverse() }),
  },
  {
    fault: 'an unknown after lists everything',
    noticed: 'after starts a window behind a message',
    broken: (good) => ({
      async listMessages(threadId, { after, ...query } = {}) {
        const known = after !== undefined && (await good.getMessage(threadId, after));
        return good.listMessages(threadId, known ? { ...query, after } : query);
      },
    }),
  },
  {
    fault: 'after and last count from the message',
    noticed: 'after starts a window behind a message',
    broken: (good) => ({
      listMessages: (threadId, { last, ...query } = {}) =>
        good.listMessages(
          threadId,
          last !== undefined && query.after
            ? { ...query, first: last }
            : { ...query, ...(last !== undefined && { last }) },
        ),
    }),
  },
  {
    fault: 'tool calls of all messages are listed for one',
    noticed: 'tool calls are kept by message and position, and change their status',
    broken: (good) => ({
      listToolCalls: (threadId, { status } = {}) => good.listToolCalls(threadId, status ? { status } : {}),
    }),
  },
  {
    fault: 'a compaction is forgotten',
    noticed: 'an append changes the fields of the thread that it names, and no others',
    broken: (good) => ({
      async getThread(threadId) {
        const thread = await good.getThread(threadId);
        return thread && { ...thread, compaction: null };
      },
    }),
  },
  {
    fault: 'interrupted threads are listed without their children',
    noticed: 'threads with a turn under way can be listed',
    broken: (good) => ({
      listThreads: (filter = {}) =>
        good.listThreads(filter.interrupted ? { parentId: null, ...filter } : filter),
    }),
  },
  {
    fault: 'until takes in its own moment',
    noticed: 'runs can be asked for by turn and by time',
    broken: (good) => ({
      listRuns: (filter = {}) =>
        good.listRuns(filter.until === undefined ? filter : { ...filter, until: filter.until + 1 }),
    }),
  },
  {
    fault: 'runs outside of turns are left out of all turns',
    noticed: 'runs can be asked for by turn and by time',
    broken: (good) => ({
      listRuns: async ({ turnId, ...filter } = {}) =>
        good.listRuns(turnId === null || turnId === undefined ? filter : { ...filter, turnId }),
    }),
  },
  {
    fault: 'the last page of the ledger is lost',
    noticed: 'the ledger of a thread can be read in pages',
    broken: (good) => ({
      async pageRuns(threadId, page) {
        const { runs, next } = await good.pageRuns(threadId, page);
        return { runs: next === null && page.from !== undefined ? [] : runs, next };
      },
    }),
  },
  {
    fault: 'pruning by size removes the newest runs',
    noticed: 'old runs can be removed, by time and by size',
    broken: (good) => ({
      async pruneRuns(retention) {
        const before = await good.listRuns();
        const pruned = await good.pruneRuns(retention);
        if (retention.keepBytes === undefined || pruned === 0) return pruned;
        await good.pruneRuns({ keepBytes: 0 });
        for (const run of before.slice(0, -pruned)) await good.append(run.threadId, any, { runs: [run] });
        return pruned;
      },
    }),
  },
  {
    fault: 'pruning by time removes whole steps',
    noticed: 'old runs can be removed, by time and by size',
    broken: (good) => ({
      pruneRuns: ({ before, ...rest }) => good.pruneRuns({ ...rest, ...(before && { before: before + 1 }) }),
    }),
  },
  {
    fault: 'a posted item is not copied',
    noticed: 'what goes in and what comes out are copies',
    broken: (good) => ({
      async post(threadId, item) {
        await Promise.resolve();
        return good.post(threadId, item);
      },
    }),
  },
];
