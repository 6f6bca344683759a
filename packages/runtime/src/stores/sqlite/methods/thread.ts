import { threadExists } from '../../refusals.ts';
import type { Store } from '../../store.ts';
import type { OpenFile } from '../tables/tables.ts';
import { encodeThread } from '../tables/thread-row.ts';

type ThreadMethods = Pick<
  Store,
  | 'createThread'
  | 'getThread'
  | 'listThreads'
  | 'deleteThread'
  | 'acquireLease'
  | 'getLease'
  | 'renewLease'
  | 'releaseLease'
>;

/** The methods over threads as wholes, and their leases. */
export function threadMethods({ tables, commits }: OpenFile): ThreadMethods {
  const { threads, leases } = tables;
  const { write, read, erases } = commits;
  return {
    async createThread(thread) {
      const row = encodeThread(thread);
      await write(() => {
        if (!threads.insert(row)) throw threadExists(row.id);
      });
    },
    getThread: async (threadId) => read(() => threads.find(threadId)),
    listThreads: async (filter) => read(() => threads.list({ ...filter })),
    deleteThread: async (threadId, fence) =>
      write(() => {
        if (threads.keyOf(threadId) === undefined) return false;
        threads.writable(threadId, fence);
        leases.refuseOthers(threadId);
        threads.remove(threadId);
        erases();
        return true;
      }),

    acquireLease: async (request) => write(() => leases.acquire(request)),
    getLease: async (threadId) => read(() => leases.current(threadId)),
    renewLease: async (lease, ttlMs) => write(() => leases.renew(lease, ttlMs)),
    releaseLease: async (lease) => write(() => leases.release(lease)),
  };
}
