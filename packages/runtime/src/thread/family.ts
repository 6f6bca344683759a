import { EventHub } from '../events/hub.ts';
import type { ThreadRecord } from '../stores/store.ts';
import type { RuntimeCore, ThreadCore } from './core.ts';
import { ThreadSession } from './session.ts';

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

/** The session of a thread, which finds those of the open threads above it. */
export function createSession(runtime: RuntimeCore, { parentId }: ThreadRecord): ThreadSession {
  return parentId === null ? new ThreadSession() : new ThreadSession((id) => runtime.find(id)?.session);
}

/** The listeners of a thread, which tell those of the thread above. */
export function createHub(runtime: RuntimeCore, { id, parentId }: ThreadRecord): EventHub {
  return parentId === null ? new EventHub(id) : new EventHub(id, () => runtime.find(parentId)?.events);
}
