import type { ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { HookMessage, HookToolCall, LLMMessage } from '@spec/hooks';
import { parseOrText } from '@spec/hooks/host';

/** What Mastra sends to a model. */
export type Prompt = ProcessLLMRequestArgs['prompt'];
type PromptMessage = Prompt[number];

/** Everything of a prompt but its system messages. */
export type SpokenMessage = Exclude<PromptMessage, { role: 'system' }>;
type ResultPart = Extract<PromptMessage, { role: 'tool' }>['content'][number];

/** What hooks are given of a prompt, and what stands behind each of their messages. */
export interface Lent {
  readonly messages: HookMessage[];
  readonly originals: ReadonlyMap<string, Original>;
}

interface Original {
  readonly lent: HookMessage;
  readonly message: SpokenMessage;
  /** The one result of a tool message that it is. */
  readonly result?: ResultPart;
}

/** The texts of a message; files and reasoning stay with the original. */
function readText({ content }: SpokenMessage): string | null {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
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
        lend(toResultRow(`${id}.${n}`, at, result), { message, result });
      continue;
    }
    const calls = readCalls(message);
    const tool_calls = calls.length === 0 ? {} : { tool_calls: JSON.stringify(calls) };
    lend({ id, role: message.role, content: readText(message), created_at: at, ...tool_calls }, { message });
  }
  return { messages, originals };
}

function toResultRow(id: string, created_at: number, part: ResultPart): HookMessage {
  const { toolCallId: tool_call_id, toolName: name } = part;
  return { id, role: 'tool', content: readOutput(part), created_at, tool_call_id, name };
}

function readOutput({ output }: ResultPart): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type !== 'content') return JSON.stringify(output.value);
  return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A call that Mastra has answered by itself. */
export interface RefusedCall {
  readonly call: HookToolCall;
  readonly error: string;
}

/** The calls of the last answer. */
export function listLastCalls(prompt: Prompt): HookToolCall[] {
  const last = prompt.findLast(({ role }) => role === 'assistant');
  return last === undefined ? [] : readCalls(last as SpokenMessage);
}

/** The calls of the last answer, with the texts of their results. */
export function findRefused(prompt: Prompt): RefusedCall[] {
  const calls = listLastCalls(prompt);
  const after = prompt.slice(prompt.findLastIndex(({ role }) => role === 'assistant') + 1);
  return after.flatMap((message) => {
    if (message.role !== 'tool') return [];
    return message.content.flatMap((part) => {
      const call = calls.find(({ id }) => id === part.toolCallId);
      return call === undefined ? [] : [{ call, error: readOutput(part) }];
    });
  });
}

/** A message with other texts for some of its results. */
export function changeResults(message: SpokenMessage, texts: ReadonlyMap<string, string>): SpokenMessage {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) => {
    const value = texts.get(part.toolCallId);
    const isSame = value === undefined || readOutput(part) === value;
    return isSame ? part : { ...part, output: { type: 'text' as const, value } };
  });
  return { ...message, content };
}

/** What hooks made of the messages, as a prompt. What they left alone is what it was, with its files and provider options. */
export function takeBack(messages: readonly LLMMessage[], { originals }: Lent): Prompt {
  const prompt: Prompt = [];
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
): PromptMessage {
  const { role, content } = message;
  const isSame = original !== undefined && original.lent.role === role && original.lent.content === content;
  if (role === 'tool')
    return { role, content: [isSame && original.result ? original.result : makeResult(message, names)] };
  if (role === 'system') return { role, content: content ?? '' };
  if (role !== 'assistant') {
    if (isSame) return original.message;
    const files = (original?.message.content ?? []).flatMap((part) => (part.type === 'file' ? [part] : []));
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
): ResultPart {
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
): Extract<PromptMessage, { role: 'assistant' }>['content'] {
  const text = content === null || content === '' ? [] : [{ type: 'text', text: content } as const];
  return [
    ...text,
    ...calls.map(({ id, function: { name, arguments: json } }) => ({
      ...({ type: 'tool-call', toolCallId: id, toolName: name } as const),
      input: parseOrText(json),
    })),
  ];
}
