import type { ThreadRecord } from '../stores/store.ts';
import type { ThreadCore } from './core.ts';

/** A child of a thread, opened if necessary; `null` if there is none. Another thread's child is not opened. */
export async function reachChild(
  { id, runtime, store }: ThreadCore,
  childId: string,
): Promise<ThreadCore | null> {
  const record = runtime.find(childId)?.record ?? (await store.getThread(childId));
  return record?.parentId === id ? runtime.reach(childId) : null;
}

/** Whether a thread is over for good, or one above it is: no call of it may run. */
export async function isTerminated({ record, runtime, store }: ThreadCore): Promise<boolean> {
  for (let at: ThreadRecord | null = record; at !== null; ) {
    if (at.terminated !== null) return true;
    if (at.parentId === null) return false;
    at = runtime.find(at.parentId)?.record ?? (await store.getThread(at.parentId));
  }
  return false;
}

/** Ends the turns that run in the threads below a thread, each after its step. */
export function stopBelow({ children, runtime }: ThreadCore): void {
  for (const id of children) {
    const child = runtime.find(id);
    if (child === undefined) continue;
    child.turns.running?.stop();
    stopBelow(child);
  }
}
