import { parseOrText } from '../json.ts';
import type { HookMessage, HookToolCall, LLMMessage } from '../vocabulary/messages.ts';
import type { LentMessages } from './recall-rows.ts';

/**
 * A message of a prompt in the form that the providers of the AI SDK take. Several frameworks send it, each with its own version of the types;
 * what is read here is the same in all of them.
 */
export interface PromptMessage {
  readonly role: string;
  /** A text where the role is `system`. */
  readonly content: string | readonly PromptPart[];
}

export interface PromptPart {
  readonly type: string;
}

interface TextPart extends PromptPart {
  readonly text: string;
}

interface CallPart extends PromptPart {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

interface ResultPart extends PromptPart {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: {
    readonly type: string;
    readonly value?: unknown;
    /** Why a person did not approve the call. */
    readonly reason?: string;
  };
}

/** What stands behind a message that hooks are given of a prompt. */
export interface LentOriginal<Message extends PromptMessage> {
  readonly lent: HookMessage;
  readonly message: Message;
  /** The one result of a tool message that it is. */
  readonly result?: PromptPart;
}

const isText = (part: PromptPart): part is TextPart => part.type === 'text';
const isCall = (part: PromptPart): part is CallPart => part.type === 'tool-call';
const isResult = (part: PromptPart): part is ResultPart => part.type === 'tool-result';
const listParts = ({ content }: PromptMessage): readonly PromptPart[] =>
  typeof content === 'string' ? [] : content;

/** The texts of a message; files and reasoning stay with the original. */
export function readPromptText(message: PromptMessage): string | null {
  const texts = listParts(message).filter(isText);
  return texts.length === 0 ? null : texts.map(({ text }) => text).join('\n');
}

/** The messages of a prompt, without its system messages, in the form of the specification. Their ids tell their places; each result of a tool is a message. */
export function lendPrompt<Message extends PromptMessage>(
  spoken: readonly Message[],
): LentMessages<LentOriginal<Message>> {
  const originals = new Map<string, LentOriginal<Message>>();
  const messages: HookMessage[] = [];
  const lend = (lent: HookMessage, original: Omit<LentOriginal<Message>, 'lent'>): void => {
    messages.push(lent);
    originals.set(lent.id, { ...original, lent });
  };
  for (const [at, message] of spoken.entries()) {
    const id = `prompt.${at}`;
    if (message.role === 'tool') {
      for (const [n, result] of listParts(message).entries())
        if (isResult(result)) lend(makeResultRow(`${id}.${n}`, at, result), { message, result });
      continue;
    }
    const role = message.role as HookMessage['role'];
    const calls = readCalls(message);
    const tool_calls = calls.length === 0 ? {} : { tool_calls: JSON.stringify(calls) };
    lend({ id, role, content: readPromptText(message), created_at: at, ...tool_calls }, { message });
  }
  return { messages, originals };
}

function makeResultRow(id: string, created_at: number, part: ResultPart): HookMessage {
  const { toolCallId: tool_call_id, toolName: name } = part;
  return { id, role: 'tool', content: readOutput(part), created_at, tool_call_id, name };
}

function readOutput({ output: { type, value, reason } }: ResultPart): string {
  if (type === 'text' || type === 'error-text') return String(value);
  if (type === 'execution-denied') return reason ?? '';
  if (type !== 'content') return JSON.stringify(value);
  return (value as readonly PromptPart[])
    .filter(isText)
    .map(({ text }) => text)
    .join('\n');
}

function readCalls(message: PromptMessage): HookToolCall[] {
  return listParts(message)
    .filter(isCall)
    .map(({ toolCallId: id, toolName: name, input }) => {
      const json = typeof input === 'string' ? input : JSON.stringify(input);
      return { id, type: 'function', function: { name, arguments: json } };
    });
}

/** The calls of the last answer in a prompt. */
export function listLastCalls(prompt: readonly PromptMessage[]): HookToolCall[] {
  const last = prompt.findLast(({ role }) => role === 'assistant');
  return last === undefined ? [] : readCalls(last);
}

/** A result of a call of the last answer. */
export interface LastResult {
  readonly call: HookToolCall;
  readonly readText: () => string;
  /** What the form calls it: `text`, `error-text`, `execution-denied` … */
  readonly type: string;
}

/** The results behind the last answer in a prompt. */
export function listLastResults(prompt: readonly PromptMessage[]): LastResult[] {
  if (prompt.at(-1)?.role === 'assistant') return [];
  const calls = listLastCalls(prompt);
  if (calls.length === 0) return [];
  const after = prompt.slice(prompt.findLastIndex(({ role }) => role === 'assistant') + 1);
  const results = after.filter(({ role }) => role === 'tool').flatMap(listParts);
  return results.filter(isResult).flatMap((part) => {
    const call = calls.find(({ id }) => id === part.toolCallId);
    return call === undefined ? [] : [{ call, readText: () => readOutput(part), type: part.output.type }];
  });
}

/**
 * A message with other texts for some of its results.
 *
 * @param find the other text of a result, by the id of its call and by what it says
 * @param type what such a result is from then on
 */
export function changeResults<Message extends PromptMessage>(
  message: Message,
  find: (callId: string, text: string) => string | undefined,
  type: 'text' | 'error-text',
): Message {
  if (message.role !== 'tool') return message;
  const content = listParts(message).map((part) => {
    const value = isResult(part) ? find(part.toolCallId, readOutput(part)) : undefined;
    const isSame = value === undefined || !isResult(part) || readOutput(part) === value;
    return isSame ? part : { ...part, output: { type, value } };
  });
  return { ...message, content };
}

/** A message of the system, which has no parts. */
interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

/** What hooks made of the messages, as a prompt. What they left alone is what it was, with its files and provider options. */
export function takePromptBack<Message extends PromptMessage>(
  messages: readonly LLMMessage[],
  { originals }: LentMessages<LentOriginal<Message>>,
): (Message | SystemMessage)[] {
  const prompt: PromptMessage[] = [];
  const names = new Map([...originals.values()].flatMap(({ message }) => readCalls(message).map(nameById)));
  for (const message of messages) {
    const original = originals.get(String((message as { id?: unknown }).id));
    const next = takeOne(message, original, names);
    const previous = prompt.at(-1);
    if (next.role === 'tool' && previous?.role === 'tool')
      prompt.splice(-1, 1, { ...previous, content: [...listParts(previous), ...listParts(next)] });
    else prompt.push(next);
  }
  return prompt as (Message | SystemMessage)[];
}

const nameById = ({ id, function: { name } }: HookToolCall): [string, string] => [id, name];

function takeOne(
  message: LLMMessage,
  original: LentOriginal<PromptMessage> | undefined,
  names: ReadonlyMap<string, string>,
): PromptMessage {
  const { role, content } = message;
  const isSame = original !== undefined && original.lent.role === role && original.lent.content === content;
  if (role === 'tool')
    return { role, content: [isSame && original.result ? original.result : makeResult(message, names)] };
  if (role === 'system') return { role, content: content ?? '' };
  if (role !== 'assistant') {
    if (isSame) return original.message;
    const files = original === undefined ? [] : listParts(original.message).filter(isFile);
    return { role: 'user', content: [makeText(content ?? ''), ...files] };
  }
  const calls = (message.tool_calls ?? []) as readonly HookToolCall[];
  if (isSame && hasSameCalls(original, calls)) return original.message;
  return { role, content: makeAnswer(content, calls) };
}

const isFile = ({ type }: PromptPart): boolean => type === 'file';
const makeText = (text: string): TextPart => ({ type: 'text', text });

function hasSameCalls({ message }: LentOriginal<PromptMessage>, calls: readonly HookToolCall[]): boolean {
  return JSON.stringify(readCalls(message)) === JSON.stringify(calls);
}

function makeResult(
  { tool_call_id = '', name, content }: LLMMessage,
  names: ReadonlyMap<string, string>,
): ResultPart {
  const toolName = names.get(tool_call_id) ?? name ?? 'unknown';
  const output = { type: 'text', value: content ?? '' };
  return { type: 'tool-result', toolCallId: tool_call_id, toolName, output };
}

/** Signed reasoning does not survive a change of what it signed. */
function makeAnswer(content: string | null, calls: readonly HookToolCall[]): PromptPart[] {
  const text = content === null || content === '' ? [] : [makeText(content)];
  const made = calls.map(
    ({ id, function: { name, arguments: json } }): CallPart => ({
      ...{ type: 'tool-call', toolCallId: id, toolName: name },
      input: parseOrText(json),
    }),
  );
  return [...text, ...made];
}
