import { issuePaths } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import { z } from 'zod';
import { parseWithoutMisfits } from '../nested/refusal.ts';
import type { ClaudeVariant } from './variant.ts';

const text = z.string().nullish();
const object = z.record(z.string(), z.json());
const permissionDecision = z.enum(['allow', 'deny', 'ask', 'defer']).nullish();

const requestDecision = z.discriminatedUnion('behavior', [
  z.looseObject({ behavior: z.literal('allow'), updatedInput: object.nullish() }),
  z.looseObject({ behavior: z.literal('deny'), message: text, interrupt: z.boolean().nullish() }),
]);

/** The fields of an answer for each event, besides the common ones. */
const specifics: Readonly<Record<string, z.ZodRawShape>> = {
  PreToolUse: { permissionDecision, permissionDecisionReason: text, updatedInput: object.nullish() },
  PermissionRequest: { decision: requestDecision.nullish() },
  PostToolUse: { updatedToolOutput: z.json().optional(), updatedMCPToolOutput: z.json().optional() },
  SessionStart: { initialUserMessage: text },
};

type RequestDecision =
  | { readonly behavior: 'allow'; readonly updatedInput?: JsonObject | null }
  | { readonly behavior: 'deny'; readonly message?: string | null; readonly interrupt?: boolean | null };

/** The content of `hookSpecificOutput` for any event. Fields of other events are absent. */
export interface SpecificOutput {
  readonly additionalContext?: string | null;
  readonly permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer' | null;
  readonly permissionDecisionReason?: string | null;
  readonly updatedInput?: JsonObject | null;
  readonly decision?: RequestDecision | null;
  readonly updatedToolOutput?: JsonValue;
  readonly updatedMCPToolOutput?: JsonValue;
  readonly initialUserMessage?: string | null;
}

/** An answer in JSON. */
export interface ClaudeOutput {
  readonly continue?: boolean | null;
  readonly stopReason?: string | null;
  readonly systemMessage?: string | null;
  readonly decision?: 'approve' | 'allow' | 'ask' | 'deny' | 'block' | null;
  readonly reason?: string | null;
  readonly hookSpecificOutput?: SpecificOutput | null;
}

function makeSchema(eventName: string, { decisions }: ClaudeVariant): z.ZodType<ClaudeOutput> {
  return z.looseObject({
    continue: z.boolean().nullish(),
    stopReason: text,
    systemMessage: text,
    decision: z.enum(decisions).nullish(),
    // It belongs in hookSpecificOutput. Out here it would be ignored, even a deny.
    permissionDecision: z.null().optional(),
    reason: text,
    hookSpecificOutput: z
      .looseObject({
        hookEventName: z.literal(eventName),
        additionalContext: text,
        ...specifics[eventName],
      })
      .nullish(),
  }) as unknown as z.ZodType<ClaudeOutput>;
}

/** By program and event. */
const schemas = new Map<string, z.ZodType<ClaudeOutput>>();

/** A valid answer, or its invalid fields and the rest without them. */
export type CheckedOutput =
  | { readonly output: ClaudeOutput; readonly why?: undefined }
  | { readonly output: ClaudeOutput | undefined; readonly why: string };

export function checkedOutput(eventName: string, value: unknown, variant: ClaudeVariant): CheckedOutput {
  const key = `${variant.name} ${eventName}`;
  const schema = schemas.get(key) ?? makeSchema(eventName, variant);
  schemas.set(key, schema);
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return { output: data };
  const why = `its answer does not fit ${eventName}: ${issuePaths(error.issues)}`;
  return { why, output: parseWithoutMisfits(schema, value) };
}

const verdict = z.looseObject({ ok: z.boolean(), reason: text });
const refused = z.looseObject({ ok: z.literal(false), reason: text });

/** Reads a model's answer; `undefined` if it is not one. */
export function modelVerdict(value: unknown): { readonly ok: boolean; readonly reason: string } | undefined {
  const { data } = verdict.safeParse(value);
  // A no is one, whatever its reason is.
  const given = data?.ok === true ? data : parseWithoutMisfits(refused, value);
  return given && { ok: given.ok, reason: given.reason ?? '' };
}
