import { itemIdTaken } from './refusals.ts';
import type { QueueItem } from './store.ts';

/** The role of a message that waits in the queue; `undefined` for other items. */
export function readRoleOfItem({ kind, payload: { role } }: QueueItem): string | undefined {
  return (kind === 'message' || kind === 'inject') && typeof role === 'string' ? role : undefined;
}

/** An item for the queue, and the roles of a stored message and a waiting item with its id. */
interface KnownRoles {
  readonly threadId: string;
  readonly id: string;
  readonly role: string | undefined;
  readonly known: readonly (string | undefined)[];
}

/** @throws RunError `invalid_message` if an item has the id of a message with another role: then they cannot be the same message. */
export function refuseOtherRole({ threadId, id, role, known }: KnownRoles): void {
  if (role === undefined) return;
  if (known.some((other) => other !== undefined && other !== role)) throw itemIdTaken(threadId, id);
}
