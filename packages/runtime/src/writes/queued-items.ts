import type { QueueItem, StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';

/** Under which a message that waits under an id of its writer's own says where it was queued; it is not stored with the message. */
const FROM = 'runtime/queued-from';

/** Makes a message the item that waits for the next step. */
export function makeItem({ place }: ThreadView, message: StoredMessage): QueueItem {
  const { id } = message;
  const isOfPlace = place === undefined || id.startsWith(`${place.id}.`);
  return { id, kind: 'message', payload: isOfPlace ? message : { ...message, [FROM]: place.id } };
}

/** Puts something into the thread's queue. */
export async function post(view: ThreadView, write: string, item: QueueItem): Promise<void> {
  const { core } = view;
  core.refuseMessages();
  view.assertOpen(write);
  const runs = core.runs.take();
  await core.store.post(core.id, item, runs).catch((error: unknown) => {
    if (runs !== undefined) core.runs.takeBack(runs);
    throw error;
  });
  if (core.turns.running !== undefined) core.turns.running.isQueueEmpty = false;
}

/** The message that waits. */
export function readQueuedMessage({ payload }: QueueItem): StoredMessage {
  const { [FROM]: _, ...message } = payload;
  return message as StoredMessage;
}

/** The place that an item was queued from, or its id, which begins with that. */
export function queuedFrom({ id, payload }: QueueItem): string {
  const place = payload[FROM];
  return typeof place === 'string' ? place : id;
}
