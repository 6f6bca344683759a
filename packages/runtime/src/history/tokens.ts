import type { LLMMessage } from '@spec/hooks';
import type { TokenUsage } from '../events/thread-event.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { joinHistory, loadHistory } from './stored-history.ts';
import { isSummary } from './summary-message.ts';

/** Roles and separators around the text of a message. */
const TOKENS_AROUND = 4;

/** How many tokens a message has, as good as can be told without its model's tokenizer. */
export type CountTokens = (message: Pick<StoredMessage, 'content' | 'tool_calls'>) => number;

let counting: Promise<CountTokens> | undefined;

/** Loads the library when it is first needed: where no budget is set, it never is. */
export function tokenCounter(): Promise<CountTokens> {
  counting ??= import('tokenx').then(
    ({ estimateTokenCount }) =>
      ({ content, tool_calls: calls }) =>
        TOKENS_AROUND + estimateTokenCount(content ?? '') + estimateTokenCount(calls ?? ''),
  );
  return counting;
}

/** About how many tokens a model is sent. */
export async function estimateSent(
  messages: readonly LLMMessage[],
  tools: readonly unknown[],
): Promise<number> {
  const count = await tokenCounter();
  const ofMessages = messages.map(({ content, tool_calls: calls }) =>
    count({ content, tool_calls: calls === undefined ? null : JSON.stringify(calls) }),
  );
  const ofTools = tools.length === 0 ? 0 : count({ content: JSON.stringify(tools), tool_calls: null });
  return ofMessages.reduce((sum, tokens) => sum + tokens, ofTools);
}

/** What is known of a thread's size. */
interface Tally {
  /** The summary that it was counted with. */
  readonly summaryId: string | undefined;
  /** The last message that it holds. */
  lastId: string | undefined;
  tokens: number;
  /** What a provider counted above it: the system message, the tools, and the error of the estimate. */
  above: number;
}

const tallies = new WeakMap<ThreadCore, Tally>();

/** Has a thread's tokens counted anew, because a message was changed or deleted. */
export function forgetTokens(core: ThreadCore): void {
  tallies.delete(core);
}

export interface TokenCount {
  /** What the history is estimated at. */
  readonly estimate: number;
  /** What a model is sent, put right by what its provider counted in the last step: with the system message and the tools. */
  readonly total: number;
}

/** The tokens of the history that is still sent. Only messages that came since the last call are looked at. */
export async function countTokens(core: ThreadCore): Promise<TokenCount> {
  const known = tallies.get(core);
  const tally = known?.summaryId === core.record.compaction?.summaryId ? known : undefined;
  if (tally?.lastId === undefined) return recount(core);
  const count = await tokenCounter();
  for (const message of await core.store.listMessages(core.id, { after: tally.lastId })) {
    tally.lastId = message.id;
    if (!isSummary(message)) tally.tokens += count(message);
  }
  return { estimate: tally.tokens, total: tally.tokens + tally.above };
}

async function recount(core: ThreadCore): Promise<TokenCount> {
  const messages = joinHistory(await loadHistory(core));
  const count = await tokenCounter();
  const tokens = messages.reduce((sum, message) => sum + count(message), 0);
  tallies.set(core, {
    summaryId: core.record.compaction?.summaryId,
    lastId: messages.at(-1)?.id,
    tokens,
    above: 0,
  });
  return { estimate: tokens, total: tokens };
}

/** Takes what the provider counted for the history as it stood when the model was asked. */
export function noteUsage(core: ThreadCore, usage: TokenUsage | undefined): void {
  const tally = tallies.get(core);
  if (tally === undefined || usage?.inputTokens === undefined) return;
  tally.above = usage.inputTokens - tally.tokens;
}
