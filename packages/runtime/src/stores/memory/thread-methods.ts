import { threadExists } from '../refusals.ts';
import type { Store, ThreadRecord } from '../store.ts';
import { acquire, current, refuseOthers, release, renew } from './leases.ts';
import { copyRecord, type Memory, type MemoryThread, open, readable, writable } from './thread.ts';

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
export function threadMethods(memory: Memory): ThreadMethods {
  return {
    async createThread(thread) {
      if (readable(memory, thread.id)) throw threadExists(thread.id);
      memory.threads.set(thread.id, newThread(thread));
    },
    async getThread(threadId) {
      const thread = readable(memory, threadId);
      return thread ? structuredClone(thread.record) : null;
    },
    async listThreads({ parentId, interrupted } = {}) {
      const records = [...open(memory).threads.values()].map((thread) => thread.record);
      const wanted = (record: ThreadRecord) =>
        (parentId === undefined || record.parentId === parentId) &&
        (interrupted === undefined || (record.turn !== null) === interrupted);
      return structuredClone(records.filter(wanted));
    },
    async deleteThread(threadId, fence) {
      if (!readable(memory, threadId)) return false;
      const thread = writable(memory, threadId, fence);
      refuseOthers(memory, thread, thread.lease?.owner ?? null);
      forget(memory, threadId);
      return true;
    },
    acquireLease: async (request) => acquire(open(memory), request),
    getLease: async (threadId) => current(readable(memory, threadId)),
    renewLease: async (lease, ttlMs) => renew(open(memory), lease, ttlMs),
    releaseLease: async (lease) => release(readable(memory, lease.threadId), lease),
  };
}

function newThread(thread: ThreadRecord): MemoryThread {
  return {
    record: copyRecord(thread),
    entries: [],
    byId: new Map(),
    lastSeq: 0,
    queue: new Map(),
    values: new Map(),
    files: new Map(),
    lease: null,
  };
}

/** Removes a thread and its child threads, with everything that is theirs. */
function forget(memory: Memory, threadId: string): void {
  memory.threads.delete(threadId);
  memory.runs = memory.runs.filter((run) => run.threadId !== threadId);
  for (const { record } of [...memory.threads.values()]) {
    if (record.parentId === threadId) forget(memory, record.id);
  }
}
