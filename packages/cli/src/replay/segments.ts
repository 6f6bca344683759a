import type { HookToolCall } from '@spec/hooks';
import type { RecordedMessage } from './formats/conversation.ts';

/** A stretch of a recording: one turn that can be run again, or a message that can only be stored. */
export type Segment =
  | {
      readonly kind: 'turn';
      readonly user: RecordedMessage;
      readonly replies: readonly RecordedMessage[];
      readonly isCutOff: boolean;
    }
  | { readonly kind: 'message'; readonly message: RecordedMessage };

/**
 * Cuts a recording into turns: a user message, and what the model and its tools answered until the model called no
 * tool. What is no turn (a system message, a second user message in a row, a call without its result) is a message by itself.
 */
export function splitIntoSegments(messages: readonly RecordedMessage[]): Segment[] {
  const segments: Segment[] = [];
  for (let at = 0; at < messages.length; ) {
    const turn = turnAt(messages, at);
    segments.push(turn?.segment ?? { kind: 'message', message: messages[at] as RecordedMessage });
    at = turn?.end ?? at + 1;
  }
  return segments;
}

function turnAt(
  messages: readonly RecordedMessage[],
  at: number,
): { segment: Segment; end: number } | undefined {
  const user = messages[at] as RecordedMessage;
  if (user.role !== 'user' || user.content === null) return undefined;
  const replies: RecordedMessage[] = [];
  let end = at + 1;
  let isCutOff = false;
  for (;;) {
    const step = stepAt(messages, end);
    if (step === undefined) break;
    for (const reply of step) replies.push(reply);
    end += step.length;
    isCutOff = step.length > 1;
    if (!isCutOff) break;
  }
  return replies.length === 0 ? undefined : { segment: { kind: 'turn', user, replies, isCutOff }, end };
}

/** An answer of the model with the results of all its calls, in the order of the calls. */
function stepAt(messages: readonly RecordedMessage[], at: number): RecordedMessage[] | undefined {
  const answer = messages[at];
  if (answer?.role !== 'assistant' || !isPlain(answer)) return undefined;
  const calls = answer.tool_calls ?? [];
  const results = messages.slice(at + 1, at + 1 + calls.length);
  const isAnswered =
    results.length === calls.length && calls.every((call, i) => answers(results[i] as RecordedMessage, call));
  return isAnswered ? [answer, ...results] : undefined;
}

function answers(result: RecordedMessage, call: HookToolCall): boolean {
  if (
    !isPlainCall(call) ||
    result.role !== 'tool' ||
    result.tool_call_id !== call.id ||
    result.content === null
  )
    return false;
  const isNamed = result.name === undefined || result.name === call.function.name;
  return isNamed && hasOnly(result, resultFields) && isObject(call.function.arguments);
}

/** What a model and a tool can say again; a recorded message with other fields is stored as it is. */
const modelFields: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls']);
const resultFields: ReadonlySet<string> = new Set(['role', 'content', 'tool_call_id', 'name']);

function isPlain(answer: RecordedMessage): boolean {
  return hasOnly(answer, modelFields) && answer.tool_calls?.length !== 0;
}

/** A call that a model can make again, of a tool that can be registered. */
export function isPlainCall(call: HookToolCall): boolean {
  const isNamed = /^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name);
  return isNamed && hasOnly(call, callFields) && hasOnly(call.function, functionFields);
}

const callFields: ReadonlySet<string> = new Set(['id', 'type', 'function']);
const functionFields: ReadonlySet<string> = new Set(['name', 'arguments']);

function hasOnly(message: object, fields: ReadonlySet<string>): boolean {
  return Object.keys(message).every((field) => fields.has(field));
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
