import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  type ContentBlock,
  HumanMessage,
  type InvalidToolCall,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { type HookMessage, type HookToolCall, isRecord, type LLMMessage } from '@spec/hooks';
import {
  changeFiles,
  type HeardMessage,
  keepsFiles,
  type OtherFile,
  readContentTexts,
  readFiles,
  readToolCalls,
  type Said,
  type SentFile,
} from '@spec/hooks/host';

/** What hooks are given of the messages of an agent, and what stands behind each of them. */
export interface Lent {
  readonly messages: HookMessage[];
  readonly originals: ReadonlyMap<string, Original>;
}

interface Original {
  readonly lent: HookMessage;
  readonly message: BaseMessage;
}

const roles: Readonly<Record<string, HookMessage['role']>> = {
  ...{ ai: 'assistant', assistant: 'assistant', tool: 'tool', function: 'tool' },
  ...{ system: 'system', developer: 'system' },
};

/** Whose message it is. A `ChatMessage` says that itself; a role that nobody knows is held to be the user's. */
function readRole(message: BaseMessage): HookMessage['role'] {
  const named = ChatMessage.isInstance(message) ? message.role : message.type;
  return Object.hasOwn(roles, named) ? (roles[named] ?? 'user') : 'user';
}

/** Whether the user said it. */
export function isUsers(message: BaseMessage): boolean {
  return readRole(message) === 'user';
}

/** The messages of an agent in the form of the specification. */
export function lendMessages(messages: readonly BaseMessage[]): Lent {
  const originals = new Map<string, Original>();
  for (const [at, message] of messages.entries()) {
    const id = message.id ?? `message.${at}`;
    originals.set(id, { message, lent: { id, created_at: at, ...readMessage(message) } });
  }
  return { originals, messages: [...originals.values()].map(({ lent }) => lent) };
}

function readMessage(message: BaseMessage): Omit<HookMessage, 'id' | 'created_at'> {
  const role = readRole(message);
  const content = readText(message);
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id, name } = message;
    return { role, content: content ?? '', tool_call_id, ...(name === undefined ? {} : { name }) };
  }
  const calls = AIMessage.isInstance(message) ? readCalls(message) : [];
  return { role, content, ...(calls.length === 0 ? {} : { tool_calls: JSON.stringify(calls) }) };
}

/** The texts of a message; images, files and reasoning stay with it. */
export function readText(message: BaseMessage): string | null {
  const text = hasOtherTexts(message) ? readBlocks(message.content).join('\n') : message.text;
  return text === '' ? null : text;
}

/** Whether it has texts that LangChain does not count as such: a document, say. What a model answers has reasoning by such names. */
function hasOtherTexts({ type, content }: BaseMessage): boolean {
  return type !== 'ai' && typeof content !== 'string' && content.some((block) => block.type !== 'text');
}

const readBlocks = (content: BaseMessage['content']): string[] =>
  typeof content === 'string' ? [content] : content.flatMap(readBlockTexts);

/** The texts of a block: with what a document is called and is about, and of one that stands as its provider has it in a block of LangChain. */
function readBlockTexts(block: object): string[] {
  const { type, value, title, context } = block as Readonly<Record<string, unknown>>;
  if (type === 'non_standard') return isRecord(value) ? readBlockTexts(value) : [];
  const texts = readContentTexts(block);
  if (texts.length === 0) return [];
  return [title, context, ...texts].filter((text): text is string => typeof text === 'string');
}

export function readCalls({ tool_calls = [] }: AIMessage): HookToolCall[] {
  return tool_calls.map(({ id = '', name, args }) => toCall(id, name, args));
}

export function toCall(id: string, name: string, args: unknown): HookToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

/** The files of a user's message. */
export function readMessageFiles({ content }: BaseMessage): Promise<readonly SentFile[]> {
  return readFiles(typeof content === 'string' ? [] : content);
}

/** A user's message with another text, and with its images and files. */
function changeText(message: BaseMessage, text: string): HumanMessage {
  const { content } = message;
  const files =
    typeof content === 'string' ? [] : content.filter((block) => readBlockTexts(block).length === 0);
  return remakeUsers(message, files.length === 0 ? text : [{ type: 'text', text }, ...files]);
}

type Heard = Extract<HeardMessage, { isDenied: false }>;

/** A user's message as hooks have left it. The same object where they have left it alone. */
export function changeUsers(message: BaseMessage, sent: readonly SentFile[], heard: Heard): BaseMessage {
  const text = heard.content ?? '';
  const isSame = heard.content === readText(message);
  const named = isSame ? message : changeText(message, text);
  if (keepsFiles(heard)) return named;
  const { content } = named;
  const blocks = typeof content === 'string' ? [{ type: 'text', text }] : content;
  const isStandard = message.response_metadata.output_version === 'v1';
  const added = heard.added.map((file) => (isStandard ? makeStandardBlock(file) : makeBlock(file)));
  return remakeUsers(message, [...changeFiles<object>(blocks, sent, heard), ...added]);
}

