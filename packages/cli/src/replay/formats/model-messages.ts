import { z } from 'zod';
import { placeholder } from './placeholder.ts';
import {
  answerWithCall,
  emptyAnswer,
  outputText,
  type Said,
  type SaidAnswer,
  type SaidResult,
} from './said.ts';

/** A message of the AI SDK as a model is sent it (`ModelMessage`), as far as it is read. */
export interface ModelRecord {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly ModelPart[];
}

type ModelPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'image' | 'file'; readonly mediaType?: string | undefined }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input?: unknown;
    }
  | ResultPart
  | { readonly type: 'tool-approval-request' | 'tool-approval-response' };

interface ResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly output: { readonly type: string; readonly value?: unknown; readonly reason?: string | undefined };
}

const mustBeText = { error: 'must be text' };
const text = z.looseObject({ type: z.enum(['text', 'reasoning']), text: z.string(mustBeText) });
const image = z.looseObject({ type: z.literal('image'), mediaType: z.string().optional() });
const file = z.looseObject({ type: z.literal('file'), mediaType: z.string(mustBeText) });
const call = z.looseObject({
  type: z.literal('tool-call'),
  toolCallId: z.string(mustBeText),
  toolName: z.string(mustBeText),
  input: z.unknown().optional(),
});
const output = z.looseObject({
  type: z.string(mustBeText),
  value: z.unknown().optional(),
  reason: z.string().optional(),
});
const result = z.looseObject({ type: z.literal('tool-result'), toolCallId: z.string(mustBeText), output });
const approval = z.looseObject({ type: z.enum(['tool-approval-request', 'tool-approval-response']) });

const part = z.discriminatedUnion('type', [text, image, file, call, result, approval], {
  error:
    'must be a part of a ModelMessage: text, image, file, reasoning, tool-call, tool-result, tool-approval-request or tool-approval-response',
});

export const modelMessage: z.ZodType<ModelRecord> = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool'], { error: 'must be system, user, assistant or tool' }),
  content: z.union([z.string(), z.array(part)], { error: 'must be text or a list of parts' }),
});

/** What was said; results stand with the answer that made their call. */
export function readSaidOfModel(messages: readonly ModelRecord[]): Said[] {
  const said: Said[] = [];
  for (const { role, content } of messages) {
    const parts: readonly ModelPart[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (role === 'tool') addResults(said, parts);
    else if (role === 'assistant') said.push(readAnswer(parts));
    else said.push({ role, text: parts.flatMap(readText).join('\n') });
  }
  return said;
}

function readAnswer(parts: readonly ModelPart[]): SaidAnswer {
  const { role, texts, calls, results } = emptyAnswer();
  for (const one of parts) {
    texts.push(...readText(one));
    if (one.type === 'tool-call') calls.push({ id: one.toolCallId, name: one.toolName, input: one.input });
    if (one.type === 'tool-result') results.push(readResult(one));
  }
  return { role, texts, calls, results };
}

function addResults(said: Said[], parts: readonly ModelPart[]): void {
  for (const one of parts) {
    if (one.type !== 'tool-result') continue;
    const answer = answerWithCall(said, one.toolCallId);
    if (answer === undefined) said.push({ role: 'tool', ...readResult(one) });
    else answer.results.push(readResult(one));
  }
}

function readResult({ toolCallId, output: { type, value, reason } }: ResultPart): SaidResult {
  const isError = type.startsWith('error') || type === 'execution-denied';
  return { callId: toolCallId, text: resultText({ type, value, reason }), isError };
}

function resultText({ type, value, reason }: ResultPart['output']): string {
  if (type === 'execution-denied') return reason ?? 'Tool call execution denied.';
  if (type !== 'content' || !Array.isArray(value)) return outputText(value);
  const parts = value as readonly { readonly type?: unknown; readonly text?: unknown }[];
  return parts
    .map((one) => (typeof one.text === 'string' ? one.text : placeholder(String(one.type))))
    .join('\n');
}

/** The part's text, where it is one that the model or the user said. */
function readText(one: ModelPart): string[] {
  if (one.type === 'text') return [one.text];
  if (one.type === 'image' || one.type === 'file') return [placeholder(one.mediaType ?? one.type)];
  return [];
}
