import { issuePaths, lifecycleRow } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { z } from 'zod';
import type { CommandEntry, EntryAnswer, HandlerAnswer } from '../../normal-form.ts';
import { mentionsAnswer } from '../../run/hidden-answer.ts';
import {
  type InvalidAnswer,
  type JsonAnswer,
  readAnswer,
  readAnyText,
  readText,
} from '../../run/read-output.ts';
import { holdRefusal, parseWithoutMisfits, refusalIn, UNREADABLE } from '../nested/refusal.ts';
import { type ServiceEvent, serviceEvents } from './events.ts';
import { denied, type Output } from './opinion.ts';

/** The exit code of a command that ran out of time (§12e.4). */
const TIMED_OUT = 124;

/** Reads an answer by its exit code (§12e.4): 0 speaks by its output, 1 is a warning, 2 blocks, 124 is a timeout. */
export function readServiceAnswer(entry: CommandEntry, given: HandlerAnswer): EntryAnswer {
  const event = serviceEvents[entry.eventName] as ServiceEvent;
  const { exitCode } = given;
  if (exitCode === 0) return spoken(event, given);
  const failure = { why: `it exited with code ${exitCode}` };
  if (exitCode === 1) return { failure: { effect: 'none', ...failure } };
  if (exitCode === TIMED_OUT) return { failure: { effect: 'onTimeout', ...failure } };
  if (exitCode !== 2) return { failure: { effect: 'onExit', ...failure } };
  if (event.onExit2 === 'continue') return { failure: { effect: 'onBlockingExit', ...failure } };
  return denied(event, readReason(given) ?? 'A hook blocked this (exit code 2) without giving a reason.');
}

/** Standard error, or the reason of a JSON answer. */
function readReason(given: HandlerAnswer): string | undefined {
  const errorText = readAnyText(given.stderr).trim();
  if (errorText !== '') return errorText;
  const said = readAnswer(given);
  return said.kind === 'json' ? checkedOutput(said.value).value?.reason : undefined;
}

function spoken(event: ServiceEvent, given: HandlerAnswer): EntryAnswer {
  if (event.outputIsContext) return readContext(event, given);
  const said = readAnswer(given);
  if (said.kind === 'invalid') return { ...makeRefusal(event, said, given), ...invalid(said.why) };
  if (said.kind !== 'json') return {};
  return readObject(event, said.value);
}

function readObject(event: ServiceEvent, given: Readonly<Record<string, unknown>>): EntryAnswer {
  const { why, value } = checkedOutput(given);
  const opinion = value === undefined ? {} : makeOpinion(event, value);
  const blocking = event.onExit2 === 'block' ? 'deny' : 'none';
  const decidesBy = event.isTool ? 'permissionDecision' : undefined;
  const held = holdRefusal({ blocking, decidesBy }, given, opinion);
  return why === undefined ? held : { ...refusalIn(held), ...invalid(why) };
}

function invalid(why: string): EntryAnswer {
  return { failure: { effect: 'onInvalidOutput', why } };
}

/** What counts of an answer that cannot be trusted. The text that it quotes, and thus its defect, may come from whoever is judged. */
function makeRefusal(
  event: ServiceEvent,
  { value, mayRefuse }: InvalidAnswer,
  given: HandlerAnswer,
): EntryAnswer {
  if (lifecycleRow(event.hook).decide?.keepsGoing && value === undefined)
    return given.cut !== undefined || GOES_ON.test(readAnyText(given.stdout)) ? KEEP_GOING : {};
  if (mayRefuse) return gateDenial(event);
  return value === undefined ? {} : refusalIn(readObject(event, value));
}

/** How a hook of this format keeps a turn from ending. */
const GOES_ON = /^\s*\{[\s\S]*"continue"\s*:\s*true/;
const KEEP_GOING: EntryAnswer = { keepsGoing: true, reason: UNREADABLE };

function gateDenial(event: ServiceEvent): EntryAnswer {
  return event.onExit2 === 'block' ? denied(event, UNREADABLE) : {};
}

/**
 * All of standard output, as it stands; of a JSON object that names its context, that. Where the event guards something, JSON may
 * decide too, and what looks like an answer and cannot be read is none, but may be a refusal.
 */
function readContext(event: ServiceEvent, given: HandlerAnswer): EntryAnswer {
  const said = readAnswer(given);
  const text = readAnyText(given.stdout).trim();
  const context = text === '' || readText(given) === undefined ? {} : { context: text };
  if (!event.isGate)
    return namedContext(said) ?? (readText(given) === undefined ? invalid(NOT_UTF8) : context);
  if (said.kind === 'invalid') {
    const isAnswer = said.value !== undefined || given.cut?.mentionsAnswer || mentionsAnswer(text);
    if (isAnswer || readText(given) === undefined)
      return { ...(isAnswer ? makeRefusal(event, said, given) : {}), ...invalid(said.why), ...context };
  }
  if (said.kind !== 'json') return context;
  const decided = readObject(event, said.value);
  if (decided.failure !== undefined) return { ...decided, ...context };
  return decided.decision === 'deny' ? decided : { ...decided, ...(namedContext(said) ?? context) };
}

const NOT_UTF8 = 'it is not UTF-8';

/** The context in a JSON object. */
function namedContext(said: JsonAnswer): EntryAnswer | undefined {
  if (said.kind !== 'json' || typeof said.value.additionalContext !== 'string') return undefined;
  const context = said.value.additionalContext.trim();
  return context === '' ? {} : { context };
}

const text = z.string().optional();
const decision = z.enum(['allow', 'approve', 'deny', 'block', 'ask']).optional();

const fields = {
  permissionDecision: decision,
  permissionDecisionReason: text,
  updatedInput: z.record(z.string(), z.json()).optional(),
  decision,
  reason: text,
  continue: z.boolean().optional(),
} satisfies z.ZodRawShape;

const outputSchema = z.looseObject({ ...fields, hookSpecificOutput: z.looseObject(fields).optional() });

const DECISIONS = { allow: 'allow', approve: 'allow', deny: 'deny', block: 'deny', ask: 'ask' } as const;

type CheckedOutput =
  | { readonly value: Output; readonly why?: undefined }
  | { readonly value: Output | undefined; readonly why: string };

/** An answer that fits, or which of its fields do not and what is left without them. */
function checkedOutput(given: unknown): CheckedOutput {
  const { data, error } = outputSchema.safeParse(given);
  if (error === undefined) return { value: readOutput(data) };
  const why = `its answer has a field that does not fit: ${issuePaths(error.issues)}`;
  const rest = parseWithoutMisfits(outputSchema, given);
  return { why, value: rest && readOutput(rest) };
}

/** Fields stand at the top, or in `hookSpecificOutput`, where hooks that were written for other hosts put them. */
function readOutput(data: z.infer<typeof outputSchema>): Output {
  const said = { ...data.hookSpecificOutput, ...data };
  const word = said.permissionDecision ?? said.decision;
  const reason = said.permissionDecisionReason ?? said.reason;
  return {
    ...(word === undefined ? {} : { decision: DECISIONS[word] }),
    ...(reason === undefined ? {} : { reason }),
    ...(said.updatedInput === undefined ? {} : { updatedInput: said.updatedInput as JsonObject }),
    continues: [data.continue, data.hookSpecificOutput?.continue],
  };
}

function makeOpinion({ opinion }: ServiceEvent, output: Output): EntryAnswer {
  return opinion?.(output) ?? {};
}
