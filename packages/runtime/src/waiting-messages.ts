import type { NewMessage } from '@spec/hooks';
import { idPart } from './ids.ts';
import type { StoredMessage } from './store.ts';
import { copyMessage } from './stores/message-fields.ts';
import type { ThreadView } from './thread-core.ts';
import { completeMessage, storeMessage } from './writes.ts';

/**
 * Stores a message that waited in the queue under the id of its item, which leaves the queue with it. One that cannot be stored
 * is dropped, so that the turn goes on; an error row tells of it.
 *
 * @returns what was stored
 */
export async function storeWaiting(
  view: ThreadView,
  id: string,
  message: StoredMessage,
): Promise<StoredMessage> {
  const stored = isStorable(message, view.core.id) ? message : errorRowOf(view, id);
  await storeMessage(view, stored, { dequeue: [id] });
  return stored;
}

function isStorable(message: StoredMessage, threadId: string): boolean {
  try {
    copyMessage(message, threadId);
    return true;
  } catch {
    return false;
  }
}

function errorRowOf(view: ThreadView, id: string): StoredMessage {
  const error_code = 'invalid_message';
  const content = `A message that waited in the queue was dropped, because it cannot be stored: ${error_code}.`;
  const draft: NewMessage = { role: 'assistant', content, error_code };
  return completeMessage(draft, view.flow.idOf(`dropped.${idPart(id)}`), view);
}
