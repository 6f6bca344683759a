import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { HookMessage, HookToolCall, LLMMessage } from '@spec/hooks';
import { parseOrText } from '@spec/hooks/host';

/** Everything of a prompt but its system messages. */
export type SpokenMessage = Exclude<LanguageModelV3Message, { role: 'system' }>;

/** What hooks are given of a prompt, and what stands behind each of their messages. */
export interface Lent {
  readonly messages: HookMessage[];
  readonly originals: ReadonlyMap<string, Original>;
}

interface Original {
  readonly lent: HookMessage;
  readonly message: SpokenMessage;
  /** The one result of a tool message that it is. */
  readonly result?: LanguageModelV3ToolResultPart;
}

/** The texts of a message; files and reasoning stay with the original. */
export function readText({ content }: SpokenMessage): string | null {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

/** The texts of a message as a model said them, piece by piece. */
export function readTexts({ content }: SpokenMessage): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** The ids of the calls in a message, and of those that it has results of. */
export function listCallIds({ content }: SpokenMessage): string[] {
  return content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []));
}

/** A message with another text, its files kept. */
export function replaceText<Given extends Extract<SpokenMessage, { role: 'user' }>>(
  given: Given,
  text: string,
): Given {
  const files = given.content.filter((part) => part.type === 'file');
  return { ...given, content: [{ type: 'text', text }, ...files] };
}

/** What tells a message from the others of its conversation, without the bytes of its files, and without reasoning, which steps may leave out. */
export function describeMessage(message: SpokenMessage): string {
  const parts = message.content.flatMap((part) => {
    if ('toolCallId' in part) return [`${part.type} ${part.toolCallId}`];
    if (part.type === 'file') return [`${part.type} ${part.mediaType}`];
    if (part.type === 'reasoning') return [];
    return [`${part.type} ${'text' in part ? part.text : ''}`];
  });
  return JSON.stringify([message.role, ...parts]);
}

function readCalls({ content }: SpokenMessage): HookToolCall[] {
  return content.flatMap((part): HookToolCall[] => {
    if (part.type !== 'tool-call') return [];
    const json = typeof part.input === 'string' ? part.input : JSON.stringify(part.input);
    return [{ id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: json } }];
  });
}

/** The messages of a prompt in the form of the specification. Their ids tell their places; each result of a tool is a message. */
export function lendMessages(spoken: readonly SpokenMessage[]): Lent {
  const originals = new Map<string, Original>();
  const messages: HookMessage[] = [];
  const lend = (lent: HookMessage, original: Omit<Original, 'lent'>): void => {
    messages.push(lent);
    originals.set(lent.id, { ...original, lent });
  };
  for (const [at, message] of spoken.entries()) {
    const id = `prompt.${at}`;
    if (message.role === 'tool') {
      for (const [n, result] of message.content.entries())
        if (result.type === 'tool-result') lend(toResultRow(`${id}.${n}`, at, result), { message, result });
      continue;
    }
    const calls = readCalls(message);
    const tool_calls = calls.length === 0 ? {} : { tool_calls: JSON.stringify(calls) };
    lend({ id, role: message.role, content: readText(message), created_at: at, ...tool_calls }, { message });
  }
  return { messages, originals };
}

function toResultRow(id: string, created_at: number, part: LanguageModelV3ToolResultPart): HookMessage {
  const { toolCallId: tool_call_id, toolName: name } = part;
  return { id, role: 'tool', content: readOutput(part), created_at, tool_call_id, name };
}

function readOutput({ output }: LanguageModelV3ToolResultPart): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type === 'execution-denied') return output.reason ?? '';
  if (output.type !== 'content') return JSON.stringify(output.value);
  return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A call that the AI SDK has answered by itself. */
export interface RefusedCall {
  readonly call: HookToolCall;
  readonly error: string;
  /** Whether a person did not approve it. */
  readonly isDenied: boolean;
}

