import { issuePaths } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { z } from 'zod';
import type { EntryAnswer, HandlerAnswer } from '../../normal-form.ts';
import { isAnswer } from '../../run/hidden-answer.ts';
import { type JsonAnswer, REFUSES, readAnswer, readAnyText } from '../../run/read-output.ts';
import { blocked, joinTexts, withoutBlanks } from '../nested/blocked.ts';
import { holdRefusal, parseWithoutMisfits, refusalIn, UNREADABLE } from '../nested/refusal.ts';
import type { CopilotEvent } from './events.ts';

const text = z.string().nullish();
const object = z.record(z.string(), z.json()).nullish();
const behavior = z.enum(['allow', 'deny']).nullish();

const fields = {
  permissionDecision: z.enum(['allow', 'deny', 'ask']).nullish(),
  permissionDecisionReason: text,
  modifiedArgs: object,
  updatedInput: object,
  additionalContext: text,
  behavior,
  message: text,
  interrupt: z.boolean().nullish(),
  modifiedResult: z.union([z.string(), z.looseObject({ textResultForLlm: text })]).nullish(),
  reason: text,
} satisfies z.ZodRawShape;

const schema = z.looseObject({
  ...fields,
  decision: z.string().nullish(),
  continue: z.boolean().nullish(),
  stopReason: text,
  systemMessage: text,
  hookSpecificOutput: z
    .looseObject({
      ...fields,
      decision: z.union([z.string(), z.looseObject(fields)]).nullish(),
    })
    .nullish(),
});

type Output = z.infer<typeof schema>;
type Said = z.infer<z.ZodObject<typeof fields>> & { readonly decision?: string | undefined };

/** An answer that is being read. */
interface Reading {
  readonly event: CopilotEvent;
  readonly given: HandlerAnswer;
  /** The entry is in the form of VS Code, which can end a turn and only warns of other exit codes. */
  readonly isVsCode: boolean;
}

/**
 * Reads an answer as Copilot does.
 *
 * 1. Lines of progress are taken out of standard output; the rest is one JSON document, or nothing.
 * 2. Exit code 2 refuses a call or a permission, and JSON cannot allow it. After a failed call its output is context.
 * 3. Before a tool Copilot CLI refuses on every other code, too.
 * 4. What an answer forbids counts even if the rest of it cannot be trusted.
 */
export function readCopilotAnswer(reading: Reading): EntryAnswer {
  const { event, given } = reading;
  const { exitCode } = given;
  const stdout = withoutProgress(given);
  if (exitCode === 2 && event.onExit2 === 'context') {
    const context = readAnyText(stdout).trim();
    return withoutBlanks({ context, failure: { effect: 'none', why: 'it exited with code 2' } });
  }
  const opinion = makeOpinion(reading, readAnswer({ ...given, stdout }));
  if (exitCode === 0) return opinion;
  const why = `it exited with code ${exitCode}`;
  if (exitCode !== 2 || event.onExit2 === undefined)
    return { ...refusalIn(opinion), failure: { effect: exitCode === 2 ? 'none' : 'onExit', why } };
  return blocked(event, { opinion, reason: readAnyText(given.stderr).trim(), isExit: true });
}

/** Lines that only tell how far a hook is. One that speaks as an answer is one: what it quotes may have made it look so. */
function withoutProgress({ stdout }: HandlerAnswer): Uint8Array {
  const lines = readAnyText(stdout).split('\n');
  const kept = lines.filter((line) => !isProgress(line));
  return kept.length === lines.length ? stdout : new TextEncoder().encode(kept.join('\n'));
}

function isProgress(line: string): boolean {
  if (!line.includes('"progress"')) return false;
  try {
    const said: unknown = JSON.parse(line);
    return (said as { readonly type?: unknown } | null)?.type === 'progress' && !isAnswer(said);
  } catch {
    return false;
  }
}

