import type { HookMessage, HookToolCall, HookToolResult, LLMMessage } from '@spec/hooks';
import type { StoredMessage } from './store.ts';

/** The tool calls of a stored message; none where its text holds none. */
export function toolCallsOf(message: Pick<HookMessage, 'tool_calls'>): HookToolCall[] {
  if (typeof message.tool_calls !== 'string') return [];
  try {
    const calls: unknown = JSON.parse(message.tool_calls);
    return Array.isArray(calls) ? calls.filter(isToolCall) : [];
  } catch {
    return [];
  }
}

function isToolCall(value: unknown): value is HookToolCall {
  const call = value as Partial<HookToolCall> | null;
  return typeof call?.id === 'string' && typeof call.function?.name === 'string' && typeof call.function.arguments === 'string';
}

/**
 * What is left of a history when whatever is no valid exchange is dropped (design §7.1): results without their
 * call, calls without all their results, and rows that only tell of an error. Messages that are fine stay the same objects.
 */
export function validExchanges(messages: readonly HookMessage[]): HookMessage[] {
  const valid: HookMessage[] = [];
  let i = 0;
  while (i < messages.length) {
    const message = messages[i] as StoredMessage;
    const calls = message.role === 'assistant' ? toolCallsOf(message) : [];
    const results = resultsAfter(messages, i);
    i += 1 + results.length;
    if (message.role === 'tool' || typeof message.error_code === 'string') continue;
    if (calls.length === 0) valid.push(message);
    else valid.push(...answered(message, calls, results));
  }
  return valid;
}

/** The tool rows that directly follow a message. */
function resultsAfter(messages: readonly HookMessage[], at: number): HookMessage[] {
  const results: HookMessage[] = [];
  for (let i = at + 1; messages[i]?.role === 'tool'; i++) results.push(messages[i] as HookMessage);
  return results;
}

function answered(message: HookMessage, calls: readonly HookToolCall[], results: readonly HookMessage[]): HookMessage[] {
  const resultOf = new Map(results.map((result) => [result.tool_call_id, result]));
  const kept = calls.filter(({ id }) => resultOf.has(id));
  const keptResults = kept.map(({ id }) => resultOf.get(id) as HookMessage);
  if (kept.length === calls.length) return [message, ...keptResults];
  if (kept.length > 0) return [{ ...message, tool_calls: JSON.stringify(kept) }, ...keptResults];
  const { tool_calls: _, ...text } = message;
  return message.content === null || message.content === '' ? [] : [text];
}

/** A stored message in the form that goes to the model (specification §6.4). */
export function toLLMMessage(message: HookMessage): LLMMessage {
  const calls = toolCallsOf(message);
  return {
    role: message.role,
    content: message.content,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(typeof message.tool_call_id === 'string' ? { tool_call_id: message.tool_call_id } : {}),
    ...(typeof message.name === 'string' ? { name: message.name } : {}),
  };
}

/** The row of a tool's result. What a hook added to the result is kept in it; a stack is not stored. */
export function toToolRow(call: HookToolCall, result: HookToolResult & Record<string, unknown>): Record<string, unknown> {
  const { result: text, error, stack: _, ...rest } = result;
  const content = result.status === 'error' ? (error ?? text ?? 'The tool failed.') : (text ?? '');
  return { ...rest, role: 'tool', content, tool_call_id: call.id, name: call.function.name };
}
