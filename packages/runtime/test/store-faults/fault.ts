import type { Append, Store, StoredMessage } from '../../src/stores/store.ts';

/** A store with a fault: what it does otherwise than a good one, and a requirement that must notice. */
export interface Fault {
  fault: string;
  broken(good: Store): Partial<Store>;
  noticed: string;
}

export const any: number = Number.MAX_SAFE_INTEGER;

/** A store that changes each message on its way out. */
export const reading = (
  good: Store,
  change: (message: StoredMessage) => Record<string, unknown>,
): Partial<Store> => ({
  getMessage: async (...args) => {
    const message = await good.getMessage(...args);
    return message && (change(message) as StoredMessage);
  },
  listMessages: async (...args) => (await good.listMessages(...args)).map(change) as StoredMessage[],
});

/** A store that changes each append on its way in. */
export const appending = (good: Store, change: (append: Append) => Append): Partial<Store> => ({
  append: (threadId, fence, append) => good.append(threadId, fence, change(append)),
});
