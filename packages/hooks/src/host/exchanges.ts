import type { HookMessage, HookToolCall, LLMMessage } from '../vocabulary/messages.ts';

const NO_CALLS: readonly HookToolCall[] = Object.freeze([]);

/** The calls of the texts read last: each step reads those of its window several times (bench `long-thread`). */
const lastRead = new Map<string, readonly HookToolCall[]>();
const MAX_READ = 500;
const MAX_TEXT = 4_000;

/** The tool calls of a stored message; none where its text holds none. A second call with the same id is none. */
export function readToolCalls({
  tool_calls: text,
}: Pick<HookMessage, 'tool_calls'>): readonly HookToolCall[] {
  if (typeof text !== 'string') return NO_CALLS;
  const read = lastRead.get(text);
  if (read !== undefined) return read;
  const calls = parseCalls(text);
  if (text.length > MAX_TEXT) return calls;
  if (lastRead.size === MAX_READ) lastRead.clear();
  lastRead.set(text, calls);
  return calls;
}

function parseCalls(text: string): readonly HookToolCall[] {
  try {
    const calls: unknown = JSON.parse(text);
    return Array.isArray(calls) ? calls.filter(isToolCall).filter(isFirstOfItsId) : NO_CALLS;
  } catch {
    return NO_CALLS;
  }
}

function isToolCall(value: unknown): value is HookToolCall {
  const call = value as Partial<HookToolCall> | null;
  return (
    typeof call?.id === 'string' &&
    typeof call.function?.name === 'string' &&
    typeof call.function.arguments === 'string'
  );
}

function isFirstOfItsId({ id }: HookToolCall, position: number, calls: readonly HookToolCall[]): boolean {
  return calls.findIndex((call) => call.id === id) === position;
}

/**
 * What is left of a history when whatever is no valid exchange is dropped: results without their
 * call, calls without their result, and rows that only tell of an error. A result that something came between is moved
 * to its call. Messages that are fine stay the same objects.
 */
export function validExchanges(messages: readonly HookMessage[]): HookMessage[] {
  let results: ReadonlyMap<number, Results> | undefined;
  const valid: HookMessage[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as HookMessage;
    const { role } = message;
    if (role === 'tool' || isErrorRow(message)) continue;
    const calls = role === 'assistant' ? readToolCalls(message) : NO_CALLS;
    if (calls.length === 0) {
      if (message.tool_calls == null) valid.push(message);
      else valid.push(...withoutCalls(message));
    } else if (isAnsweredInPlace(messages, at, calls)) {
      for (let next = at; next <= at + calls.length; next++) valid.push(messages[next] as HookMessage);
    } else {
      results ??= pairResults(messages); // Rarely: most exchanges are whole and in order.
      valid.push(...exchange(message, calls, results.get(at)));
    }
  }
  return valid;
}

/** Whether a message is followed by the results of all its calls, in their order. */
function isAnsweredInPlace(
  messages: readonly HookMessage[],
  at: number,
  calls: readonly HookToolCall[],
): boolean {
  for (let i = 0; i < calls.length; i++) {
    const row = messages[at + 1 + i];
    if (row?.role !== 'tool' || row.tool_call_id !== calls[i]?.id) return false;
  }
  return true;
}

/** A row that only tells of an error. */
function isErrorRow(message: HookMessage & { error_code?: unknown }): boolean {
  return typeof message.error_code === 'string';
}

type Results = ReadonlyMap<string, HookMessage>;

/** The results of each message with calls, by its position: those between it and the next message that calls the same id. */
function pairResults(messages: readonly HookMessage[]): ReadonlyMap<number, Results> {
  const found = new Map<number, Map<string, HookMessage>>();
  const callerOf = new Map<string, number>();
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') for (const { id } of readToolCalls(message)) callerOf.set(id, at);
    const { tool_call_id: id } = message;
    const caller = message.role === 'tool' && typeof id === 'string' ? callerOf.get(id) : undefined;
    if (caller === undefined) continue;
    const results = found.get(caller) ?? new Map<string, HookMessage>();
    found.set(caller, results);
    if (!results.has(id as string)) results.set(id as string, message);
  }
  return found;
}

function exchange(
  message: HookMessage,
  calls: readonly HookToolCall[],
  results: Results = new Map(),
): HookMessage[] {
  const answered = calls.filter(({ id }) => results.has(id));
  if (answered.length === 0) return withoutCalls(message);
  const rows = answered.map(({ id }) => results.get(id) as HookMessage);
  if (answered.length === calls.length) return [message, ...rows];
  return [{ ...message, tool_calls: JSON.stringify(answered) }, ...rows];
}

/** A message that says nothing besides its calls goes with them. */
function withoutCalls(message: HookMessage): HookMessage[] {
  const { tool_calls: _, ...text } = message;
  return message.content === null || message.content === '' ? [] : [text];
}

/** A message in the form that goes to a model. Its id goes with it, which tells what stands behind the message in its loop. */
export function toLLMMessage(message: HookMessage): LLMMessage {
  const { id, role, content, tool_call_id, name } = message;
  const calls = readToolCalls(message);
  return {
    ...{ id, role, content },
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(typeof tool_call_id === 'string' ? { tool_call_id } : {}),
    ...(typeof name === 'string' ? { name } : {}),
  };
}

/** Characters that make a token, about. */
const CHARACTERS_A_TOKEN = 4;

/** About how many tokens a model is sent: of texts, calls and tools; what files cost differs from model to model, and is not counted. */
export function estimateTokens(messages: readonly LLMMessage[], tools: unknown): number {
  return Math.ceil(JSON.stringify({ messages, tools }).length / CHARACTERS_A_TOKEN);
}
