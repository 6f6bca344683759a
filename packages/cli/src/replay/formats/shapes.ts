// Formats: read each form of recorded conversations into one. `replay` calls them; they never open a file.

import { z } from 'zod';
import { type Conversation, describeProblem, toConversation } from './conversation.ts';
import { modelMessage, readSaidOfModel } from './model-messages.ts';
import { makeRecorded, type Said } from './said.ts';
import { readSaidOfUI, uiMessage } from './ui-messages.ts';

/** What the reader of a file is told of the shapes that there are. */
export const KNOWN_SHAPES =
  'OpenAI chat ({ "id", "messages" }), AI SDK messages (a list of UIMessage or ModelMessage, alone or as { "id", "messages" }), one message a line ({ "role", … }) and the lines of Claude Code session files';

/** A conversation, or why there is none; `unknown` where the value has no shape that is known. */
export type Shaped = { readonly conversation: Conversation } | { readonly problem: string | 'unknown' };

const aiConversation = <Message extends z.ZodType>(message: Message) =>
  z.looseObject({
    id: z
      .union([z.string().min(1), z.number().transform(String)], { error: 'must be text, or absent' })
      .optional(),
    messages: z.array(message).min(1, 'must have at least one message'),
  });

const uiConversation = aiConversation(uiMessage);
const modelConversation = aiConversation(modelMessage);

/** @param fallbackId the id of a conversation that names none */
export function shaped(value: unknown, fallbackId: string): Shaped {
  if (isMessageList(value)) return shaped({ id: fallbackId, messages: value }, fallbackId);
  if (typeof value !== 'object' || value === null) return { problem: 'unknown' };
  const { messages } = value as { readonly messages?: unknown };
  const kind = Array.isArray(messages) ? findKind(messages) : 'openai';
  if (kind === 'ui') return aiSdk(uiConversation.safeParse(value), fallbackId, readSaidOfUI);
  if (kind === 'model') return aiSdk(modelConversation.safeParse(value), fallbackId, readSaidOfModel);
  if (!('messages' in value || 'id' in value)) return { problem: 'unknown' };
  const { id = fallbackId } = value as { readonly id?: unknown };
  const conversation = toConversation({ ...value, id });
  return 'problem' in conversation ? conversation : { conversation };
}

/** Messages of one conversation without anything around them. */
export function isMessageList(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof readRole(item) === 'string')
  );
}

function readRole(item: unknown): unknown {
  return (item as { readonly role?: unknown } | null)?.role;
}

/** Messages with `parts` are a front end's; lists of parts as content are a model's, unless OpenAI's fields or parts are beside them. */
function findKind(messages: readonly unknown[]): 'ui' | 'model' | 'openai' {
  const objects = messages.filter((one): one is object => typeof one === 'object' && one !== null);
  if (objects.some((one) => Array.isArray((one as { readonly parts?: unknown }).parts))) return 'ui';
  const hasLists = objects.some((one) => Array.isArray((one as { readonly content?: unknown }).content));
  const isOpenAI = objects.some((one) => 'tool_calls' in one || 'tool_call_id' in one || hasOpenAIParts(one));
  return hasLists && !isOpenAI ? 'model' : 'openai';
}

/** Parts that only OpenAI's API has. Text is the same in both. */
function hasOpenAIParts({ content }: { readonly content?: unknown }): boolean {
  const types = Array.isArray(content)
    ? content.map((part: { readonly type?: unknown } | null) => part?.type)
    : [];
  return types.some((type) => ownParts.includes(type));
}

const ownParts: readonly unknown[] = ['image_url', 'input_audio', 'refusal'];

function aiSdk<Message>(
  {
    data,
    error,
  }: z.ZodSafeParseResult<{ readonly id?: string | undefined; readonly messages: readonly Message[] }>,
  fallbackId: string,
  saidOf: (messages: readonly Message[]) => Said[],
): Shaped {
  if (data === undefined) return { problem: describeProblem(error) };
  const recorded = makeRecorded(saidOf(data.messages));
  if (recorded.messages.length === 0)
    return { problem: 'messages: must have at least one with a text or a call' };
  return { conversation: { id: data.id ?? fallbackId, ...recorded } };
}
