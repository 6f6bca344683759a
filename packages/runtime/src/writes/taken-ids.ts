import { type NewMessage, RunError } from '@spec/hooks';
import { checkName } from '../given.ts';
import type { QueueItem, StoredMessage } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { refuseDerivedId } from '../thread/ids.ts';

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
  if (waiting !== undefined) return { message: waiting.payload as StoredMessage, waitsAs: waiting.kind };
  const message = await store.getMessage(threadId, id);
  return message === null ? undefined : { message, waitsAs: undefined };
}

/**
 * Finds the message that a caller sends again under the same id.
 *
 * @throws {RunError} `invalid_message` if it has another role
 */
export async function findSame(core: ThreadCore, draft: NewMessage): Promise<KnownMessage | undefined> {
  const { id } = draft;
  if (id === undefined) return undefined;
  checkName('id of a message', id, 'invalid_message');
  refuseDerivedId(id, core.id);
  const known = await findById(core, id);
  if (known !== undefined) refuseOtherRole(core, known.message, draft);
  return known;
}

/** @throws {RunError} `invalid_message` if a message has the id of another one and another role */
function refuseOtherRole(core: ThreadCore, { id, role }: StoredMessage, other: NewMessage): void {
  if (role === other.role) return;
  const message = `The id ${id} is that of a message with the role ${role}: give this one another.`;
  throw new RunError('invalid_message', message, { threadId: core.id });
}
