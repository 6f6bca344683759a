import type { ModelCall, ModelRequest } from '../vocabulary/control.ts';
import type { HookMessage, HookToolCall, HookToolResult, LLMMessage } from '../vocabulary/messages.ts';
import type { ModelUsage } from '../vocabulary/model-usage.ts';

/** A stored message that may have more fields than the specification's: fits wherever a hook takes a message, stored or for the model. */
export type FixtureMessage = HookMessage & LLMMessage & Record<string, unknown>;

/** Fits hooks that take a `HookToolCall` and hooks that take a record. */
export type FixtureToolCall = HookToolCall & Record<string, unknown>;

/** Fits hooks that take a `HookToolResult` and hooks that take a record. */
export type FixtureToolResult = HookToolResult & Record<string, unknown>;

/** Where time begins in fixtures and in a fake state: 2026-01-01T00:00:00Z, in microseconds. */
export const fixtureEpoch: number = Date.UTC(2026, 0, 1) * 1_000;

const counts: Record<string, number> = {};

function count(sort: string): number {
  counts[sort] = (counts[sort] ?? 0) + 1;
  return counts[sort];
}

/** A new id, such as `message_3`: unique among all fixtures and fake states of a test file. */
export function nextId(sort: 'message' | 'call' | 'thread' | 'flow'): string {
  return `${sort}_${count(sort)}`;
}

function message(role: HookMessage['role'], fields: Partial<FixtureMessage>): FixtureMessage {
  const created_at = fixtureEpoch + count('time') * 1_000;
  return { id: nextId('message'), role, content: null, created_at, ...fields };
}

/** What a person wrote. `fields` replaces what is filled in: id and time (later than that of the fixture before). */
export function userMessage(content: string, fields: Record<string, unknown> = {}): FixtureMessage {
  return message('user', { content, ...fields });
}

/** What the model answered: a text, or tool calls with or without one. */
export function assistantMessage(
  content: string | null,
  {
    toolCalls,
    ...fields
  }: { readonly toolCalls?: readonly HookToolCall[]; readonly [field: string]: unknown } = {},
): FixtureMessage {
  return message('assistant', {
    content,
    ...(toolCalls === undefined ? {} : { tool_calls: JSON.stringify(toolCalls) }),
    ...fields,
  });
}

/** The stored result of a tool call. */
export function toolMessage(
  call: HookToolCall,
  content: string,
  fields: Record<string, unknown> = {},
): FixtureMessage {
  return message('tool', { content, tool_call_id: call.id, name: call.function.name, ...fields });
}

/** A call of the model, its input as the JSON text that a hook gets in `function.arguments`. */
export function toolCall(
  name: string,
  input: Record<string, unknown> = {},
  fields: { readonly id?: string } = {},
): FixtureToolCall {
  return {
    id: nextId('call'),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
    ...fields,
  };
}

/** The result of a tool that succeeded. */
export function toolResult(
  result: string,
  fields: Partial<HookToolResult> & Record<string, unknown> = {},
): FixtureToolResult {
  return { status: 'success', result, ...fields };
}

/** The result of a tool that failed. */
export function toolError(
  error: string,
  fields: Partial<HookToolResult> & Record<string, unknown> = {},
): FixtureToolResult {
  return { status: 'error', error, ...fields };
}

/** No tokens. */
export const noUsage: ModelUsage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };

/** The first call of a model in a turn. `fields` replaces what is filled in. */
export function modelRequest(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    callId: nextId('call'),
    model: 'model_1',
    step: 1,
    attempt: 1,
    estimatedTokens: 10,
    usage: { ...noUsage },
    settings: {},
    toolChoice: null,
    tools: [],
    messages: [{ role: 'user', content: 'Hello.' }],
    ...fields,
  };
}

/** A call of a model that was answered. `fields` replaces what is filled in. */
export function modelCall(fields: Partial<ModelCall> = {}): ModelCall {
  return {
    callId: nextId('call'),
    model: 'model_1',
    step: 1,
    attempt: 1,
    usage: { ...noUsage, inputTokens: 10, outputTokens: 5 },
    durationMs: 100,
    finishReason: 'stop',
    errorCode: null,
    cached: false,
    ...fields,
  };
}
