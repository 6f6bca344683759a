import type {
  HookMessage,
  HookToolCall,
  HookToolResult,
  LLMMessage,
  NewMessage,
  StoredToolResult,
} from '@spec/hooks';
import { readToolCalls, validExchanges } from '@spec/hooks/host';
import { hasPartFields, readPartFields, type WholeAnswer } from '../answer-parts/index.ts';
import { listMessageFiles } from '../definitions/attachments.ts';
import { runtimeFields, specificationFields } from '../stores/message-fields.ts';
import type { StoredMessage } from '../stores/store.ts';

export { readToolCalls, validExchanges };

/** An answer with its calls read, to compare it with what a hook makes of it. */
export function readAnswer(message: StoredMessage): WholeAnswer {
  const { content, reasoning, provider_metadata } = message;
  return { content, calls: readToolCalls(message), reasoning, provider_metadata };
}

/** A stored message in the form that goes to the model (specification §6.4). */
export function toLLMMessage(message: HookMessage): LLMMessage {
  const calls = readToolCalls(message);
  const { role, content, tool_call_id, name } = message;
  const sent: LLMMessage = { role, content };
  if (calls.length > 0) sent.tool_calls = calls;
  if (typeof tool_call_id === 'string') sent.tool_call_id = tool_call_id;
  if (typeof name === 'string') sent.name = name;
  if (role === 'user' || role === 'tool') return withFiles(sent, message);
  return role === 'assistant' && hasPartFields(message) ? { ...sent, ...readPartFields(message) } : sent;
}

function withFiles(sent: LLMMessage, message: HookMessage & { attachments?: unknown }): LLMMessage {
  if (message.attachments === undefined) return sent;
  const attachments = listMessageFiles(message);
  return sent.role === 'tool' && attachments.length === 0 ? sent : ({ ...sent, attachments } as LLMMessage);
}

/**
 * The row of a tool's result. What a hook added to the result is kept in it, except where a message has a field of
 * that name; a stack is not stored.
 */
export function toToolRow(call: HookToolCall, result: HookToolResult): NewMessage {
  const { result: text, error } = result;
  const content = result.status === 'error' ? (error ?? text ?? 'The tool failed.') : (text ?? '');
  const { id: tool_call_id, function: called } = call;
  const row: NewMessage = { role: 'tool', content, tool_call_id, name: called.name, status: result.status };
  for (const [field, value] of Object.entries(result)) {
    // Defined, not set: a field called `__proto__` must come to where it is refused.
    if (!notCopied.has(field)) Object.defineProperty(row, field, { ...asGiven, value });
  }
  return row;
}

const asGiven = { configurable: true, enumerable: true, writable: true };

/** What of a result is in its row already, would take the place of what the runtime writes in a row, or is not stored. */
const notCopied: ReadonlySet<string> = new Set([
  ...['result', 'error', 'stack', 'status', 'side'],
  ...specificationFields,
  ...runtimeFields,
]);

/** A tool's result as it was stored, for `after_tool_batch`. */
export function toStoredResult(call: HookToolCall, row: StoredMessage): StoredToolResult {
  const { status, attachments, content } = row as StoredMessage &
    Pick<HookToolResult, 'status' | 'attachments'>;
  const text = content ?? '';
  const result: HookToolResult =
    status === 'error' ? { status, error: text } : { status: 'success', result: text };
  return { toolCall: call, result: attachments == null ? result : { ...result, attachments } };
}
