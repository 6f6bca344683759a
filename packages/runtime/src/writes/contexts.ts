import type { Append, StoredMessage } from '../stores/store.ts';
import {
  holdsText,
  type MergedContexts,
  mergeContexts,
  type TellingContexts,
  type Told,
} from '../thread/contexts.ts';
import type { ThreadView } from '../thread/core.ts';
import { sideFields } from '../thread/sides.ts';
import { injectMessage } from './given-messages.ts';
import { textsToKeep } from './kept-text.ts';
import { announceMessage, passCreateChain, storedAt, storeMessage } from './messages.ts';
import type { TurnEnd } from './notifications.ts';

/**
 * Texts that hooks have for the conversation. In a turn each place has one message: after the user's, before
 * the model is asked, after the results of a batch. Texts that come in between wait for the next place.
 */

/**
 * Makes one message of texts and of what waits in the turn and the session. If it cannot be stored, nothing is lost:
 * what waits stays until {@link markTold}.
 *
 * @param reminders texts that are repeated even if the turn has had them before
 */
export async function mergeInTurn(
  view: ThreadView,
  contexts: readonly string[],
  reminders: readonly string[] = [],
): Promise<TellingContexts> {
  const { core, flow } = view;
  const waiting = [...(flow.contexts ?? []), ...core.session.contexts];
  const texts = [...contexts, ...reminders, ...waiting];
  if (texts.length === 0) return { ...mergeContexts([]), waiting };
  flow.told ??= await findToldBefore(view);
  const merged = mergeContexts(texts, {
    limit: core.runtime.contextLimit,
    told: exceptReminders(flow.told, reminders),
  });
  const telling = { ...merged, waiting };
  if (merged.content === null) markTold(view, telling);
  return telling;
}

function exceptReminders(told: Told, reminders: readonly string[]): Told {
  if (reminders.length === 0) return told;
  const again = new Set(reminders.map((text) => text.trim()));
  return { has: (text) => !again.has(text) && told.has(text) };
}

/** Marks a message as stored: the turn does not get its texts again, and none of them waits. */
export function markTold(view: ThreadView, telling: TellingContexts): void {
  const { core, flow } = view;
  const { texts, waiting } = telling;
  for (const text of texts) flow.told?.add(text);
  core.session.dropContexts(waiting);
  if (flow.contexts !== null) flow.contexts = flow.contexts.filter((text) => !waiting.includes(text));
  emitLeftOut(view, telling);
}

/** Whether something waits for a message. */
export function hasContexts({ core, flow }: ThreadView): boolean {
  return core.session.contexts.length > 0 || (flow.contexts !== null && flow.contexts.length > 0);
}

/** Ends a turn: texts that no message told go to the next turn, or to none if the turn was denied. */
export function leaveContexts({ core, flow }: ThreadView, status: TurnEnd['status']): void {
  if (status !== 'denied') core.session.addContexts(flow.contexts ?? []);
  flow.contexts = null;
}

/** The message of a place as it may be kept until it is stored: a crash in between loses no text. */
export interface PreparedContexts {
  /** What was sent through `before_create_message`. */
  readonly content: string;
  readonly message: StoredMessage;
}

export interface ContextMessage {
  /** The message's place in the step. */
  readonly name: string;
  /** Stored as it is if nothing has been added since: its hooks have run. */
  readonly prepared?: PreparedContexts | undefined;
  /** Texts that the turn gets unless it has had them before. */
  readonly contexts: readonly string[];
  /** Texts of `after_tool_batch` about this batch, repeated even if an earlier batch of the turn led to the same text. */
  readonly reminders?: readonly string[];
  /** Rows to commit together with the message. */
  readonly along?: Append | undefined;
}

/** Stores what hooks gave as the message of a place in the step. */
export async function storeContexts(
  view: ThreadView,
  { name, prepared, contexts, reminders, along }: ContextMessage,
): Promise<void> {
  const telling = await mergeInTurn(view, contexts, reminders);
  const { content } = telling;
  if (content === null) return;
  if ((await storedAt(view, name)) !== undefined) return;
  const message = await view.step(name, async (at) => {
    const isWhole = prepared?.content === content;
    const complete = isWhole ? prepared.message : await prepareContent(at, name, content);
    await storeMessage(at, complete, along);
    return complete;
  });
  markTold(view, telling);
  await announceMessage(view, message, name);
}

/**
 * Prepares the message that a place would get from these texts alone; `undefined` if it would be empty.
 *
 * @throws {RunError} as `before_create_message` hooks do
 */
export async function prepareContexts(
  view: ThreadView,
  name: string,
  contexts: readonly string[],
): Promise<PreparedContexts | undefined> {
  const { content } = await mergeInTurn(view, contexts);
  if (content === null) return undefined;
  return { content, message: await prepareContent(view, name, content) };
}

function prepareContent(
  view: ThreadView,
  name: string,
  content: string,
): StoredMessage | Promise<StoredMessage> {
  const draft = { ...belonging(view, name), role: 'user', content } as const;
  return passCreateChain(view.ofHooks(), draft, view.flow.idOf(name));
}

/** Passes texts through the create chain, so that they can be kept until the message of a place holds them. @throws {RunError} as `before_create_message` hooks do */
export function contextsToKeep(view: ThreadView, name: string, texts: readonly string[]): Promise<string[]> {
  return textsToKeep(view, texts, { name, fields: belonging(view, name) });
}

/** Texts about the calls of a side are for that side; all others are for both. */
function belonging({ core, flow }: ThreadView, name: string): Record<string, unknown> {
  return name.endsWith('batch') ? sideFields(core.agent, flow.currentSide, 'user') : {};
}

/**
 * Texts of a call that no model asked for. They go with the batch that the call is part of, or else with the next message of
 * its turn. If no turn runs, they are stored at once.
 */
export async function giveContexts(view: ThreadView, contexts: readonly string[]): Promise<void> {
  if (contexts.length === 0) return;
  const { core, flow, place } = view;
  if (place?.contexts !== undefined) {
    place.contexts.push(...contexts);
  } else if (flow.turnId === null) {
    const merged = mergeContexts(contexts, { limit: core.runtime.contextLimit });
    emitLeftOut(view, merged);
    if (merged.content !== null)
      await injectMessage(view.ofHooks(), { role: 'user', content: merged.content });
  } else if (flow.contexts === null) {
    core.session.addContexts(contexts);
  } else {
    flow.contexts = [...flow.contexts, ...contexts];
  }
}

function emitLeftOut({ core }: ThreadView, { leftOut }: MergedContexts): void {
  if (leftOut !== null) core.events.emit({ type: 'contexts_left_out', ...leftOut });
}

/** Reads from the messages of a turn what it was told before its process died. Later texts are added to it. */
async function findToldBefore({ core, flow }: ThreadView): Promise<NonNullable<typeof flow.told>> {
  const told = new Set<string>();
  if (flow.context.attempt === 1) return told;
  const isContext = ({ id }: StoredMessage): boolean =>
    id.startsWith(flow.prefix) && /\.(?:context|batch)$/.test(id);
  const contents = (await core.store.listMessages(core.id, { last: LOOK_BACK }))
    .filter(isContext)
    .map(({ content }) => content ?? '');
  return {
    has: (text) => told.has(text) || contents.some((content) => holdsText(content, text)),
    add: (text) => told.add(text),
  };
}

/** How many messages are searched for earlier texts of the turn. */
const LOOK_BACK = 200;
