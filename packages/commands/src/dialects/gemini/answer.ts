import { issuePaths } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { z } from 'zod';
import type { EntryAnswer, HandlerAnswer } from '../../normal-form.ts';
import { type JsonAnswer, readAnswer, readAnyText } from '../../run/read-output.ts';
import type { ClaudeEvent } from '../claude/events.ts';
import { blocked, joinTexts, withoutBlanks } from '../nested/blocked.ts';
import { parseWithoutMisfits, refusalIn, UNREADABLE } from '../nested/refusal.ts';
import { readModelAnswer } from './model-answer.ts';

const text = z.string().nullish();

const schema = z.looseObject({
  continue: z.boolean().nullish(),
  stopReason: text,
  systemMessage: text,
  decision: z.enum(['approve', 'allow', 'ask', 'deny', 'block']).nullish(),
  reason: text,
  hookSpecificOutput: z
    .looseObject({ additionalContext: text, tool_input: z.record(z.string(), z.json()).nullish() })
    .nullish(),
});

type Output = z.infer<typeof schema>;

/** An answer that is being read. */
interface Reading {
  readonly event: ClaudeEvent;
  readonly given: HandlerAnswer;
  /** The answer as text, whatever its bytes are. */
  readonly words: string;
}

/**
 * Reads an answer as Gemini CLI does.
 *
 * 1. The answer is standard output, or standard error where that is empty.
 * 2. JSON counts on every exit code: exit code 2 blocks nothing by itself.
 * 3. Other text is told to a person on 0 and 1, and denies on every other code. No text is no answer.
 * 4. What an answer forbids counts even if the rest of it cannot be trusted.
 */
export function readGeminiAnswer(given: HandlerAnswer, event: ClaudeEvent): EntryAnswer {
  const words = readAnyText(given.stdout).trim();
  const picked = words === '' && given.cut === undefined ? { stdout: given.stderr } : given;
  const reading = { event, given, words: readAnyText(picked.stdout).trim() };
  const answer = makeAnswer(reading, unwrapped(readAnswer(picked)));
  const { exitCode } = given;
  if (exitCode === 0 || answer.failure !== undefined) return answer;
  // A refusal is no failure any more.
  const effect = answer.decision === 'deny' || answer.keepsGoing ? 'none' : 'onExit';
  return { ...answer, failure: { effect, why: `it exited with code ${exitCode}` } };
}

/** A JSON text is parsed once more. */
function unwrapped(said: JsonAnswer): JsonAnswer {
  if (said.kind !== 'text' || !said.text.startsWith('"')) return said;
  try {
    const inner: unknown = JSON.parse(said.text);
    return typeof inner === 'string' ? readAnswer({ stdout: new TextEncoder().encode(inner) }) : said;
  } catch {
    return said;
  }
}

function makeAnswer(reading: Reading, said: JsonAnswer): EntryAnswer {
  const { event } = reading;
  switch (said.kind) {
    case 'none':
      return {};
    case 'text':
      return readPlain(reading, said.text);
    case 'json':
      return readObject(event, said.value);
    case 'invalid': {
      // What denies by its code may quote anything.
      if (said.value === undefined && reading.given.exitCode > 1) return readPlain(reading, reading.words);
      const forbids = said.mayRefuse ? blocked(event, { opinion: {}, reason: UNREADABLE }) : {};
      const rest = said.value === undefined ? forbids : refusalIn(readObject(event, said.value));
      return { ...rest, failure: { effect: 'onInvalidOutput', why: said.why } };
    }
  }
}

function readPlain({ event, given: { exitCode } }: Reading, words: string): EntryAnswer {
  if (exitCode === 0) return { userMessage: words };
  if (exitCode === 1) return { userMessage: `Warning: ${words}` };
  return blocked(event, { opinion: {}, reason: words });
}

function readObject(event: ClaudeEvent, value: Readonly<Record<string, unknown>>): EntryAnswer {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return readOpinion(event, data);
  const rest = parseWithoutMisfits(schema, value);
  const why = `its answer has a field that does not fit: ${issuePaths(error.issues)}`;
  const forbids = rest === undefined ? {} : refusalIn(readOpinion(event, rest));
  return { ...forbids, failure: { effect: 'onInvalidOutput', why } };
}

function readOpinion(event: ClaudeEvent, output: Output): EntryAnswer {
  const { decision, systemMessage, hookSpecificOutput: specific } = output;
  const said = withoutBlanks({
    userMessage: joinTexts(systemMessage),
    context: frame(event, joinTexts(specific?.additionalContext)),
    input:
      event.rewrite === 'none' ? undefined : ((specific?.tool_input as JsonObject | undefined) ?? undefined),
  });
  const reason = joinTexts(output.stopReason, output.reason) ?? NO_REASON;
  const isDeny = decision === 'deny' || decision === 'block';
  const ofModel = event.answersModel === true ? readModelAnswer(event, specific, isDeny) : {};
  const isAnswered = ofModel.output !== undefined;
  const opinion = isDeny && !isAnswered ? blocked(event, { opinion: said, reason }) : { ...said, ...ofModel };
  if (output.continue === false && event.canEnd)
    return withoutBlanks({ ...opinion, input: undefined, keepsGoing: undefined, endsTurn: true, reason });
  const isAsk = decision === 'ask' && event.decidesBy !== undefined;
  return isAsk
    ? withoutBlanks({ ...opinion, decision, reason: output.reason ?? undefined })
    : withoutUncounted(event, opinion);
}

const NO_REASON = 'No reason provided';

/** Texts for the model behind the result of a tool. */
export function writeContextBehind(contexts: readonly string[]): string {
  return `\n\n${contexts.map(framed).join('\n')}`;
}

function frame({ framesContext }: ClaudeEvent, context: string | undefined): string | undefined {
  return context !== undefined && framesContext ? framed(context) : context;
}

/** The frame cannot be closed from inside. */
function framed(context: string): string {
  const escaped = context.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<hook_context>${escaped}</hook_context>`;
}

/** Takes out what the event does not read, and says so. */
function withoutUncounted({ uncounted }: ClaudeEvent, opinion: EntryAnswer): EntryAnswer {
  if (uncounted?.context === undefined || opinion.context === undefined) return opinion;
  return withoutBlanks({ ...opinion, context: undefined, uncounted: uncounted.context });
}
