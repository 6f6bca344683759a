import type { ThreadCore } from './thread-core.ts';

/** A child of a thread, opened if need be; `null` where there is none, or where it is another thread's. */
export async function reachChild({ id, runtime }: ThreadCore, childId: string): Promise<ThreadCore | null> {
  const child = await runtime.reach(childId);
  return child?.record.parentId === id ? child : null;
}
