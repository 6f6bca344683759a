import { checkOptionNames, DefinitionError, type HookMessage, type ThreadState } from '@spec/hooks';
import { estimateTokenCount } from 'tokenx';
import { defineTrigger, type Trigger } from '../trigger.ts';

export interface ContextUtilisationOptions {
  /** The model's context window in tokens. */
  readonly window: number;
  /** The share of it from which to warn. Default 0.8. */
  readonly at?: number;
  /** How many tokens the conversation has. Default: an estimate over all stored messages, each counted once. */
  readonly tokens?: (state: ThreadState) => number | Promise<number>;
}

/** How many of the newest messages are read to count what is new. */
const NEWEST = 64;

/**
 * Warns when the conversation uses most of the context window, once for each tenth above the share.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function contextUtilisation(options: ContextUtilisationOptions): Trigger<'tool_batch'> {
  checkOptionNames('contextUtilisation', options, { window: true, at: true, tokens: true });
  const { window, at = 0.8, tokens = estimatedTokens() } = options;
  if (!(window > 0) || !(at > 0 && at <= 1))
    throw new DefinitionError(
      'bad_option',
      'contextUtilisation: window must be above 0, and at between 0 and 1.',
    );
  const measureShare = async (state: ThreadState): Promise<number> => (await tokens(state)) / window;
  return defineTrigger({
    id: 'context_utilisation',
    on: 'tool_batch',
    once: 'thread',
    key: async (_occasion, state) => String(Math.floor((await measureShare(state)) * 10)),
    when: async (_occasion, state) => (await measureShare(state)) >= at,
    message: async (_occasion, state) =>
      `The conversation uses about ${Math.round((await measureShare(state)) * 100)}% of the ${window} tokens that the model takes. Finish what is under way, and keep outputs short.`,
  });
}

/** Counts each message of a thread once: only the newest are read, as far as they are new. */
function estimatedTokens(): (state: ThreadState) => Promise<number> {
  const tallies = new Map<string, { lastId: string | undefined; tokens: number }>();
  return async (state) => {
    const tally = tallies.get(state.threadId) ?? { lastId: undefined, tokens: 0 };
    const newest = await state.getMessages({ last: NEWEST });
    const known = newest.findIndex(({ id }) => id === tally.lastId);
    const isContinued = known >= 0;
    const added = isContinued ? newest.slice(known + 1) : await state.getMessages();
    const counted = {
      lastId: newest.at(-1)?.id,
      tokens:
        (isContinued ? tally.tokens : 0) + added.reduce((sum, message) => sum + countTokens(message), 0),
    };
    tallies.delete(state.threadId);
    tallies.set(state.threadId, counted);
    const [oldest] = tallies.keys();
    if (tallies.size > MAX_TALLIES && oldest !== undefined) tallies.delete(oldest);
    return counted.tokens;
  };
}

/** How many threads are counted. */
const MAX_TALLIES = 1_000;

function countTokens({ content, tool_calls }: HookMessage): number {
  return estimateTokenCount(content ?? '') + estimateTokenCount(tool_calls ?? '');
}
