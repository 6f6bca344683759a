import { holdsText, type MergedContexts, mergeContexts } from './contexts.ts';
import { sideFields } from './sides.ts';
import type { Append, StoredMessage } from './store.ts';
import type { ThreadView } from './thread-view.ts';
import { announceMessage, injectMessage, prepareMessage, storedAt, storeMessage } from './writes.ts';

/**
 * What hooks have for the conversation, on its way there. In a turn each place has one message: after the user's, before
 * the model is asked, after the results of a batch. What comes in between waits for the next of them.
 */

/** Makes one message of texts and of what waits in the session; the turn is not told them again. */
export async function mergeInTurn(view: ThreadView, contexts: readonly string[]): Promise<MergedContexts> {
  const { core, flow } = view;
  const waiting = core.session.contexts;
  if (contexts.length === 0 && waiting.length === 0) return mergeContexts([]);
  flow.told ??= await toldBefore(view);
  const merged = mergeContexts([...contexts, ...waiting], {
    limit: core.runtime.contextLimit,
    told: flow.told,
  });
  for (const text of merged.texts) flow.told.add(text);
  core.session.dropContexts(waiting);
  tellLeftOut(view, merged);
  return merged;
}

export interface ContextMessage {
  /** The message's place in the step. */
  readonly name: string;
  readonly contexts: readonly string[];
  /** What is committed together with the message. */
  readonly along?: Append | undefined;
}

/** Stores what hooks gave as the message of a place in the step. */
export async function tellContexts(
  view: ThreadView,
  { name, contexts, along }: ContextMessage,
): Promise<void> {
  const { content } = await mergeInTurn(view, contexts);
  if (content === null) return;
  if ((await storedAt(view, name)) !== undefined) return;
  const message = await view.step(name, async (at) => {
    const draft = { ...belonging(view, name), role: 'user', content } as const;
    const prepared = await prepareMessage(at, draft, at.place?.id);
    await storeMessage(at, prepared, along);
    return prepared;
  });
  await announceMessage(view, message, name);
}

/** What hooks say about the calls of a side is for that side; all else is for both. */
function belonging({ core, flow }: ThreadView, name: string): Record<string, unknown> {
  return name.endsWith('batch') ? sideFields(core.agent, flow.currentSide, 'user') : {};
}

/** What a call that no model asked for has given: it goes with the batch that it is part of, else is stored at once. */
export async function giveContexts(view: ThreadView, contexts: readonly string[]): Promise<void> {
  if (contexts.length === 0) return;
  const collected = view.place?.contexts;
  if (collected !== undefined) {
    collected.push(...contexts);
    return;
  }
  const merged = mergeContexts(contexts, { limit: view.core.runtime.contextLimit });
  tellLeftOut(view, merged);
  if (merged.content !== null) await injectMessage(view, { role: 'user', content: merged.content });
}

function tellLeftOut({ core }: ThreadView, { leftOut }: MergedContexts): void {
  if (leftOut !== null) core.events.emit({ type: 'contexts_left_out', ...leftOut });
}

/** What a turn had been told before its process died, which its messages tell: texts told here are added. */
async function toldBefore({ core, flow }: ThreadView): Promise<NonNullable<typeof flow.told>> {
  const told = new Set<string>();
  if (flow.context.attempt === 1) return told;
  const isContext = ({ id }: StoredMessage): boolean =>
    id.startsWith(`${flow.flowId}.`) && /\.(?:context|batch)$/.test(id);
  const contents = (await core.store.listMessages(core.id, { last: LOOK_BACK }))
    .filter(isContext)
    .map(({ content }) => content ?? '');
  return {
    has: (text) => told.has(text) || contents.some((content) => holdsText(content, text)),
    add: (text) => told.add(text),
  };
}

/** So many messages are looked at for what the turn was told before. */
const LOOK_BACK = 200;
