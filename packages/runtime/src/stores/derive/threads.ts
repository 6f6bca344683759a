import { cloneJson } from '../json.ts';
import { threadExists } from '../refusals.ts';
import type { Store } from '../store.ts';
import { copyRecord } from './copies.ts';
import type { OpenedDriver } from './opened.ts';

type ThreadMethods = Pick<Store, 'createThread' | 'getThread' | 'listThreads' | 'deleteThread'>;

/** The methods over whole threads. */
export function threadMethods({ use, answersAreCopies }: OpenedDriver): ThreadMethods {
  return {
    async createThread(thread) {
      const record = copyRecord(thread);
      if (!(await use().createThread(record))) throw threadExists(record.id);
    },
    async getThread(threadId) {
      const record = await use().getThread(threadId);
      return record && !answersAreCopies ? cloneJson(record) : record;
    },
    async listThreads(filter) {
      const records = await use().listThreads({ ...filter });
      return answersAreCopies ? [...records] : records.map(cloneJson);
    },
    deleteThread: async (threadId, fence) => use().deleteThread(threadId, fence),
  };
}
