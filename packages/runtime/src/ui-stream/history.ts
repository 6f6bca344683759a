import type { AttachmentRef, HookMessage, HookToolCall } from '@spec/hooks';
import { readPartFields, type WholeAnswer } from '../answer-parts/index.ts';
import { listMessageFiles, type MessageFile } from '../definitions/attachments.ts';
import { readToolCalls } from '../history/exchanges.ts';
import { readTextOfPart } from '../thread/ids.ts';
import { readInput, readOutput } from './json.ts';
import type { UIMessage, UIMessagePart, UIToolPart } from './ui-message.ts';

export interface UIMessagesOptions {
  /** Where the page gets a file of the thread. Without it, the files of users' messages are left out. */
  readonly fileUrl?: (file: AttachmentRef) => string;
  /** Whether the page is shown what the model thought. Default: it is. */
  readonly sendReasoning?: boolean;
}

/**
 * Stored messages as the AI SDK's UI messages, for a page that is opened again: what `useChat` takes as its `messages`.
 * A turn is one assistant message with the id that it had in the stream. Left out are rows that only tell of an error, and
 * user messages that hooks wrote.
 *
 * @param messages what `thread.messages()` gave
 */
export function toUIMessages(
  messages: readonly HookMessage[],
  { fileUrl, sendReasoning = true }: UIMessagesOptions = {},
): UIMessage[] {
  const shown: UIMessage[] = [];
  const calls = new Map<string, UIToolPart>();
  let step: string | undefined;
  for (const message of messages) {
    const place = placeIn(messages, message);
    if (message.role === 'user') {
      if (place === undefined || place.what === 'user') shown.push(said(message, fileUrl));
    } else if (message.role === 'tool') addResult(calls.get(message.tool_call_id ?? ''), message);
    else if (message.role === 'assistant' && !('error_code' in message)) {
      const { parts } = findAnswer(shown, place?.turnId ?? message.id, place !== undefined);
      if (place !== undefined && place.step !== step) parts.push({ type: 'step-start' });
      step = place?.step ?? step;
      if (sendReasoning) parts.push(...thought(message));
      if (message.content) parts.push({ type: 'text', text: message.content, state: 'done' });
      for (const call of readToolCalls(message)) parts.push(newCall(calls, call));
    }
  }
  return shown;
}

/** Of stored messages those that the last assistant message on the page is made of, where nothing follows it. */
export function lastAnswerIn(messages: readonly HookMessage[]): readonly HookMessage[] {
  const found: HookMessage[] = [];
  let turnId: string | undefined;
  for (const message of messages.toReversed()) {
    if ('error_code' in message) continue;
    const place = placeIn(messages, message);
    if (message.role === 'user' && (place === undefined || place.what === 'user')) break;
    if (message.role === 'assistant' && place !== undefined) {
      turnId ??= place.turnId;
      if (place.turnId !== turnId) break;
    }
    found.unshift(message);
  }
  return found;
}

interface MessagePlace {
  readonly turnId: string;
  /** The turn with the number of the step. */
  readonly step: string;
  readonly what: string;
}

/** Where in a turn a message was written. A call that was queued is made in a later step, which the id of its result tells. */
function placeIn(messages: readonly HookMessage[], message: HookMessage): MessagePlace | undefined {
  const place = readMessagePlace(message.id);
  if (place === undefined || place.what === 'answer') return place;
  const [call] = readToolCalls(message);
  const result = call && messages.find(({ tool_call_id: id, role }) => role === 'tool' && id === call.id);
  return (result && readMessagePlace(result.id)) ?? place;
}

/** Whether a message is what a model answered in a step of a turn. */
export function isStepAnswer(id: string): boolean {
  return readMessagePlace(id)?.what === 'answer';
}

/** Its id tells. */
function readMessagePlace(id: string): MessagePlace | undefined {
  const [, step, turnId, what] = PLACE.exec(id) ?? [];
  return step && turnId && what ? { step, turnId: readTextOfPart(turnId), what } : undefined;
}

/** The turn, the number of the step and the place in it; the numbers of results and of queued calls are none of steps. A turn's id may have line breaks. */
const PLACE =
  /^((.+)(?<!\.(?:queued|result))\.\d+)\.(user|answer|queued|context|continue|batch|[a-z]+\..+)$/s;

function said(message: HookMessage, fileUrl: UIMessagesOptions['fileUrl']): UIMessage {
  const { id, content } = message;
  const files =
    fileUrl === undefined ? [] : listMessageFiles(message).map((file) => toFilePart(file, fileUrl));
  const text = { type: 'text', text: content ?? '', state: 'done' } as const;
  return { id, role: 'user', parts: files.length > 0 && !content ? files : [...files, text] };
}

/** Reasoning that only its provider can read has no text. */
function thought(message: HookMessage): UIMessagePart[] {
  const { reasoning = [] } = readPartFields(message as Partial<WholeAnswer>);
  const shown = reasoning.filter(({ text }) => text !== '');
  return shown.map(({ text }) => ({ type: 'reasoning', text, state: 'done' }));
}

function toFilePart(file: MessageFile, fileUrl: (file: AttachmentRef) => string): UIMessagePart {
  const { name: filename, mimeType: mediaType } = file;
  return { type: 'file', mediaType, filename, url: file.type === 'url' ? file.url : fileUrl(file) };
}

/** The message that the turn's parts belong to: what is written outside of any turn goes with what came before it. */
function findAnswer(shown: UIMessage[], id: string, isOfTurn: boolean): UIMessage {
  const last = shown.at(-1);
  if (last?.role === 'assistant' && (last.id === id || !isOfTurn)) return last;
  const answer: UIMessage = { id, role: 'assistant', parts: [] };
  shown.push(answer);
  return answer;
}

function newCall(
  calls: Map<string, UIToolPart>,
  { id, function: { name, arguments: input } }: HookToolCall,
): UIToolPart {
  const part: UIToolPart = {
    type: `tool-${name}`,
    toolCallId: id,
    state: 'input-available',
    input: readInput(input),
  };
  calls.set(id, part);
  return part;
}

function addResult(
  part: UIToolPart | undefined,
  { content, ...row }: HookMessage & { status?: unknown; refused_by?: unknown },
): void {
  if (part === undefined) return;
  if (row.refused_by === 'person')
    Object.assign(part, { state: 'output-denied', approval: { id: part.toolCallId, approved: false } });
  else if (row.status === 'error') Object.assign(part, { state: 'output-error', errorText: content ?? '' });
  else Object.assign(part, { state: 'output-available', output: readOutput(content ?? '') });
}
