import type { HookMessage, LLMMessage, Scope } from '@spec/hooks';
import { loadHistory, type StoredHistory } from './compaction/stored-history.ts';
import { isSummary, toLLMSummary } from './compaction/summary-message.ts';
import { toLLMMessage, validExchanges } from './messages.ts';
import { seenBy, sideOf } from './sides.ts';
import type { ThreadView } from './thread-view.ts';

/** What the model is to see of a thread: loaded, filtered, valid, in the model's form, and filtered again. */
export async function modelHistory(view: ThreadView): Promise<LLMMessage[]> {
  const { core } = view;
  const { opening, summary, rest }: StoredHistory = await loadHistory(
    { store: core.recent, id: core.id, record: core.record },
    windowOf(core.scope),
  );
  const messages = summary === undefined ? [...opening, ...rest] : [...opening, summary, ...rest];
  const { agent } = core;
  const seen = (all: HookMessage[]): HookMessage[] =>
    agent.type === 'dual_ai' ? seenBy(view.flow.currentSide, all) : all;
  return throughChains(view, messages, seen);
}

/** What a summary is made of: as a model would see it, but without the system messages that it does not replace. */
export function historyToSummarise(
  view: ThreadView,
  { opening, summary, rest }: StoredHistory,
): Promise<LLMMessage[]> {
  const messages = summary === undefined ? [...opening, ...rest] : [...opening, summary, ...rest];
  const isOpening = new Set(opening.map(({ id }) => id));
  const { agent } = view.core;
  const seen = (all: HookMessage[]): HookMessage[] => {
    const old = all.filter(({ id }) => !isOpening.has(id));
    return agent.type === 'dual_ai' ? seenByBoth(old) : old;
  };
  return throughChains(view, messages, seen);
}

/** What both of two sides know: neither's tool calls. */
function seenByBoth(messages: readonly HookMessage[]): HookMessage[] {
  const named = messages.map((message) => ({ ...message, name: message.name ?? sideOf(message) ?? null }));
  return seenBy('b', seenBy('a', named));
}

/** `filter_messages`, what is seen of its answer, only valid exchanges, in the model's form, and `prefilter_llm_history`. */
async function throughChains(
  view: ThreadView,
  messages: HookMessage[],
  seen: (filtered: HookMessage[]) => HookMessage[],
): Promise<LLMMessage[]> {
  const { scope, runtime } = view.core;
  const filtered = await runtime.executor.run('filter_messages', scope, view, messages);
  const valid = validExchanges(seen(filtered)).map(toSent);
  return runtime.executor.run('prefilter_llm_history', scope, view, valid);
}

/** How many of the newest messages the first hook of the chain reads, where it says so (design §7.3). */
function windowOf(scope: Scope): number | undefined {
  return (scope.filter_messages?.[0]?.hook as { reads?: { last: number } } | undefined)?.reads?.last;
}

function toSent(message: HookMessage): LLMMessage {
  return isSummary(message) ? toLLMSummary(toLLMMessage(message)) : toLLMMessage(message);
}