/** A message of the user with other contents. LangChain reads its blocks by what it says of their form. */
function remakeUsers({ id, name, response_metadata }: BaseMessage, content: string | object[]): HumanMessage {
  const { output_version } = response_metadata;
  return new HumanMessage({
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(output_version === undefined ? {} : { response_metadata: { output_version } }),
    content: content as string | ContentBlock[],
  });
}

/** A file in the form that LangChain turns into that of each provider. */
function makeBlock({ name: filename, mimeType: mime_type, data, url }: OtherFile): object {
  const source = data === undefined ? { source_type: 'url', url } : { source_type: 'base64', data };
  return { type: findKind(mime_type), ...source, mime_type, metadata: { filename } };
}

function makeStandardBlock({ name: filename, mimeType, data, url }: OtherFile): object {
  const source = data === undefined ? { url } : { data };
  return { type: findKind(mimeType), ...source, mimeType, metadata: { filename } };
}

const findKind = (mimeType: string): string => /^(?:image|audio)(?=\/)/.exec(mimeType)?.[0] ?? 'file';

/** An answer with another text and other calls, and without what may say the same: reasoning, and what the provider told of it. */
export function makeAnswer(
  { text, calls }: Said,
  before?: BaseMessage,
  invalid_tool_calls: InvalidToolCall[] = [],
): AIMessage {
  const usage = before !== undefined && AIMessage.isInstance(before) ? before.usage_metadata : undefined;
  return new AIMessage({
    ...(before?.id === undefined ? {} : { id: before.id }),
    ...(before?.name === undefined ? {} : { name: before.name }),
    ...(usage === undefined ? {} : { usage_metadata: usage }),
    ...{ content: text ?? '', invalid_tool_calls },
    tool_calls: calls.map(({ id, function: { name, arguments: json } }) => ({
      ...({ id, name, type: 'tool_call' } as const),
      args: JSON.parse(json) as Record<string, unknown>,
    })),
  });
}

/** What hooks made of the messages. What they left alone is what it was, with its files and what the provider told of it. */
export function takeBack(messages: readonly LLMMessage[], { originals }: Lent): BaseMessage[] {
  return messages.map((message) => {
    const original = originals.get(String((message as { id?: unknown }).id));
    return original !== undefined && isSame(original.lent, message)
      ? original.message
      : remake(message, original?.message);
  });
}

function isSame(lent: HookMessage, { role, content, tool_calls = [] }: LLMMessage): boolean {
  const calls = JSON.stringify(readToolCalls(lent));
  return lent.role === role && lent.content === content && calls === JSON.stringify(tool_calls);
}

function remake(
  { role, content, tool_calls = [], tool_call_id = '', name }: LLMMessage,
  before: BaseMessage | undefined,
): BaseMessage {
  const text = content ?? '';
  if (role === 'system') return new SystemMessage(text);
  if (role === 'assistant')
    return makeAnswer({ text: content, calls: tool_calls as readonly HookToolCall[] }, before);
  if (role === 'tool') {
    const id = before?.id === undefined ? {} : { id: before.id };
    return new ToolMessage({ ...id, content: text, tool_call_id, ...(name === undefined ? {} : { name }) });
  }
  return changeText(before?.type === 'human' ? before : new HumanMessage(''), text);
}

/** What hooks had for conversations of this process, by the ids of its messages. A mark in a message is what whoever writes the input could set. */
const contexts = new Map<string, string>();

/** So many are remembered: those that were made last. One that is forgotten is held to the hooks, as if the user had said it. */
const MAX_CONTEXTS = 1000;

/** What hooks have for the conversation, as a message that is not taken for the user's. */
export function makeContext(content: string): HumanMessage {
  const id = crypto.randomUUID();
  if (contexts.size >= MAX_CONTEXTS) contexts.delete(contexts.keys().next().value ?? '');
  contexts.set(id, content);
  return new HumanMessage({ id, content });
}

/** Whether hooks have made it, in this process. */
export function isContext({ id, content }: BaseMessage): boolean {
  return id !== undefined && contexts.get(id) === content;
}

/**
 * What the user says now: the messages of the user behind the last thing that a model or a tool made. What the application tells the model may
 * stand among them.
 */
export function findNewest(messages: readonly BaseMessage[]): BaseMessage[] {
  const first = messages.findLastIndex((message) => !['user', 'system'].includes(readRole(message))) + 1;
  return messages.slice(first).filter(isUsers);
}

/** The same where others may have answered by now, in the place of a model. */
export function findLastSaid(messages: readonly BaseMessage[]): BaseMessage[] {
  return findNewest(messages.slice(0, messages.findLastIndex(isUsers) + 1));
}

/** Whether both are one. LangGraph gives a message its id when it comes to the state, and another object when it goes on with the turn. */
export function isSameMessage(one: BaseMessage, message: BaseMessage): boolean {
  return one === message || (one.id !== undefined && one.id === message.id);
}

/** Whether a message is the result of a call. */
export function answersCall(message: BaseMessage, callId: string): boolean {
  return ToolMessage.isInstance(message) && message.tool_call_id === callId;
}
