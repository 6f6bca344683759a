import type { AgentInputItem } from '@openai/agents';
import type { HookMessage, HookToolCall, LLMMessage } from '@spec/hooks';
import type { Said } from '@spec/hooks/host';

type Item = AgentInputItem;
export type UserItem = Extract<Item, { role: 'user' }>;
type SystemItem = Extract<Item, { role: 'system' }>;
type AssistantItem = Extract<Item, { role: 'assistant' }>;
type CallItem = Extract<Item, { type: 'function_call' }>;
export type ResultItem = Extract<Item, { type: 'function_call_result' }>;

/** What hooks are given of the items of a run, and what stands behind each of their messages. */
export interface Lent {
  readonly messages: HookMessage[];
  readonly originals: ReadonlyMap<string, Original>;
}

interface Original {
  readonly lent: HookMessage;
  /** Several where a model said them: a text, calls, reasoning. */
  readonly items: Item[];
}

export const isUser = (item: Item): item is UserItem => 'role' in item && item.role === 'user';
export const isSystem = (item: Item): item is SystemItem => 'role' in item && item.role === 'system';
const isAssistant = (item: Item): item is AssistantItem => 'role' in item && item.role === 'assistant';
export const isCall = (item: Item): item is CallItem => item.type === 'function_call';
export const isResult = (item: Item): item is ResultItem => item.type === 'function_call_result';

/** What no hook reads, and may say what hooks have taken out of the text beside it. */
const isUnread = ({ type }: Item): boolean => type === 'reasoning' || type === 'unknown';

/** Whether it is a text, by whatever name: an application may have it from elsewhere. */
const isText = (part: object): part is { readonly text: string } =>
  'text' in part && typeof part.text === 'string';

