import type { Store } from '@spec/runtime';

/** A store as one process has it: when that dies, it asks nothing any more, and nothing that it asked is answered. */
export interface DyingStore {
  readonly store: Store;
  die(): void;
}

/** The store below stays open: other processes are on it. */
export function dyingStore(below: Store): DyingStore {
  let isDead = false;
  const answerTheLiving = async (run: () => Promise<unknown>): Promise<unknown> => {
    if (isDead) return new Promise(() => {});
    const answer = await run();
    return isDead ? new Promise(() => {}) : answer;
  };
  const store = new Proxy(below, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (name === 'close') return async () => {};
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => answerTheLiving(async () => method.apply(target, args));
    },
  });
  return {
    store,
    die() {
      isDead = true;
    },
  };
}

/** Frees a thread and the threads below it, as the end of a dead process's leases does in time. */
export async function freeThread(store: Store, threadId: string): Promise<void> {
  const lease = await store.getLease(threadId);
  if (lease !== null) await store.releaseLease(lease);
  for (const { id } of await store.listThreads({ parentId: threadId })) await freeThread(store, id);
}
