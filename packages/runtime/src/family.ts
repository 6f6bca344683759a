import type { ThreadCore } from './thread-core.ts';

/** A child of a thread, opened if need be; `null` where there is none. Another thread's child is not even opened. */
export async function reachChild(
  { id, runtime, store }: ThreadCore,
  childId: string,
): Promise<ThreadCore | null> {
  const record = runtime.find(childId)?.record ?? (await store.getThread(childId));
  return record?.parentId === id ? runtime.reach(childId) : null;
}
