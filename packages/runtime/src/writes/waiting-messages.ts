import { type NewMessage, RunError } from '@spec/hooks';
import { copyMessage } from '../stores/message-fields.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { idPart } from '../thread/ids.ts';
import { hasFiles, storeAttachments } from './attached-files.ts';
import { commit } from './commit.ts';
import { completeMessage, storeMessage } from './messages.ts';

/**
 * Stores a message that waited in the queue under the id of its item, which leaves the queue with it. One that is in the thread by
 * now only leaves the queue. If it cannot be stored, it is dropped with an error row, so that the turn goes on.
 *
 * @returns the stored message
 */
export async function storeWaiting(
  view: ThreadView,
  id: string,
  message: StoredMessage,
): Promise<StoredMessage | undefined> {
  const { core } = view;
  const existing = await core.store.getMessage(core.id, id);
  if (existing?.role === message.role) {
    await leaveQueue(view, id);
    return undefined;
  }
  const storable = existing === null && isStorable(message, core.id);
  const stored = (storable ? await withFiles(view, message) : undefined) ?? makeErrorRow(view, id);
  await storeMessage(view, stored, { dequeue: [id] });
  return stored;
}

export function leaveQueue(view: ThreadView, id: string): Promise<void> {
  return commit(view, 'leaveQueue', { dequeue: [id] });
}

function isStorable(message: StoredMessage, threadId: string): boolean {
  try {
    copyMessage(message, threadId);
    return true;
  } catch {
    return false;
  }
}

/** The message with its files stored; nothing where one of them cannot be. */
async function withFiles(view: ThreadView, message: StoredMessage): Promise<StoredMessage | undefined> {
  if (!hasFiles(message)) return message;
  try {
    return await storeAttachments(view, message);
  } catch (error) {
    if (error instanceof RunError && error.code === 'invalid_message') return undefined;
    throw error;
  }
}

function makeErrorRow(view: ThreadView, id: string): StoredMessage {
  const error_code = 'invalid_message';
  const content = `A message that waited in the queue was dropped, because it cannot be stored: ${error_code}.`;
  const draft: NewMessage = { role: 'assistant', content, error_code };
  return completeMessage(draft, view.flow.idOf(`dropped.${idPart(id)}`), view);
}
