import { type NewMessage, RunError } from '@spec/hooks';
import { checkName } from '../given.ts';
import type { QueueItem, StoredMessage } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { refuseDerivedId } from '../thread/ids.ts';

/** An id that a caller or hook chose is that of one message, from the moment when the message is stored or waits. */

/** A message that has the id of another one. */
interface KnownMessage {
  readonly message: StoredMessage;
  /** As what it waits: for the next step, or for the results of a batch; `undefined` where it is stored. */
  readonly waitsAs: QueueItem['kind'] | undefined;
}

/** Who has an id. The queue is read first: what leaves it meanwhile is stored then. */
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
 * What is there under the id that a caller gave a message: the same message, sent again.
 *
 * @throws {RunError} `invalid_message` where it has another role
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

/** @throws {RunError} `invalid_message` where a message has the id of another one, and another role */
function refuseOtherRole(core: ThreadCore, { id, role }: StoredMessage, other: NewMessage): void {
  if (role === other.role) return;
  const message = `The id ${id} is that of a message with the role ${role}: give this one another.`;
  throw new RunError('invalid_message', message, { threadId: core.id });
}
