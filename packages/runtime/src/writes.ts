import { type HookMessage, type NewMessage, RunError } from '@spec/hooks';
import type { Append, StoredMessage } from './store.ts';
import { checkFieldName, checkMessage } from './stores/message-fields.ts';
import type { OpenBatch, ThreadCore } from './thread-core.ts';
import type { ThreadView } from './thread-view.ts';
import { nowInMicros } from './time.ts';

/**
 * The only functions that write messages. Whatever a message is and whoever sends it, it passes its chain here, once
 * (design §7.1): first the chain, then one short commit, then the chain of what happened (C7).
 */

/**
 * Runs one write under the thread's fence; for a hook or a tool only if it has not ended at this very instant (C5).
 *
 * @throws {RunError} `closed`, `late_write`, `thread_busy`
 */
export async function underFence<T>(
  view: ThreadView,
  write: string,
  run: (fence: number) => Promise<T>,
): Promise<T> {
  const { core } = view;
  core.refuseClosed();
  const fence = core.lease.fence ?? (await core.lease.take());
  view.assertOpen(write);
  try {
    return await run(fence);
  } catch (error) {
    core.lease.hear(error);
    throw error;
  }
}

/**
 * Begins the writing of a message: before any hook runs, the thread is this runtime's to write to, and takes messages.
 *
 * @throws {RunError} `closed`, `thread_busy`, `thread_terminated`
 */
export function admitMessages(core: ThreadCore): Promise<void> | undefined {
  core.refuseMessages();
  if (core.lease.fence !== undefined) return undefined;
  return core.lease.take().then(() => core.refuseMessages()); // Another writer may have terminated it.
}

/** One commit; it takes along the runs of hooks that were noted up to now, and gives them back where it fails. */
export function append(core: ThreadCore, fence: number, what: Append): Promise<void> {
  const runs = core.takeRuns();
  if (runs === undefined) return core.store.append(core.id, fence, what);
  return core.store.append(core.id, fence, { ...what, runs }).catch((error: unknown) => {
    core.returnRuns(runs);
    throw error;
  });
}

/** Writes the runs that no commit took along: those of `after_*` hooks. */
export async function flushRuns(core: ThreadCore): Promise<void> {
  if (core.hasRuns) await underFence(core.state, 'runs', (fence) => append(core, fence, {}));
}

/** Stores a message now. A message whose id the thread has already is not stored again; the one that is there comes back. */
export async function insertMessage(view: ThreadView, draft: NewMessage): Promise<StoredMessage> {
  const there = await storedAs(view, draft.id);
  if (there !== null) return there;
  const message = await prepareMessage(view, draft);
  await commitMessage(view, message);
  return message;
}

/** Sends a draft through `before_create_message`. What comes back may be kept anywhere (design §7.4). */
export function prepareMessage(view: ThreadView, draft: NewMessage): StoredMessage | Promise<StoredMessage> {
  const complete = withIdAndTime(draft, view.core);
  return view.core.scope.before_create_message === undefined ? complete : throughChain(view, complete);
}

async function throughChain(view: ThreadView, complete: StoredMessage): Promise<StoredMessage> {
  const { core } = view;
  checkMessage(complete, core.id);
  const returned = await core.runtime.executor.run('before_create_message', core.scope, view, complete);
  if (returned === complete) return complete;
  const message = { ...returned, ...missingFrom(returned, complete) } as StoredMessage;
  if (message.id !== complete.id) await refuseTakenId(core, message.id);
  return message;
}

/** Stores a prepared message with what goes along, and tells of it. */
export async function commitMessage(view: ThreadView, message: StoredMessage, along?: Append): Promise<void> {
  await storeMessage(view, message, along);
  await announceMessage(view, message);
}

/** Stores a prepared message with what goes along. */
export function storeMessage(view: ThreadView, message: StoredMessage, along?: Append): Promise<void> {
  return underFence(view, 'injectMessage', (fence) =>
    append(view.core, fence, { messages: [message], ...along }),
  );
}

