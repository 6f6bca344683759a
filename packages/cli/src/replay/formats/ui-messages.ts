import { z } from 'zod';
import { placeholder } from './placeholder.ts';
import { emptyAnswer, outputText, type Said, type SaidAnswer } from './said.ts';

/** A message of the AI SDK as a front end keeps it (`UIMessage`), as far as it is read. */
export interface UIRecord {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly UIPart[];
}

/** `text` stands in texts and reasoning, `mediaType` in files, `toolCallId` and `state` in calls of tools. */
export interface UIPart {
  readonly type: string;
  readonly text?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly state?: string | undefined;
  readonly input?: unknown;
  readonly rawInput?: unknown;
  readonly output?: unknown;
  readonly errorText?: string | undefined;
  readonly approval?: { readonly reason?: string | undefined } | undefined;
}

const said = z.looseObject({
  type: z.enum(['text', 'reasoning']),
  text: z.string({ error: 'must be text' }),
});
const file = z.looseObject({ type: z.literal('file'), mediaType: z.string({ error: 'must be text' }) });
const aside = z.looseObject({
  type: z.templateLiteral([z.enum(['step-start', 'source-', 'data-']), z.string()]),
});
const call = {
  toolCallId: z.string({ error: 'must be text' }),
  state: z.string({ error: 'must be text' }),
  input: z.unknown().optional(),
  rawInput: z.unknown().optional(),
  output: z.unknown().optional(),
  errorText: z.string().optional(),
  approval: z.looseObject({ reason: z.string().optional() }).optional(),
};
const tool = z.looseObject({ type: z.templateLiteral(['tool-', z.string()]), ...call });
const dynamicTool = z.looseObject({
  type: z.literal('dynamic-tool'),
  toolName: z.string({ error: 'must be text' }),
  ...call,
});

const part = z.union([said, file, dynamicTool, tool, aside], {
  error:
    'must be a part of a UIMessage: text, reasoning, file, step-start, tool-…, dynamic-tool, source-… or data-…',
});

export const uiMessage: z.ZodType<UIRecord> = z.looseObject({
  role: z.enum(['system', 'user', 'assistant'], { error: 'must be system, user or assistant' }),
  parts: z.array(part, { error: 'must be a list of parts' }),
});

/** What was said; a step of the model begins where its `step-start` stands. */
export function readSaidOfUI(messages: readonly UIRecord[]): Said[] {
  return messages.flatMap(({ role, parts }): readonly Said[] =>
    role === 'assistant' ? readAnswers(parts) : [{ role, text: parts.flatMap(readText).join('\n') }],
  );
}

function readAnswers(parts: readonly UIPart[]): SaidAnswer[] {
  const answers = [emptyAnswer()];
  for (const one of parts) {
    if (one.type === 'step-start') answers.push(emptyAnswer());
    else addTo(answers.at(-1) as SaidAnswer, one);
  }
  return answers;
}

function addTo({ texts, calls, results }: SaidAnswer, one: UIPart): void {
  texts.push(...readText(one));
  const { toolCallId: id, state, input, rawInput, output, errorText = '', approval } = one;
  if (id === undefined || state === 'input-streaming') return;
  const name = one.toolName ?? one.type.slice('tool-'.length);
  calls.push({ id, name, input: input ?? rawInput });
  if (state === 'output-available') results.push({ callId: id, text: outputText(output), isError: false });
  if (state === 'output-error') results.push({ callId: id, text: errorText, isError: true });
  if (state === 'output-denied')
    results.push({ callId: id, text: approval?.reason ?? DENIED, isError: true });
}

/** What the AI SDK tells the model where a person said no. */
const DENIED = 'Tool call execution denied.';

/** The part's text, where it is one that the model or the user said. */
function readText({ type, text = '', mediaType = type }: UIPart): string[] {
  if (type === 'text') return [text];
  return type === 'file' ? [placeholder(mediaType)] : [];
}
