import { issuePaths } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { z } from 'zod';
import type { CommandEntry, EntryAnswer, HandlerAnswer } from '../../normal-form.ts';
import { type JsonAnswer, readAnswer, readAnyText } from '../../run/read-output.ts';
import { modelVerdict } from '../claude/output.ts';
import { blocked, joinTexts, withoutBlanks } from '../nested/blocked.ts';
import { holdModelRefusal } from '../nested/model-refusal.ts';
import { holdRefusal, parseWithoutMisfits, refusalIn, UNREADABLE } from '../nested/refusal.ts';
import type { CursorEvent } from './events.ts';

const text = z.string().nullish();
const object = z.record(z.string(), z.json()).nullish();
const permission = z.enum(['allow', 'deny', 'ask']).nullish();

const schema = z.looseObject({
  permission,
  user_message: text,
  agent_message: text,
  updated_input: object,
  additional_context: text,
  updated_mcp_tool_output: z.json().optional(),
  continue: z.boolean().nullish(),
  followup_message: text,
  // The words of Claude Code are understood, too.
  decision: z.string().nullish(),
  reason: text,
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: permission,
      permissionDecisionReason: text,
      updatedInput: object,
      additionalContext: text,
    })
    .nullish(),
});

type Output = z.infer<typeof schema>;

/** An answer that is being read. */
interface Reading {
  readonly entry: CommandEntry;
  readonly event: CursorEvent;
  readonly given: HandlerAnswer;
}

/**
 * Reads an answer as Cursor does.
 *
 * 1. JSON is read on exit code 0; of text that ends with an object, that object counts.
 * 2. Exit code 2 denies where the event can refuse something, with standard error as the reason. Other codes are failures.
 * 3. What an answer forbids counts even if the rest of it cannot be trusted.
 */
export function readCursorAnswer(entry: CommandEntry, event: CursorEvent, given: HandlerAnswer): EntryAnswer {
  const { exitCode } = given;
  const reason = readAnyText(given.stderr).trim();
  if (exitCode === 2) return blocked(event, { opinion: {}, reason, isExit: true });
  if (exitCode !== 0) return { failure: { effect: 'onExit', why: `it exited with code ${exitCode}` } };
  return makeAnswer({ entry, event, given }, readAnswer(given));
}

function makeAnswer(reading: Reading, said: JsonAnswer): EntryAnswer {
  const { entry, event, given } = reading;
  if (entry.handler.type !== 'prompt') return readSaid(reading, said);
  const value = said.kind === 'json' ? said.value : undefined;
  const verdict = modelVerdict(value);
  if (verdict === undefined) return holdModelRefusal(event, given, readSaid(reading, said));
  if (verdict.ok) return holdRefusal(event, value, {});
  return blocked(event, { opinion: {}, reason: verdict.reason });
}

function readSaid({ event, given }: Reading, said: JsonAnswer): EntryAnswer {
  if (said.kind === 'none') return {};
  if (said.kind === 'json') return readObject(event, said.value);
  const words = readAnyText(given.stdout).trim();
  const last = findLastObject(words);
  if (last !== undefined) return withPrefix(event, readObject(event, last.value), last.before);
  const why = said.kind === 'invalid' ? said.why : 'it is not JSON';
  // Elsewhere what is no answer is dropped.
  const mayRefuse = REFUSES.test(words) || (said.kind === 'invalid' && said.mayRefuse === true);
  if (event.isStrict === undefined && !mayRefuse) return { uncounted: why };
  const refusal = mayRefuse ? blocked(event, { opinion: {}, reason: UNREADABLE }) : {};
  return { ...refusal, failure: { effect: 'onInvalidOutput', why } };
}

/** The words of a refusal. */
const REFUSES = /"(?:deny|block|ask)"|"(?:continue|ok)"\s*:\s*false/;

/** What stands before the object may be a refusal that a quoted text has cut off. */
function withPrefix(event: CursorEvent, answer: EntryAnswer, before: string): EntryAnswer {
  if (answer.decision === 'deny' || !REFUSES.test(before)) return answer;
  const why = 'there is other text around its JSON';
  return {
    ...blocked(event, { opinion: {}, reason: UNREADABLE }),
    failure: { effect: 'onInvalidOutput', why },
  };
}

/** How many places are tried. */
const PLACES = 64;

/** The object with which a text ends, and what stands before it. */
function findLastObject(
  words: string,
): { readonly value: Readonly<Record<string, unknown>>; readonly before: string } | undefined {
  if (!words.endsWith('}')) return undefined;
  let at = words.indexOf('{');
  for (let place = 0; place < PLACES && at >= 0; place++) {
    const said = readAnswer({ stdout: new TextEncoder().encode(words.slice(at)) });
    if (said.kind === 'json') return { value: said.value, before: words.slice(0, at) };
    at = words.indexOf('{', at + 1);
  }
  return undefined;
}

function readObject(event: CursorEvent, value: Readonly<Record<string, unknown>>): EntryAnswer {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return holdRefusal(event, value, readOpinion(event, data));
  const why = `its answer has a field that does not fit: ${issuePaths(error.issues)}`;
  const rest = parseWithoutMisfits(schema, value);
  const forbids = rest === undefined ? {} : refusalIn(readOpinion(event, rest));
  return holdRefusal(event, value, { ...forbids, failure: { effect: 'onInvalidOutput', why } });
}

function readOpinion(event: CursorEvent, output: Output): EntryAnswer {
  const { takes = [], blocking } = event;
  const specific = output.hookSpecificOutput ?? {};
  const wish = output.permission ?? specific.permissionDecision ?? undefined;
  const reason = joinTexts(output.agent_message, specific.permissionDecisionReason, output.reason);
  const said = withoutBlanks({
    userMessage: joinTexts(output.user_message),
    ...(takes.includes('context') ? readContext(output) : {}),
    output: takes.includes('output') ? toText(output.updated_mcp_tool_output) : undefined,
    input:
      (event.rewrite && ((output.updated_input ?? specific.updatedInput) as JsonObject | null)) ?? undefined,
  });
  if (blocking === 'deny') return decide(event, { said, output, wish, reason });
  if (!takes.includes('followup') || !output.followup_message) return said;
  return { ...said, keepsGoing: true, reason: output.followup_message };
}

interface Wish {
  readonly said: EntryAnswer;
  readonly output: Output;
  readonly wish: 'allow' | 'deny' | 'ask' | undefined;
  readonly reason: string | undefined;
}

function decide(event: CursorEvent, { said, output, wish, reason }: Wish): EntryAnswer {
  const isDeny = wish === 'deny' || output.decision === 'block' || output.decision === 'deny';
  if (isDeny || output.continue === false) {
    const why = reason ?? said.userMessage ?? '';
    return blocked(event, { opinion: said, reason: why });
  }
  if (wish === undefined || event.isStrict === undefined) return said;
  return withoutBlanks({ ...said, decision: wish, reason: wish === 'ask' ? reason : undefined });
}

/** Cursor drops a longer one whole. */
const MOST_CONTEXT = 10_000;

function readContext({ additional_context: own, hookSpecificOutput: specific }: Output): EntryAnswer {
  const context = joinTexts(own, specific?.additionalContext);
  if (context === undefined) return {};
  if (context.length <= MOST_CONTEXT) return { context };
  return { uncounted: `its context has more than ${MOST_CONTEXT} characters, so Cursor drops it` };
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
