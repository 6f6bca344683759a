import { type NewMessage, RunError } from '@spec/hooks';
import { checkName } from '../given.ts';
import type { QueueItem, StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { refuseDerivedId } from '../thread/ids.ts';
import { findWritten, noteWriter } from './own-ids.ts';
import { readQueuedMessage } from './queued-items.ts';

/** An id that a caller or hook chose is that of one message, from the moment when the message is stored or waits. */

/** A message that has the id of another one. */
interface KnownMessage {
  readonly message: StoredMessage;
  /** What it waits for: the next step, or the results of a batch; `undefined` if it is stored. */
  readonly waitsAs: QueueItem['kind'] | undefined;
}

/** Finds the message with an id. The queue is read first, since a message that leaves it meanwhile is then stored. */
export async function findById(
  { store, id: threadId }: ThreadCore,
  id: string,
): Promise<KnownMessage | undefined> {
  const waiting = (await store.listQueue(threadId)).find((item) => item.id === id && item.kind !== 'stop');
  if (waiting !== undefined) return { message: readQueuedMessage(waiting), waitsAs: waiting.kind };
  const message = await store.getMessage(threadId, id);
  return message === null ? undefined : { message, waitsAs: undefined };
}

/**
 * Finds the message that a caller writes again under the same id; `'deleted'` if a hook or tool that runs again had written it and it was
 * deleted since.
 *
 * @throws {RunError} `invalid_message` if it has another role
 */
export async function findSame(
  view: ThreadView,
  draft: NewMessage,
): Promise<KnownMessage | 'deleted' | undefined> {
  const { core } = view;
  const { id } = draft;
  if (id === undefined) return undefined;
  checkName('id of a message', id, 'invalid_message');
  refuseDerivedId(id, core.id);
  const count = noteWriter(view, id);
  const role = count === 0 ? undefined : await findWritten(view, id, count);
  const known = await findById(core, id);
  const first = role ?? known?.message.role;
  if (first !== undefined) refuseOtherRole(core, { id, role: first }, draft);
  return role === undefined ? known : (known ?? 'deleted');
}

/** @throws {RunError} `invalid_message` if a message has the id of another one and another role */
function refuseOtherRole(
  core: ThreadCore,
  { id, role }: { readonly id: string; readonly role: string },
  other: NewMessage,
): void {
  if (role === other.role) return;
  const message = `The id ${id} is that of a message with the role ${role}: give this one another.`;
  throw new RunError('invalid_message', message, { threadId: core.id });
}
