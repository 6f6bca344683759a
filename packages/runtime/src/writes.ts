import { type HookMessage, type NewMessage, RunError } from '@spec/hooks';
import type { Append, StoredMessage, ToolCallRecord } from './store.ts';
import type { ThreadCore } from './thread-core.ts';
import type { ThreadView } from './thread-view.ts';
import { nowInMicros } from './time.ts';

/**
 * The only functions that write messages. Whatever a message is and whoever sends it, it passes its chain here
 * (design §7.1): first the chain, then one short commit, then the chain of what happened (C7).
 */

/** What a commit takes along with its message. */
export interface Along {
  readonly toolCalls?: readonly ToolCallRecord[];
  readonly dequeue?: readonly string[];
}

/** Stores a message now. A message whose id the thread has already is not stored again; the one that is there comes back. */
export async function insertMessage(view: ThreadView, draft: NewMessage, along?: (message: StoredMessage) => Along): Promise<StoredMessage> {
  if (draft.id !== undefined) {
    const there = await view.core.store.getMessage(view.core.id, draft.id);
    if (there !== null) return there;
  }
  const message = await prepareMessage(view, draft);
  await commitMessage(view, message, along?.(message));
  return message;
}

/** Sends a draft through `before_create_message`. What comes back may be kept anywhere (design §7.4). */
export async function prepareMessage(view: ThreadView, draft: NewMessage): Promise<StoredMessage> {
  const { core } = view;
  core.refuseClosed();
  const complete = withIdAndTime(draft, core);
  const returned = await core.runtime.executor.run('before_create_message', core.scope, view, complete);
  if (returned === complete) return complete;
  const message = { ...returned, ...missingFrom(returned, complete) } as StoredMessage;
  if (message.id !== complete.id) await refuseTakenId(core, message.id);
  return message;
}

/** Stores a prepared message, and tells `after_create_message`. */
export async function commitMessage(view: ThreadView, message: StoredMessage, along?: Along): Promise<void> {
  const { core } = view;
  const held = core.fence();
  const fence = typeof held === 'number' ? held : await held;
  view.permit?.assertOpen('injectMessage');
  await core.store.append(core.id, fence, commitOf(core, message, along));
  if (core.events.hasListeners) core.events.emit({ type: 'message', message });
  await core.runtime.executor.run('after_create_message', core.scope, view, message);
}

/** Changes fields of a stored message, through `before_update_message`. @throws {RunError} `not_found`, `invalid_message` */
export async function updateMessage(view: ThreadView, id: string, updates: Record<string, unknown>): Promise<HookMessage> {
  const { core } = view;
  core.refuseClosed();
  const { executor } = core.runtime;
  if ((await core.store.getMessage(core.id, id)) === null) throw noSuchMessage(core, id);
  const fields = await executor.run('before_update_message', core.scope, view, id, updates);
  if ('id' in fields && fields.id !== id) {
    throw new RunError('invalid_message', `The id of message ${id} cannot be changed.`, { threadId: core.id });
  }
  const fence = await core.fence();
  view.permit?.assertOpen('updateMessage');
  const message = await core.store.updateMessage(core.id, fence, { id, fields });
  if (message === null) throw noSuchMessage(core, id);
  if (core.events.hasListeners) core.events.emit({ type: 'message_updated', message });
  await executor.run('after_update_message', core.scope, view, message);
  return message;
}

export async function deleteMessage(view: ThreadView, id: string): Promise<boolean> {
  const fence = await view.core.fence();
  view.permit?.assertOpen('deleteMessage');
  return view.core.store.deleteMessage(view.core.id, fence, id);
}

/** Stores a message at the next moment when the history stays valid: now, or when the running batch has all its results. */
export async function injectMessage(view: ThreadView, draft: NewMessage): Promise<StoredMessage> {
  if (view.core.batch === undefined) return insertMessage(view, draft);
  const message = await prepareMessage(view, draft);
  const { batch } = view.core;
  if (batch === undefined) {
    await commitMessage(view, message);
    return message;
  }
  await enqueue(view, message);
  batch.waiting.push(message);
  return message;
}

/** Keeps a message for the start of the next step. */
export async function queueMessage(view: ThreadView, draft: NewMessage): Promise<void> {
  await enqueue(view, await prepareMessage(view, draft));
}

async function enqueue(view: ThreadView, message: StoredMessage): Promise<void> {
  const { core } = view;
  const fence = await core.fence();
  view.permit?.assertOpen('queueMessage');
  await core.store.append(core.id, fence, { enqueue: [{ id: message.id, kind: 'message', payload: message }] });
}

function withIdAndTime(draft: NewMessage, { record }: ThreadCore): StoredMessage {
  const message = { id: draft.id ?? crypto.randomUUID(), ...draft, created_at: draft.created_at ?? nowInMicros() } as StoredMessage;
  if (record.depth > 0) message.depth ??= record.depth;
  return message;
}

/** A hook may return a message without what the runtime gave it; an identity is never lost. */
function missingFrom(returned: Record<string, unknown>, complete: StoredMessage): Partial<StoredMessage> {
  return {
    id: (returned.id as string | undefined) ?? complete.id,
    created_at: typeof returned.created_at === 'number' ? returned.created_at : complete.created_at,
  };
}

async function refuseTakenId(core: ThreadCore, id: string): Promise<void> {
  if ((await core.store.getMessage(core.id, id)) === null) return;
  throw new RunError('invalid_message', `A hook gave a new message the id ${id}, which another message of the thread has.`, { threadId: core.id });
}

function commitOf(core: ThreadCore, message: StoredMessage, along: Along | undefined): Append {
  const runs = core.takeRuns();
  return runs === undefined ? { messages: [message], ...along } : { messages: [message], runs, ...along };
}

function noSuchMessage(core: ThreadCore, id: string): RunError {
  return new RunError('not_found', `Thread ${core.id} has no message ${id}.`, { threadId: core.id });
}
