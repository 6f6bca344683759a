import type { JsonValue } from 'type-fest';
import { z } from 'zod';
import { isObject } from '../../json-object.ts';
import type { Occasion } from '../../normal-form.ts';
import type { Fault } from '../claude/variant.ts';

const text = z.string().nullish();
const object = z.record(z.string(), z.json());
const block = z.literal('block').nullish();

/** What every answer may have where it can end something. */
const ending = { continue: z.boolean().nullish(), stopReason: text, suppressOutput: z.boolean().nullish() };
/** What is reserved on an event, and void when it asks for something. */
const reserved = { continue: z.literal(true).nullish(), suppressOutput: z.literal(false).nullish() };

interface Form {
  readonly top: z.ZodRawShape;
  readonly specific?: z.ZodRawShape;
}

const context = { additionalContext: text };
const prompt: Form = { top: { ...ending, decision: block, reason: text }, specific: context };
const stop: Form = { top: { ...ending, decision: block, reason: text } };
const start: Form = { top: ending, specific: context };

/** The fields of an answer to each event. Another one makes the whole answer void. */
const forms: Readonly<Record<string, Form>> = {
  PreToolUse: {
    top: { ...reserved, decision: block, reason: text },
    specific: {
      ...context,
      permissionDecision: z.enum(['allow', 'deny']).nullish(),
      permissionDecisionReason: text,
      updatedInput: object.nullish(),
    },
  },
  PermissionRequest: {
    top: reserved,
    specific: {
      decision: z
        .discriminatedUnion('behavior', [
          z.strictObject({ behavior: z.literal('allow') }),
          z.strictObject({ behavior: z.literal('deny'), message: text }),
        ])
        .nullish(),
    },
  },
  PostToolUse: {
    top: {
      continue: z.boolean().nullish(),
      stopReason: text,
      suppressOutput: reserved.suppressOutput,
      decision: block,
      reason: text,
    },
    specific: context,
  },
  UserPromptSubmit: prompt,
  Stop: stop,
  SubagentStop: stop,
  PreCompact: { top: ending },
  SessionStart: start,
  SubagentStart: start,
  SessionEnd: { top: ending },
};

const schemas = new Map(
  Object.entries(forms).map(([eventName, { top, specific = {} }]) => {
    const inner = z.strictObject({ hookEventName: z.literal(eventName), ...specific }).nullish();
    const hookSpecificOutput = Object.keys(specific).length === 0 ? z.null().optional() : inner;
    return [eventName, z.strictObject({ ...top, systemMessage: text, hookSpecificOutput })];
  }),
);

/** Why Codex takes an answer for none, so that the call goes on; `undefined` where it reads it. */
export function findFault(
  eventName: string,
  value: Readonly<Record<string, unknown>>,
  occasion: Occasion,
): Fault | undefined {
  if (asksForReserved(value)) return { why: `${VOID}: it has a reserved field`, refuses: true };
  const { error } = schemas.get(eventName)?.safeParse(value) ?? {};
  if (error !== undefined) return { why: `${VOID}: ${nameFields(error)} does not belong there` };
  const why = rules.find(({ breaks }) => breaks(readParts(value), occasion))?.why;
  return why === undefined ? undefined : { why: `${VOID}: ${why}` };
}

const VOID = 'Codex does not read its answer';

/** What a permission may not be given yet: Codex refuses the call then. */
function asksForReserved({ hookSpecificOutput }: Readonly<Record<string, unknown>>): boolean {
  const decision = inside(hookSpecificOutput, 'decision');
  return (
    ['updatedInput', 'updatedPermissions'].some((key) => isGiven(inside(decision, key))) ||
    inside(decision, 'interrupt') === true
  );
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function inside(value: unknown, key: string): unknown {
  return isObject(value as JsonValue) ? (value as Record<string, unknown>)[key] : undefined;
}

interface Parts {
  readonly decision: unknown;
  readonly reason: unknown;
  readonly permission: unknown;
  readonly permissionReason: unknown;
  readonly input: unknown;
}

function readParts({
  decision,
  reason,
  hookSpecificOutput: specific,
}: Readonly<Record<string, unknown>>): Parts {
  return {
    decision,
    reason,
    permission: inside(specific, 'permissionDecision'),
    permissionReason: inside(specific, 'permissionDecisionReason'),
    input: inside(specific, 'updatedInput'),
  };
}

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

/** Tools whose input is a line of text. */
const LINES = new Set(['Bash', 'apply_patch']);

interface Rule {
  readonly why: string;
  readonly breaks: (parts: Parts, occasion: Occasion) => boolean;
}

const rules: readonly Rule[] = [
  {
    why: 'a block needs a reason',
    breaks: ({ decision, reason }) => decision === 'block' && isBlank(reason),
  },
  {
    why: 'a reason needs a decision',
    breaks: ({ decision, reason }) => isGiven(reason) && !isGiven(decision),
  },
  {
    why: 'a deny needs a reason',
    breaks: ({ permission, permissionReason }) => permission === 'deny' && isBlank(permissionReason),
  },
  {
    why: 'an allow counts with updatedInput alone, and updatedInput with an allow',
    breaks: ({ permission, input }) => (permission === 'allow') !== isGiven(input),
  },
  {
    why: 'the updatedInput of this tool needs a text "command"',
    breaks: ({ input }, { tool }) =>
      isGiven(input) && LINES.has(tool?.name ?? '') && typeof inside(input, 'command') !== 'string',
  },
];

function nameFields({ issues }: z.ZodError): string {
  const names = issues.flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    return keys.map((key) => [...issue.path, ...(key === undefined ? [] : [key])].map(nameStep).join('.'));
  });
  return [...new Set(names)].slice(0, 5).join(', ') || 'the whole of it';
}

/** A key may be anything. */
function nameStep(step: PropertyKey): string {
  return /^\w{1,40}$/.test(String(step)) ? String(step) : '…';
}
