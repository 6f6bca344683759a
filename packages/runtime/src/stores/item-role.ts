import { itemIdTaken } from './refusals.ts';
import type { QueueItem } from './store.ts';

/** The role of the message that waits in the queue; `undefined` for what is no message. */
export function roleOfItem({ kind, payload: { role } }: QueueItem): string | undefined {
  return (kind === 'message' || kind === 'inject') && typeof role === 'string' ? role : undefined;
}

/** An item that is to wait, and the roles of what has its id: stored, and in the queue. */
interface KnownRoles {
  readonly threadId: string;
  readonly id: string;
  readonly role: string | undefined;
  readonly known: readonly (string | undefined)[];
}

/** @throws RunError `invalid_message` where an item has the id of a message with another role: it cannot be the same one again. */
export function refuseOtherRole({ threadId, id, role, known }: KnownRoles): void {
  if (role === undefined) return;
  if (known.some((other) => other !== undefined && other !== role)) throw itemIdTaken(threadId, id);
}
