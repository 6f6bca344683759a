import { createHash } from 'node:crypto';
import type { HookToolCall } from '@spec/hooks';
import { z } from 'zod';

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

const recordedMessage = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool'], { error: 'must be system, user, assistant or tool' }),
  content: z
    .string({ error: 'must be text or null (lists of parts are not supported)' })
    .nullish()
    .transform((content) => content ?? null),
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
