import { type NewMessage, type NewMessageOfParts, readGivenMessage } from '@spec/hooks';
import { checkFields, checkOptions } from '../given.ts';
import { copyGiven, copyMessage, refuseRuntimeFields } from '../stores/message-fields.ts';
import type { Append, StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { isThreadBusy } from '../thread/lease.ts';
import type { OpenBatch } from '../thread/open-batch.ts';
import { hasFiles, keepFilesInside, refuseLostFiles, storeAttachments } from './attached-files.ts';
import { commit } from './commit.ts';
import { keepReach, noteStored } from './far-writes.ts';
import { admitMessages, announceMessage, completeMessage, passCreateChain } from './messages.ts';
import { noteWriter } from './own-ids.ts';
import { makeItem, post } from './queued-items.ts';
import { settleRepeated } from './repeated-writes.ts';
import { findSame } from './taken-ids.ts';

/** Stores a message at the next moment when the history stays valid: now, or when the running batch has all its results. */
export async function injectMessage(
  view: ThreadView,
  given: NewMessage | NewMessageOfParts,
): Promise<StoredMessage> {
  const { core } = view;
  checkFields('A message', given);
  const draft = copyGiven(readGivenMessage(given), core.id);
  // Awaits only a promise: without hooks a message costs no more than its commit (C11, bench `inject-normal`).
  const admission = admitMessages(core);
  if (admission !== undefined && !(await isAdmitted(core, admission))) return leaveToTurn(view, draft);
  refuseRuntimeFields(draft, {}, core.id);
  const known = draft.id === undefined ? undefined : await findSame(view, draft);
  if (known === 'deleted') return completeMessage(draft, draft.id as string, view);
  if (known !== undefined && known.waitsAs !== 'message') return known.message; // One that was queued is stored now.
  if (hasFiles(draft)) await refuseLostFiles(view, draft, draft.id ?? 'that is injected');
  const prepared = passCreateChain(view, draft);
  let message = prepared instanceof Promise ? await prepared : prepared;
  let isThere = false;
  if (view.place?.mayRepeat) ({ message, isThere } = await settleRepeated(view, message, draft.id));
  if (message.id !== draft.id) noteWriter(view, message.id);
  if (isThere) return message;
  if (hasFiles(message)) message = await storeAttachments(view, message);
  const reaching = keepReach(view, message.id);
  if (reaching !== undefined) await reaching;
  let batch: OpenBatch | undefined;
  const keeping: Promise<void> = commit(view, 'injectMessage', () => {
    batch = core.batch;
    const dequeue = known === undefined ? {} : { dequeue: [known.message.id] }; // It takes the place of the one that was queued.
    if (batch === undefined) return { messages: [message], ...dequeue };
    const copy = copyMessage(message, core.id); // What cannot be stored is refused to its writer, who gets the other one.
    return { ...keepWaiting(batch, copy, () => keeping), ...dequeue };
  });
  await keeping;
  noteStored(view, message.id);
  if (batch !== undefined) return message;
  const announced = announceMessage(view, message);
  if (announced !== undefined) await announced;
  return message;
}

/** Whether the thread is this process's to write to. Where turns run elsewhere, a turn may have it; elsewhere than that it is an error. */
async function isAdmitted(core: ThreadCore, admission: Promise<void>): Promise<boolean> {
  try {
    await admission;
    return true;
  } catch (error) {
    if (core.engine.isRemote && isThreadBusy(error)) return false;
    throw error;
  }
}

/** A message that is injected while its thread is another process's: the turn there stores it at the start of its next step. */
async function leaveToTurn(view: ThreadView, draft: NewMessage): Promise<StoredMessage> {
  refuseRuntimeFields(draft, {}, view.core.id);
  if (hasFiles(draft)) await refuseLostFiles(view, draft, draft.id ?? 'that is injected');
  const message = await keepFilesInside(view, await passCreateChain(view, draft));
  await keepReach(view, message.id);
  await post(view, 'injectMessage', { id: message.id, kind: 'inject', payload: message });
  noteStored(view, message.id);
  return message;
}

/**
 * Keeps a message for the start of the next step. A message that is stored is not kept again. No lease is needed: the
 * thread's queue is open to every process (design §7.4).
 */
export async function queueMessage(
  view: ThreadView,
  given: NewMessage | NewMessageOfParts,
  options: { readonly wake?: boolean } = {},
): Promise<void> {
  const { core } = view;
  checkOptions('a queued message', options, { wake: true });
  checkFields('A message', given);
  const draft = copyGiven(readGivenMessage(given), core.id);
  core.refuseMessages();
  refuseRuntimeFields(draft, {}, core.id);
  const known = draft.id === undefined ? undefined : await findSame(view, draft);
  if (known === 'deleted') return;
  const waits = known === undefined ? await queueNew(view, draft) : known.waitsAs !== undefined;
  if (waits && options.wake !== false) core.wake();
}

/** @returns whether it is new, and not one that a writer repeats after a crash */
async function queueNew(view: ThreadView, draft: NewMessage): Promise<boolean> {
  if (hasFiles(draft)) await refuseLostFiles(view, draft, draft.id ?? 'that is queued');
  const prepared = await passCreateChain(view, draft);
  const { message: payload, isThere } = await settleRepeated(view, prepared, draft.id);
  if (payload.id !== draft.id) noteWriter(view, payload.id);
  if (isThere) return false;
  await keepFilesInside(view, payload);
  await keepReach(view, payload.id);
  await post(view, 'queueMessage', makeItem(view, payload));
  noteStored(view, payload.id);
  return true;
}

/**
 * Makes a message wait for the end of a batch. Returns the rows to commit for that.
 *
 * @param keeping gives that commit once it is under way
 */
function keepWaiting(batch: OpenBatch, message: StoredMessage, keeping: () => Promise<unknown>): Append {
  const isKept = Promise.resolve()
    .then(keeping)
    .then(
      () => true,
      () => false,
    );
  batch.waiting.push({ message, isKept });
  return { enqueue: [{ id: message.id, kind: 'inject', payload: message }] };
}
