import { EventHub } from '../events/hub.ts';
import type { ThreadRecord } from '../stores/store.ts';
import { ThreadSession } from './session.ts';

/** Finds what an open thread has that those below it look for. */
interface OpenOnes {
  find(threadId: string): { readonly session: ThreadSession; readonly events: EventHub } | undefined;
}

/** The session of a thread, which finds those of the open threads above it. */
export function createSession(open: OpenOnes, { parentId }: ThreadRecord): ThreadSession {
  return parentId === null ? new ThreadSession() : new ThreadSession((id) => open.find(id)?.session);
}

/** The listeners of a thread, which tell those of the thread above. */
export function createHub(open: OpenOnes, { id, parentId }: ThreadRecord): EventHub {
  return parentId === null ? new EventHub(id) : new EventHub(id, () => open.find(parentId)?.events);
}
