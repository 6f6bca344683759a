import { createHash } from 'node:crypto';
import type { HookToolCall } from '@spec/hooks';
import { z } from 'zod';
import { placeholder } from './placeholder.ts';

/** A recorded conversation in OpenAI chat form, whatever form it was recorded in. */
export interface Conversation {
  readonly id: string;
  readonly messages: readonly RecordedMessage[];
  /** The ids of calls whose tool failed, for forms that say so. */
  readonly failedCalls?: ReadonlySet<string>;
}

export interface RecordedMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly HookToolCall[] | null | undefined;
  readonly tool_call_id?: string | undefined;
  readonly [field: string]: unknown;
}

const toolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const mustBeText = { error: 'must be text' };

/** A part of a message as OpenAI's API has it. */
const part = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('text'), text: z.string(mustBeText) }),
    z.looseObject({ type: z.literal('refusal'), refusal: z.string(mustBeText) }),
    z.looseObject({ type: z.enum(['image_url', 'input_audio', 'file']) }),
  ],
  { error: 'must be a part of a chat message: text, refusal, image_url, input_audio or file' },
);

const sortOfPart = { image_url: 'image', input_audio: 'audio', file: 'file' } as const;

/** What is no text leaves a word in its place. */
function partText(one: z.infer<typeof part>): string {
  if (one.type === 'text') return one.text as string;
  if (one.type === 'refusal') return one.refusal as string;
  return placeholder(sortOfPart[one.type]);
}

const recordedMessage = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool'], { error: 'must be system, user, assistant or tool' }),
  content: z
    .union([z.string(), z.array(part)], { error: 'must be text, a list of parts or null' })
    .nullish()
    .transform((content) => (Array.isArray(content) ? content.map(partText).join('\n') : (content ?? null))),
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().optional(),
  id: z.string({ error: 'must be text, or absent' }).optional(),
  created_at: z.number({ error: 'must be a number of microseconds, or absent' }).optional(),
});

const conversation = z.object({
  id: z.union([z.string().min(1), z.number().transform(String)], {
    error: 'must be text, or absent',
  }),
  messages: z
    .array(recordedMessage, { error: 'must be a list of messages' })
    .min(1, 'must have at least one message'),
});

/** A conversation from parsed JSON, or why it is none: fields and rules, never values. */
export function toConversation(value: unknown): Conversation | { readonly problem: string } {
  const { success, data, error } = conversation.safeParse(value);
  if (success) return data;
  return { problem: describeProblem(error) };
}

/** The first thing that is wrong: its field and the rule that it breaks, never a value. */
export function describeProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.map(step).join('').replace(/^\./, '') || 'the conversation'}: ${issue?.message}`;
}

function step(key: PropertyKey): string {
  return typeof key === 'number' ? `[${key}]` : `.${String(key)}`;
}

/** Tells two conversations with the same id apart. */
export function fingerprint({ messages }: Conversation): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex');
}