function makeOpinion(reading: Reading, said: JsonAnswer): EntryAnswer {
  const { event } = reading;
  if (said.kind === 'json') return readObject(reading, said.value);
  if (said.kind !== 'invalid') return {};
  // What a line of progress quotes may have made it text around the answer.
  const mayRefuse = said.mayRefuse || REFUSES.test(readAnyText(reading.given.stdout));
  const forbids = mayRefuse ? blocked(event, { opinion: {}, reason: UNREADABLE }) : {};
  const rest = said.value === undefined ? forbids : refusalIn(readObject(reading, said.value));
  return { ...rest, failure: { effect: 'onInvalidOutput', why: said.why } };
}

function readObject(reading: Reading, value: Readonly<Record<string, unknown>>): EntryAnswer {
  const { event } = reading;
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return holdRefusal(event, value, readOpinion(reading, data));
  const why = `its answer has a field that does not fit: ${issuePaths(error.issues)}`;
  const rest = parseWithoutMisfits(schema, value);
  const forbids = rest === undefined ? {} : refusalIn(readOpinion(reading, rest));
  return holdRefusal(event, value, { ...forbids, failure: { effect: 'onInvalidOutput', why } });
}

function readOpinion({ event, isVsCode }: Reading, output: Output): EntryAnswer {
  const { takes = [] } = event;
  const fields = mergeFields(output);
  const said = withoutBlanks({
    userMessage: joinTexts(output.systemMessage),
    context: takes.includes('context') ? cutContext(fields.additionalContext) : undefined,
    output: takes.includes('output') ? readResult(fields.modifiedResult) : undefined,
    input:
      (event.rewrite && ((fields.modifiedArgs ?? fields.updatedInput) as JsonObject | null | undefined)) ??
      undefined,
  });
  const opinion = decide(event, said, fields);
  if (!isVsCode || output.continue !== false) return opinion;
  const reason = joinTexts(output.stopReason) ?? opinion.reason ?? 'A hook ended the turn.';
  return withoutBlanks({ ...opinion, input: undefined, keepsGoing: undefined, endsTurn: true, reason });
}

/** Fields stand at the top, or in `hookSpecificOutput`. */
function mergeFields({ hookSpecificOutput, ...top }: Output): Said {
  const { decision: inner, ...specific } = hookSpecificOutput ?? {};
  const given = Object.fromEntries(
    Object.entries(top).filter(([, value]) => value !== undefined && value !== null),
  );
  const request = typeof inner === 'object' && inner !== null ? inner : {};
  const word = top.decision ?? (typeof inner === 'string' ? inner : undefined);
  return { ...specific, ...request, ...given, ...(word === undefined ? {} : { decision: word }) } as Said;
}

function decide(event: CopilotEvent, said: EntryAnswer, fields: Said): EntryAnswer {
  const isBlock = fields.decision === 'block' || fields.decision === 'deny';
  if (event.takes?.includes('block'))
    return isBlock ? blocked(event, { opinion: said, reason: fields.reason ?? '' }) : said;
  const wish =
    event.decidesBy === 'behavior'
      ? (fields.behavior ?? undefined)
      : (fields.permissionDecision ?? undefined);
  if (event.decidesBy === undefined) return said;
  const reason = joinTexts(fields.permissionDecisionReason, fields.message, fields.reason);
  if (wish === 'deny' || isBlock) {
    const ends = fields.interrupt ? { endsTurn: true } : {};
    return { ...blocked(event, { opinion: said, reason: reason ?? '' }), ...ends };
  }
  return withoutBlanks({ ...said, decision: wish, reason: wish === 'ask' ? reason : undefined });
}

/** Copilot takes so much. */
const MOST_CONTEXT = 10_240;

function cutContext(context: string | null | undefined): string | undefined {
  return joinTexts(context)?.slice(0, MOST_CONTEXT);
}

function readResult(result: Said['modifiedResult']): string | undefined {
  if (result === undefined || result === null) return undefined;
  return typeof result === 'string' ? result : (result.textResultForLlm ?? undefined);
}