/** The calls of the last answer. */
export function listLastCalls(spoken: readonly SpokenMessage[]): HookToolCall[] {
  const last = spoken.findLast(({ role }) => role === 'assistant');
  return last === undefined ? [] : readCalls(last);
}

/** The calls of the last answer whose results tell of an error. */
export function findRefused(spoken: readonly SpokenMessage[]): RefusedCall[] {
  const calls = listLastCalls(spoken);
  const after = spoken.slice(spoken.findLastIndex(({ role }) => role === 'assistant') + 1);
  const results = after.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return results.flatMap((part): RefusedCall[] => {
    if (part.type !== 'tool-result') return [];
    const { type } = part.output;
    const call = calls.find(({ id }) => id === part.toolCallId);
    if (call === undefined || !refusals.has(type)) return [];
    return [{ call, error: readOutput(part), isDenied: type === 'execution-denied' }];
  });
}

const refusals: ReadonlySet<string> = new Set(['error-text', 'error-json', 'execution-denied']);

/** A message with other texts for some of its results. */
export function changeResults(message: SpokenMessage, texts: ReadonlyMap<string, string>): SpokenMessage {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) => {
    const value = part.type === 'tool-result' ? texts.get(part.toolCallId) : undefined;
    const isSame = value === undefined || part.type !== 'tool-result' || readOutput(part) === value;
    return isSame ? part : { ...part, output: { type: 'error-text' as const, value } };
  });
  return { ...message, content };
}

/** What hooks made of the messages, as a prompt. What they left alone is what it was, with its files and provider options. */
export function takeBack(messages: readonly LLMMessage[], { originals }: Lent): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  const names = new Map([...originals.values()].flatMap(({ message }) => readCalls(message).map(nameById)));
  for (const message of messages) {
    const next = takeOne(message, originals.get(String((message as { id?: unknown }).id)), names);
    const previous = prompt.at(-1);
    if (next.role === 'tool' && previous?.role === 'tool') previous.content.push(...next.content);
    else prompt.push(next);
  }
  return prompt;
}

const nameById = ({ id, function: { name } }: HookToolCall): [string, string] => [id, name];

function takeOne(
  message: LLMMessage,
  original: Original | undefined,
  names: ReadonlyMap<string, string>,
): LanguageModelV3Message {
  const { role, content } = message;
  const isSame = original !== undefined && original.lent.role === role && original.lent.content === content;
  if (role === 'tool')
    return { role, content: [isSame && original.result ? original.result : makeResult(message, names)] };
  if (role === 'system') return { role, content: content ?? '' };
  if (role !== 'assistant') {
    if (isSame) return original.message;
    const files = original?.message.content.filter((part) => part.type === 'file') ?? [];
    return { role: 'user', content: [{ type: 'text', text: content ?? '' }, ...files] };
  }
  const calls = (message.tool_calls ?? []) as readonly HookToolCall[];
  if (isSame && sameCalls(original, calls)) return original.message;
  return { role, content: makeAnswer(content, calls) };
}

function sameCalls({ message }: Original, calls: readonly HookToolCall[]): boolean {
  return JSON.stringify(readCalls(message)) === JSON.stringify(calls);
}

function makeResult(
  { tool_call_id = '', name, content }: LLMMessage,
  names: ReadonlyMap<string, string>,
): LanguageModelV3ToolResultPart {
  const toolName = names.get(tool_call_id) ?? name ?? 'unknown';
  return {
    type: 'tool-result',
    toolCallId: tool_call_id,
    toolName,
    output: { type: 'text', value: content ?? '' },
  };
}

/** Signed reasoning does not survive a change of what it signed. */
function makeAnswer(
  content: string | null,
  calls: readonly HookToolCall[],
): Extract<LanguageModelV3Message, { role: 'assistant' }>['content'] {
  const text = content === null || content === '' ? [] : [{ type: 'text', text: content } as const];
  return [
    ...text,
    ...calls.map(({ id, function: { name, arguments: json } }) => ({
      ...({ type: 'tool-call', toolCallId: id, toolName: name } as const),
      input: parseOrText(json),
    })),
  ];
}