/** Tells listeners and `after_create_message` of a message that was stored. */
export function announceMessage(view: ThreadView, message: StoredMessage): Promise<undefined> | undefined {
  const { core } = view;
  const { scope } = core;
  if (core.events.hasListeners) core.events.emit({ type: 'message', message: structuredClone(message) });
  if (scope.after_create_message === undefined) return undefined;
  return core.runtime.executor.run('after_create_message', scope, view, message) as Promise<undefined>;
}

/** Changes fields of a stored message, through `before_update_message`. @throws {RunError} `not_found`, `invalid_message` */
export async function updateMessage(
  view: ThreadView,
  id: string,
  updates: Record<string, unknown>,
): Promise<HookMessage> {
  const { core } = view;
  await admitMessages(core);
  const { executor } = core.runtime;
  if ((await core.store.getMessage(core.id, id)) === null) throw noSuchMessage(core, id);
  const fields = await executor.run('before_update_message', core.scope, view, id, { ...updates });
  if ('id' in fields && fields.id !== id) throw invalid(core, `The id of message ${id} cannot be changed.`);
  const message = await underFence(view, 'updateMessage', (fence) =>
    core.store.updateMessage(core.id, fence, { id, fields }),
  );
  if (message === null) throw noSuchMessage(core, id);
  if (core.events.hasListeners)
    core.events.emit({ type: 'message_updated', message: structuredClone(message) });
  await executor.run('after_update_message', core.scope, view, message);
  return message;
}

export function deleteMessage(view: ThreadView, id: string): Promise<boolean> {
  const { core } = view;
  return underFence(view, 'deleteMessage', (fence) => core.store.deleteMessage(core.id, fence, id));
}

/** Stores a message at the next moment when the history stays valid: now, or when the running batch has all its results. */
export async function injectMessage(view: ThreadView, draft: NewMessage): Promise<StoredMessage> {
  const { core } = view;
  // What has nothing to wait for is not waited for: without hooks a message costs its commit (C11).
  const admission = admitMessages(core);
  if (admission !== undefined) await admission;
  const there = draft.id === undefined ? null : await storedAs(view, draft.id);
  if (there !== null) return there;
  const prepared = prepareMessage(view, draft);
  const message = prepared instanceof Promise ? await prepared : prepared;
  let batch: OpenBatch | undefined;
  await underFence(view, 'injectMessage', (fence) => {
    batch = core.batch; // Asked in the instant of the commit: hooks and leases took their time before it.
    if (batch === undefined) return append(core, fence, { messages: [message] });
    batch.waiting.push(message);
    return append(core, fence, { enqueue: [{ id: message.id, kind: 'message', payload: message }] });
  });
  if (batch !== undefined) return message;
  const announced = announceMessage(view, message);
  if (announced !== undefined) await announced;
  return message;
}

/** Keeps a message for the start of the next step. One that is stored already is not kept again. */
export async function queueMessage(view: ThreadView, draft: NewMessage): Promise<void> {
  const { core } = view;
  await admitMessages(core);
  if ((await storedAs(view, draft.id)) !== null) return;
  const payload = await prepareMessage(view, draft);
  const enqueue = [{ id: payload.id, kind: 'message', payload }] as const;
  await underFence(view, 'queueMessage', (fence) => append(core, fence, { enqueue }));
}

function storedAs({ core }: ThreadView, id: string | undefined): Promise<StoredMessage | null> | null {
  return id === undefined ? null : core.store.getMessage(core.id, id);
}

/** Built field by field, so that all messages have one shape in memory: spread, each has its own, and all that reads them is slow. */
function withIdAndTime(draft: NewMessage, { record }: ThreadCore): StoredMessage {
  const { id = crypto.randomUUID(), role, content, created_at = nowInMicros() } = draft;
  const message = { id, role, content, created_at } as StoredMessage;
  for (const field in draft) {
    if (Object.hasOwn(message, field)) continue;
    checkFieldName(message, field, record.id);
    (message as Record<string, unknown>)[field] = draft[field];
  }
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
  throw invalid(core, `A hook gave a new message the id ${id}, which another message of the thread has.`);
}

function noSuchMessage(core: ThreadCore, id: string): RunError {
  return new RunError('not_found', `Thread ${core.id} has no message ${id}.`, { threadId: core.id });
}

function invalid({ id: threadId }: ThreadCore, message: string): RunError {
  return new RunError('invalid_message', message, { threadId });
}
