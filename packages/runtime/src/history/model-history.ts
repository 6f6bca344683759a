// History: reads stored messages as exchanges and windows for the model. Turns, writes and compaction call it; it never writes.

import type { HookMessage, LLMMessage, SentMessages } from '@spec/hooks';
import type { ThreadView } from '../thread/core.ts';
import { readSide, seenBy } from '../thread/sides.ts';
import { toLLMMessage, validExchanges } from './exchanges.ts';
import { filterInWindows, findWindowSize } from './filter-in-windows.ts';
import { keepIntactInHistory } from './intact-history.ts';
import { joinHistory, loadHistory, type StoredHistory } from './stored-history.ts';
import { isSummary, toLLMSummary } from './summary-message.ts';

/** What a model is sent of a thread. */
export interface SentHistory {
  readonly messages: LLMMessage[];
  readonly sent: SentMessages;
}

/** What the model is to see of a thread: loaded, filtered, valid, in the model's form, and filtered again. */
export async function modelHistory(view: ThreadView): Promise<SentHistory> {
  const { core } = view;
  const { recent, record, id, agent } = core;
  const loading = loadHistory(
    { store: recent, kept: recent, id, record },
    findWindowSize(core.scope.filter_messages?.[0]),
  );
  // Most often the window is in memory, and nothing is waited for.
  const history = loading instanceof Promise ? await loading : loading;
  const stored = joinHistory(history);
  const filtered = await core.runtime.executor.run('filter_messages', core.scope, view, [...stored]);
  const seen = agent.type === 'dual_ai' ? seenBy(view.flow.currentSide, filtered) : filtered;
  const valid = validExchanges(seen);
  const prefiltered = prefilter(view, valid.map(toSent));
  const sent = prefiltered instanceof Promise ? await prefiltered : prefiltered;
  const messages = keepIntactInHistory(core, { sent, stored });
  return { messages, sent: { request: messages.length, ...compareSent(stored, valid) } };
}

/** So many ids are kept of what was left out. */
const NAMED = 20;

function compareSent(
  stored: readonly HookMessage[],
  valid: readonly HookMessage[],
): Omit<SentMessages, 'request'> {
  if (valid.length === stored.length) return { stored: valid.length, leftOut: 0, left: [] };
  const kept = new Set(valid.map(({ id }) => id));
  const left = stored.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
  return { stored: stored.length - left.length, leftOut: left.length, left: left.slice(-NAMED) };
}

/** What a summarising model is sent. */
export interface SummarySource {
  readonly messages: readonly LLMMessage[];
  /** How many of the messages that it is to stand for hooks kept out of it. */
  readonly withheldCount: number;
}

/** What a summary is made of: as a model would see it, but without the system messages that it does not replace. */
export async function historyToSummarise(view: ThreadView, history: StoredHistory): Promise<SummarySource> {
  const { opening, rest } = history;
  const isOpening = new Set(opening.map(({ id }) => id));
  const { agent } = view.core;
  const seen = (all: HookMessage[]): HookMessage[] => {
    const old = all.filter(({ id }) => !isOpening.has(id));
    return agent.type === 'dual_ai' ? seenByBoth(old) : old;
  };
  const filtered = await filterInWindows(view, joinHistory(history));
  const kept = new Set(filtered.map(({ id }) => id));
  const valid = validExchanges(seen(filtered)).map(toSent);
  const sent = await prefilter(view, valid);
  const removed = rest.filter(({ id }) => !kept.has(id)).length;
  return { messages: sent, withheldCount: removed + Math.max(0, valid.length - sent.length) };
}

/** What both of two sides know: neither's tool calls. */
function seenByBoth(messages: readonly HookMessage[]): HookMessage[] {
  const named = messages.map((message) => ({ ...message, name: message.name ?? readSide(message) ?? null }));
  return seenBy('b', seenBy('a', named));
}

function prefilter(view: ThreadView, messages: LLMMessage[]): LLMMessage[] | Promise<LLMMessage[]> {
  const { core } = view;
  return core.runtime.executor.run('prefilter_llm_history', core.scope, view, messages);
}

function toSent(message: HookMessage): LLMMessage {
  return isSummary(message) ? toLLMSummary(toLLMMessage(message)) : toLLMMessage(message);
}
