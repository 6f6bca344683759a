import type { MessageCard, RunSubject } from '@spec/hooks';
import type { CallName } from '../api.ts';
import type { StoredEvent } from '../ports.ts';
import { readMessage, readWindow } from './read-messages.ts';
import type { Source } from './read-threads.ts';

/** Which message, and of several calls which one. */
export interface EventQuestion {
  readonly thread: string;
  readonly message: string;
  readonly call?: string | undefined;
}

/** What is stored of an event, made into that event again. */
export interface RemadeEvent {
  readonly event: StoredEvent;
  /** What the runs of then were about. */
  readonly subjects: readonly RunSubject[];
  /** Microseconds since the epoch. */
  readonly at: number;
  /** The tool that it is about. */
  readonly tool: string | null;
  /** The calls of the message, and the one that it is about. */
  readonly calls: readonly CallName[];
  readonly call: string | null;
}

/** The event of a message, for hooks to be asked about; `null` where the message is not there. */
export async function makeEvent(source: Source, question: EventQuestion): Promise<RemadeEvent | null> {
  const shown = { ...source, showsContent: true };
  const message = await readMessage(shown, question.thread, question.message);
  if (message === null) return null;
  const calls = readCalls(message);
  if (message.role === 'tool') return makeResultEvent(shown, question.thread, message);
  const call = calls.find(({ id }) => id === question.call) ?? calls[0];
  if (call === undefined) return makeMessageEvent(message);
  const input = { tool_name: call.name, tool_input: call.input, tool_use_id: call.id };
  return {
    event: { hook: eventNames.call, input },
    subjects: [{ call: call.id }],
    at: message.createdAt,
    tool: call.name,
    calls: calls.map(({ id, name }) => ({ id, name })),
    call: call.id,
  };
}

/** What each kind of message is asked about. */
const eventNames = {
  call: 'before_tool_call',
  result: 'before_store_tool_result',
  message: 'before_create_message',
};

function makeMessageEvent({ id, role, content, createdAt }: MessageCard): RemadeEvent {
  const event = { hook: eventNames.message, input: { message: { id, role, content } } };
  return { event, subjects: [{ message: id }], at: createdAt, tool: null, calls: [], call: null };
}

async function makeResultEvent(source: Source, thread: string, message: MessageCard): Promise<RemadeEvent> {
  const { id, content, toolCallId, name, createdAt } = message;
  const before = await readWindow(source, thread, { size: 50, before: id });
  const call = before?.messages.flatMap(readCalls).findLast((one) => one.id === toolCallId);
  const input = {
    tool_name: call?.name ?? name ?? 'unknown',
    tool_input: call?.input ?? {},
    tool_response: content ?? '',
    ...(toolCallId !== null && { tool_use_id: toolCallId }),
  };
  const subjects = [{ message: id }, ...(toolCallId === null ? [] : [{ call: toolCallId }])];
  return {
    ...{ event: { hook: eventNames.result, input }, subjects, at: createdAt, tool: input.tool_name },
    ...{ calls: [], call: null },
  };
}

interface StoredCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The calls of a message; none where their text is cut. */
export function readCalls({ toolCalls, toolCallsSize }: MessageCard): StoredCall[] {
  if (toolCalls === null || toolCalls.length < toolCallsSize) return [];
  const calls = parseJson(toolCalls);
  return Array.isArray(calls) ? calls.map(readCall) : [];
}

function readCall(call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } }): StoredCall {
  const { name, arguments: given } = call.function ?? {};
  return { id: String(call.id), name: String(name), input: parseJson(String(given)) ?? {} };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
