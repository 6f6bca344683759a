import { threadExists } from '../refusals.ts';
import type { Store } from '../store.ts';
import { copyRecord } from './copies.ts';
import type { OpenedDriver } from './opened.ts';

type ThreadMethods = Pick<Store, 'createThread' | 'getThread' | 'listThreads' | 'deleteThread'>;

/** The methods over threads as wholes. */
export function threadMethods({ ask, whole, driver }: OpenedDriver): ThreadMethods {
  const copy = <T>(value: T): T => (driver.answersAreCopies ? value : structuredClone(value));
  return {
    async createThread(thread) {
      const record = copyRecord(thread);
      if (!(await ask(record.id, (use) => use.createThread(record)))) throw threadExists(record.id);
    },
    getThread: async (threadId) => copy(await ask(threadId, (use) => use.getThread(threadId))),
    listThreads: async (filter) => copy([...(await whole().listThreads({ ...filter }))]),
    deleteThread: async (threadId, fence) => ask(threadId, (use) => use.deleteThread(threadId, fence)),
  };
}
