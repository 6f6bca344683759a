// Writes: every row of a thread is written here, after its chain and under the thread's fence. The rooms above call it; it never runs a hook inside a commit.

import { type NewMessage, RunError, type Scope } from '@spec/hooks';
import { isAborted } from '../aborted.ts';
import {
  addFields,
  checkMessage,
  checkStorable,
  refuseRuntimeFields,
  runtimeFields,
} from '../stores/message-fields.ts';
import type { Append, StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { isDerivedId, refuseDerivedId } from '../thread/ids.ts';
import { signMessage } from '../thread/sides.ts';
import { commit } from './commit.ts';
import { saidBy } from './first-versions.ts';
import { findById } from './taken-ids.ts';

/**
 * Whatever a message is and whoever sends it, it passes its chain here, once (design §7.1): first the chain, then one short commit, then
 * the chain of what happened (C7). What hooks, tools and the application give comes by way of `given-messages.ts`.
 */

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

/** Stores the message of a place in the turn. If the store has it, nothing is stored. */
export async function insertMessage(
  view: ThreadView,
  name: string,
  draft: NewMessage,
): Promise<StoredMessage> {
  const stored = await storedAt(view, name);
  if (stored !== undefined) return stored;
  const message = await view.step(name, async (at) => {
    const prepared = await passCreateChain(at, draft, view.flow.idOf(name));
    await storeMessage(at, prepared);
    return prepared;
  });
  await announceMessage(view, message, name);
  return message;
}

/** Finds the message of a place in the turn, if the turn got that far before its process died. */
export function storedAt(view: ThreadView, name: string): Promise<StoredMessage | undefined> | undefined {
  const { core, flow } = view;
  if (!flow.isRepeating) return undefined;
  return core.store.getMessage(core.id, flow.idOf(name)).then((message) => message ?? undefined);
}

/**
 * Sends a draft through `before_create_message`. The result may be kept anywhere (design §7.4).
 * An `id` given here belongs to the message, whatever the draft says.
 */
export function passCreateChain(
  view: ThreadView,
  draft: NewMessage,
  id: string = draft.id ?? view.nextId(),
): StoredMessage | Promise<StoredMessage> {
  const complete = completeMessage(draft, id, view);
  return view.core.scope.before_create_message === undefined ? complete : throughChain(view, complete);
}

async function throughChain(view: ThreadView, complete: StoredMessage): Promise<StoredMessage> {
  const { core } = view;
  checkStorable(complete, core.id); // What a caller gave is no hook's fault.
  const inner = view.about(complete.id);
  const scope = withoutFailed(core.scope, view.flow.failedBy);
  const returned = await core.runtime.executor.run('before_create_message', scope, inner, complete);
  if (returned === complete) return complete;
  refuseRuntimeFields(returned, complete, core.id);
  const message = withMissing(returned as StoredMessage, complete, core.id);
  checkMessage(message, core.id);
  if (message.id !== complete.id) await refuseId(view, complete.id, message);
  return message;
}

/** A hook that ended the turn by its failure is not asked again about the row that says so. */
function withoutFailed(scope: Scope, failedBy: string | undefined): Scope {
  if (failedBy === undefined) return scope;
  const chain = scope.before_create_message?.filter(({ hook }) => hook.id !== failedBy) ?? [];
  return { ...scope, before_create_message: chain };
}

/** Stores a prepared message with what goes along. */
export function storeMessage(view: ThreadView, message: StoredMessage, along?: Append): Promise<void> {
  const messages = [message];
  return commit(view, 'storeMessage', along === undefined ? { messages } : { messages, ...along });
}

/** Announces a stored message to listeners and `after_create_message`: what is stored is told, also where the turn was aborted as it was. */
export function announceMessage(
  view: ThreadView,
  message: StoredMessage,
  name?: string,
): Promise<undefined> | undefined {
  const { core } = view;
  const { scope } = core;
  if (core.events.hasListeners) core.events.emit({ type: 'message', message });
  if (scope.after_create_message === undefined) return undefined;
  const live = view.afterAbort();
  return live.step(`${name ?? view.flow.partOf(message.id)}.after`, (at) =>
    core.runtime.executor.run('after_create_message', scope, at.about(message.id), message),
  ) as Promise<undefined> | undefined;
}

/** Announces a stored message, and goes on if the turn is aborted meanwhile. */
export async function announceDespiteAbort(
  view: ThreadView,
  message: StoredMessage,
  name: string,
): Promise<void> {
  const announced = announceMessage(view, message, name);
  try {
    if (announced !== undefined) await announced;
  } catch (error) {
    if (!view.flow.isAborted || !isAborted(error)) throw error;
  }
}

/** A time may be given. The store checks it. */
type Draft = NewMessage & { readonly created_at?: number };

/** Makes the stored form of a draft without hooks: with its id, its time and what the thread adds. */
export function completeMessage(draft: NewMessage, id: string, { core, flow }: ThreadView): StoredMessage {
  const { record, agent } = core;
  const { role, content, created_at = flow.context.now() } = draft as Draft;
  const message = addFields({ id, role, content, created_at }, draft, record.id);
  if (record.depth > 0) message.depth ??= record.depth;
  if (agent.type === 'dual_ai') signMessage(message, agent, flow);
  return message;
}

/** Restores what a hook may drop from a message: its identity and the runtime's marks. */
function withMissing(returned: StoredMessage, complete: StoredMessage, threadId: string): StoredMessage {
  const { role, content } = returned;
  const id = returned.id ?? complete.id;
  const created_at = typeof returned.created_at === 'number' ? returned.created_at : complete.created_at;
  const message = addFields({ id, role, content, created_at }, returned, threadId);
  if (role === 'tool' && complete.tool_call_id != null) message.tool_call_id ??= complete.tool_call_id;
  for (const field of runtimeFields) if (field in complete) message[field] = complete[field];
  return message;
}

/** A message of a turn has the id of its place. Any other message may have any free id. */
async function refuseId(
  { core, flow, place }: ThreadView,
  given: string,
  message: StoredMessage,
): Promise<void> {
  const { id } = message;
  if (isDerivedId(given) || given.startsWith(flow.prefix)) {
    throw invalid(
      core,
      `A hook changed the id of message ${given}: the ids of a turn's messages are what it is resumed by. Keep your own in another field.`,
    );
  }
  refuseDerivedId(id, core.id);
  const known = await findById(core, id);
  if (known === undefined || (place?.mayRepeat && saidBy(known.message) === saidBy(message))) return;
  throw invalid(core, `A hook gave a new message the id ${id}, which another message of the thread has.`);
}

function invalid({ id: threadId }: ThreadCore, message: string): RunError {
  return new RunError('invalid_message', message, { threadId });
}
