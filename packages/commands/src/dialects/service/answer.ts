import { issuePaths } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { z } from 'zod';
import type { CommandEntry, EntryAnswer, HandlerAnswer } from '../../normal-form.ts';
import { mentionsAnswer } from '../../run/hidden-answer.ts';
import { readAnswer, textOf } from '../../run/read-output.ts';
import { type ServiceEvent, serviceEvents } from './events.ts';

/** The exit code by which a command says that it ran out of time (§12e.4). */
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
  return denied(event, reasonOf(given) ?? 'A hook blocked this (exit code 2) without giving a reason.');
}

function denied(event: ServiceEvent, reason: string): EntryAnswer {
  return { decision: 'deny', reason, ...(event.isTool ? {} : { userMessage: reason }) };
}

const lossy = new TextDecoder();

/** Standard error, or the reason of a JSON answer. */
function reasonOf({ stdout, stderr }: HandlerAnswer): string | undefined {
  const told = lossy.decode(stderr).trim();
  if (told !== '') return told;
  const said = readAnswer(stdout);
  const output = said.kind === 'json' ? checkedOutput(said.value) : undefined;
  return output !== undefined && 'value' in output ? output.value.reason : undefined;
}

function spoken(event: ServiceEvent, { stdout }: HandlerAnswer): EntryAnswer {
  if (event.outputIsContext) return contextOf(event, stdout);
  const said = readAnswer(stdout);
  if (said.kind === 'invalid') return invalid(said.why);
  if (said.kind !== 'json') return {};
  const checked = checkedOutput(said.value);
  return 'why' in checked ? invalid(checked.why) : opinionOf(event, checked.value);
}

function invalid(why: string): EntryAnswer {
  return { failure: { effect: 'onInvalidOutput', why } };
}

/**
 * All of standard output, as it stands; of a JSON object that names its context, that. Where the event guards something, JSON may
 * decide too, and what looks like an answer and cannot be read is none.
 */
function contextOf(event: ServiceEvent, stdout: Uint8Array): EntryAnswer {
  const said = readAnswer(stdout);
  const text = textOf(stdout)?.trim();
  if (text === undefined) return invalid('it is not UTF-8');
  if (said.kind === 'invalid' && event.isGate && mentionsAnswer(text))
    return { ...invalid(said.why), context: text };
  if (said.kind !== 'json') return text === '' ? {} : { context: text };
  const checked = event.isGate ? checkedOutput(said.value) : { value: {} };
  if ('why' in checked) return { ...invalid(checked.why), context: text };
  const { decision: decided, reason } = checked.value;
  if (decided === 'deny')
    return denied(event, reason ?? 'A hook refused this prompt without giving a reason.');
  const { additionalContext: named } = said.value;
  const context = typeof named === 'string' ? named.trim() : text;
  return {
    ...(decided === 'ask' ? { decision: decided, ...(reason === undefined ? {} : { reason }) } : {}),
    ...(context === '' ? {} : { context }),
  };
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

/** What an answer says, in one form. */
interface Output {
  readonly decision?: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  readonly updatedInput?: JsonObject;
  readonly continue?: boolean;
}

const DECISIONS = { allow: 'allow', approve: 'allow', deny: 'deny', block: 'deny', ask: 'ask' } as const;

/** Fields stand at the top, or in `hookSpecificOutput`, where hooks that were written for other hosts put them. */
function checkedOutput(given: unknown): { readonly value: Output } | { readonly why: string } {
  const { data, error } = outputSchema.safeParse(given);
  if (error !== undefined)
    return { why: `its answer has a field that does not fit: ${issuePaths(error.issues)}` };
  const said = { ...data.hookSpecificOutput, ...data };
  const word = said.permissionDecision ?? said.decision;
  const reason = said.permissionDecisionReason ?? said.reason;
  return {
    value: {
      ...(word === undefined ? {} : { decision: DECISIONS[word] }),
      ...(reason === undefined ? {} : { reason }),
      ...(said.updatedInput === undefined ? {} : { updatedInput: said.updatedInput as JsonObject }),
      ...(said.continue === undefined ? {} : { continue: said.continue }),
    },
  };
}

function opinionOf({ hook }: ServiceEvent, output: Output): EntryAnswer {
  const { decision: decided, reason, updatedInput } = output;
  const why = reason === undefined ? {} : { reason };
  switch (hook) {
    case 'before_tool_call':
    case 'before_permission_request':
      return {
        ...(decided === undefined ? {} : { decision: decided }),
        ...why,
        ...(updatedInput === undefined || decided === 'deny' ? {} : { input: updatedInput }),
      };
    case 'before_stop':
      return output.continue === true ? { keepsGoing: true, ...why } : {};
    case 'before_compaction':
      return decided === 'deny' || output.continue === false ? { decision: 'deny', ...why } : {};
    default:
      return {};
  }
}
