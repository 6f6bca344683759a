import {
  checkOptionNames,
  DefinitionError,
  defineHook,
  describeGiven,
  type Hook,
  type HookMessage,
  type HookOptions,
  type OptionNames,
} from '@spec/hooks';

/** The options of `limitMessages`. */
export interface LimitMessagesOptions<Id extends string = string> {
  /** The hook's id. Default `limit_to_<n>_messages`. */
  readonly id?: Id;
  /**
   * Whether system messages at the start of the loaded history stay without being counted; default true. What must be there
   * under every runtime belongs in the prompt.
   */
  readonly keepSystem?: boolean;
}

/**
 * Keeps the newest `n` messages of the history. An exchange (an assistant message with tool calls, and their results) stays whole
 * or goes whole: if the limit would cut one, the kept part extends back to its start. Declares how much it reads, so that
 * a step costs the same in a long thread.
 *
 * @throws {DefinitionError} `bad_option` if n is not a whole number of at least 1.
 */
export function limitMessages<const N extends number, const Id extends string = `limit_to_${N}_messages`>(
  n: N,
  options: LimitMessagesOptions<Id> = {},
): Hook<'filter_messages', Id> {
  checkOptionNames('limitMessages', options, optionNames);
  if (!Number.isSafeInteger(n) || n < 1) {
    throw new DefinitionError(
      'bad_option',
      `limitMessages: how many messages to keep must be a whole number of at least 1; got ${describeGiven(n)}.`,
    );
  }
  const { id = `limit_to_${n}_messages` as Id, keepSystem = true } = options;
  const hook: HookOptions<'filter_messages', Id> = {
    hook: 'filter_messages',
    id,
    reads: { last: n },
    execute: async (_state, messages) => newest(messages, n, keepSystem),
  };
  return defineHook<'filter_messages', string>(hook) as Hook<'filter_messages', Id>;
}

const optionNames: OptionNames<LimitMessagesOptions> = { id: true, keepSystem: true };

function newest(messages: HookMessage[], n: number, keepSystem: boolean): HookMessage[] {
  const leading = keepSystem ? leadingSystemMessages(messages) : 0;
  if (messages.length - leading <= n) return messages;
  const start = findStartOfExchange(messages, messages.length - n, leading);
  return start === leading ? messages : [...messages.slice(0, leading), ...messages.slice(start)];
}

function leadingSystemMessages(messages: readonly HookMessage[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return first === -1 ? messages.length : first;
}

/**
 * Where the exchange begins that a cut at `cut` would part from its results. An id counts for the nearest call above it, since
 * models use ids again. A result whose call is nowhere above does not move the cut.
 */
function findStartOfExchange(messages: readonly HookMessage[], cut: number, least: number): number {
  let start = cut;
  const open = new Map<string, number>();
  for (let index = messages.length - 1; index >= least; index--) {
    const message = messages[index] as HookMessage;
    if (message.role === 'tool' && typeof message.tool_call_id === 'string')
      open.set(message.tool_call_id, index);
    if (message.role === 'assistant') {
      const answers = callIds(message).map((id) => open.get(id) ?? -1);
      if (index < start && answers.some((answer) => answer >= start)) start = index;
      for (const id of callIds(message)) open.delete(id);
    }
    if (index <= start && ![...open.values()].some((answer) => answer >= start)) return start;
  }
  return start;
}

function callIds({ tool_calls: calls }: HookMessage): string[] {
  if (typeof calls !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(calls);
    return Array.isArray(parsed) ? parsed.map((call: { id?: unknown } | null) => String(call?.id)) : [];
  } catch {
    return [];
  }
}