/** The texts of a user's message; images and files stay with it. */
export function readUserText({ content }: UserItem): string | null {
  if (typeof content === 'string') return content;
  const texts = content.flatMap((part) => (isText(part) ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

/** A user's message with another text, and with its images and files. */
export function changeUserText(item: UserItem, text: string | null): UserItem {
  if (typeof item.content === 'string') return { ...item, content: text ?? '' };
  const files = item.content.filter((part) => !isText(part));
  return { ...item, content: [{ type: 'input_text', text: text ?? '' }, ...files] };
}

/** What a model said: that it refuses, too, and what it said aloud. */
export function readSaid(items: readonly Item[]): Said {
  const texts = listContent(items).flatMap((part) => {
    if (part.type === 'refusal') return [part.refusal];
    if (part.type === 'audio') return part.transcript == null ? [] : [part.transcript];
    return part.type === 'output_text' ? [part.text] : [];
  });
  return { text: texts.length === 0 ? null : texts.join(''), calls: items.filter(isCall).map(toCall) };
}

/** The text of an answer that its stream has in pieces: a refusal has none. */
export function readStreamedText(items: readonly Item[]): string {
  return isRefusal(items) ? '' : (readSaid(items).text ?? '');
}

function listContent(items: readonly Item[]): AssistantItem['content'] {
  return items.filter(isAssistant).flatMap(({ content }) => content);
}

function isRefusal(items: readonly Item[]): boolean {
  const content = listContent(items);
  return content.length > 0 && content.every(({ type }) => type === 'refusal');
}

export function toCall({ callId: id, name, arguments: json }: CallItem): HookToolCall {
  return { id, type: 'function', function: { name, arguments: json } };
}

/**
 * What a model said with another text and other calls. Reasoning goes, as it may say the same, and so does what the SDK does not know; and so
 * do the ids that the provider gave the other items, which it knows with their reasoning only.
 */
export function replaceSaid(items: readonly Item[], { text, calls }: Said): Item[] {
  const kept = items.filter((item) => !isAssistant(item) && !isCall(item) && !isUnread(item));
  const make = isRefusal(items) ? makeRefusal : makeAnswer;
  const message: Item[] = text === null || text === '' ? [] : [make(text)];
  return [...message, ...kept, ...calls.map((call) => remakeCall(call, items.filter(isCall)))];
}

/** A call with where it belongs: the namespace of its tool, and the program that makes it. */
function remakeCall({ id: callId, function: called }: HookToolCall, came: readonly CallItem[]): Item {
  const { namespace, caller } = came.find((item) => item.callId === callId) ?? {};
  return {
    ...{ type: 'function_call', callId, name: called.name, arguments: called.arguments },
    ...(namespace === undefined ? {} : { namespace }),
    ...(caller === undefined ? {} : { caller }),
  };
}

/** A text as a model says it. */
export function makeAnswer(text: string): AssistantItem {
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
  };
}

/** A text with which a model refuses: the SDK ends a run with it. */
function makeRefusal(refusal: string): AssistantItem {
  return { ...makeAnswer(''), content: [{ type: 'refusal', refusal }] };
}

/** The items of a run in the form of the specification. Their ids tell their places; what a model said at once is one message. */
export function lendItems(items: readonly Item[]): Lent {
  const originals = new Map<string, Original>();
  const groups: Item[][] = [];
  let isOpen = false;
  for (const item of items) {
    const stands = isUser(item) || isSystem(item) || isResult(item);
    if (isOpen && !stands) groups.at(-1)?.push(item);
    else groups.push([item]);
    isOpen = !stands;
  }
  for (const [at, group] of groups.entries()) {
    const id = `item.${at}`;
    originals.set(id, { items: group, lent: { id, created_at: at, ...readGroup(group) } });
  }
  return { originals, messages: [...originals.values()].map(({ lent }) => lent) };
}

function readGroup(group: readonly Item[]): Omit<HookMessage, 'id' | 'created_at'> {
  const [first] = group;
  if (first !== undefined && isUser(first)) return { role: 'user', content: readUserText(first) };
  if (first !== undefined && isSystem(first)) return { role: 'system', content: first.content };
  if (first !== undefined && isResult(first))
    return { role: 'tool', content: readOutput(first), tool_call_id: first.callId, name: first.name };
  const { text: content, calls } = readSaid(group);
  const tool_calls = calls.length === 0 ? {} : { tool_calls: JSON.stringify(calls) };
  return { role: 'assistant', content, ...tool_calls };
}

export function readOutput({ output }: ResultItem): string {
  if (typeof output === 'string') return output;
  const parts = Array.isArray(output) ? output : [output];
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

/**
 * The results of the calls that a model made last.
 *
 * @param known calls that may stand among the items or not: where the provider keeps the conversation, results come without them
 */
export function findResults(
  items: readonly Item[],
  known: readonly HookToolCall[] = [],
): { readonly call: HookToolCall; readonly text: string }[] {
  const isLater = (item: Item): boolean => isResult(item) || isUser(item) || isSystem(item);
  const after = items.slice(items.findLastIndex((item) => !isLater(item)) + 1);
  const calls = [...known, ...items.filter(isCall).map(toCall)];
  return after.filter(isResult).flatMap((item) => {
    const call = calls.findLast(({ id }) => id === item.callId);
    return call === undefined ? [] : [{ call, text: readOutput(item) }];
  });
}

/** A result with another text. */
export function changeOutput(item: ResultItem, output: string): Item {
  return { ...item, output };
}

/** What hooks made of the messages, as items. What they left alone is what it was, with its files and what the provider needs. */
export function takeBack(messages: readonly LLMMessage[], { originals }: Lent): Item[] {
  const names = new Map(
    [...originals.values()].flatMap(({ items }) =>
      items.filter(isCall).map(({ callId, name }) => [callId, name]),
    ),
  );
  return messages.flatMap((message) => {
    const original = originals.get(String((message as { id?: unknown }).id));
    return original !== undefined && isSame(original, message)
      ? original.items
      : remake(message, original?.items ?? [], names);
  });
}

function isSame({ lent, items }: Original, { role, content, tool_calls = [] }: LLMMessage): boolean {
  if (lent.role !== role || lent.content !== content) return false;
  return role !== 'assistant' || JSON.stringify(readSaid(items).calls) === JSON.stringify(tool_calls);
}

function remake(
  { role, content, tool_calls = [], tool_call_id: callId = '', name }: LLMMessage,
  items: readonly Item[],
  names: ReadonlyMap<string, string>,
): Item[] {
  if (role === 'system') return [{ role, content: content ?? '' }];
  if (role === 'assistant')
    return replaceSaid(items, { text: content, calls: tool_calls as readonly HookToolCall[] });
  if (role === 'tool') {
    const text = { output: content ?? '', status: 'completed' } as const;
    const made = {
      type: 'function_call_result',
      callId,
      name: names.get(callId) ?? name ?? 'unknown',
    } as const;
    return [{ ...made, ...items.find(isResult), ...text }];
  }
  return [changeUserText(items.find(isUser) ?? { role: 'user', content: '' }, content)];
}
