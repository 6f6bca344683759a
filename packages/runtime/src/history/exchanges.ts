import type {
  HookMessage,
  HookToolCall,
  HookToolResult,
  LLMMessage,
  NewMessage,
  StoredToolResult,
} from '@spec/hooks';
import { hasPartFields, readPartFields, type WholeAnswer } from '../answer-parts/index.ts';
import { listMessageFiles } from '../definitions/attachments.ts';
import { runtimeFields, specificationFields } from '../stores/message-fields.ts';
import type { StoredMessage } from '../stores/store.ts';

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

/** An answer with its calls read, to compare it with what a hook makes of it. */
export function readAnswer(message: StoredMessage): WholeAnswer {
  const { content, reasoning, provider_metadata } = message;
  return { content, calls: readToolCalls(message), reasoning, provider_metadata };
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
 * What is left of a history when whatever is no valid exchange is dropped (design §7.1): results without their
 * call, calls without their result, and rows that only tell of an error. A result that something came between is moved
 * to its call. Messages that are fine stay the same objects.
 */
export function validExchanges(messages: readonly HookMessage[]): HookMessage[] {
  const results = pairResults(messages);
  const valid: HookMessage[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool' || typeof (message as StoredMessage).error_code === 'string') continue;
    const calls = message.role === 'assistant' ? readToolCalls(message) : [];
    if (calls.length > 0) valid.push(...exchange(message, calls, results.get(at)));
    else if (message.tool_calls == null) valid.push(message);
    else valid.push(...withoutCalls(message));
  }
  return valid;
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

/** A stored message in the form that goes to the model (specification §6.4). */
export function toLLMMessage(message: HookMessage): LLMMessage {
  const calls = readToolCalls(message);
  const { role, content, tool_call_id, name } = message;
  const sent: LLMMessage = { role, content };
  if (calls.length > 0) sent.tool_calls = calls;
  if (typeof tool_call_id === 'string') sent.tool_call_id = tool_call_id;
  if (typeof name === 'string') sent.name = name;
  if (role === 'user' && 'attachments' in message)
    return { ...sent, attachments: listMessageFiles(message) } as LLMMessage;
  return role === 'assistant' && hasPartFields(message) ? { ...sent, ...readPartFields(message) } : sent;
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
