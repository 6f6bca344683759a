import { issuePaths } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import { z } from 'zod';
import { withoutMisfits } from '../nested/refusal.ts';

const text = z.string().nullish();
const object = z.record(z.string(), z.json());
const permissionDecision = z.enum(['allow', 'deny', 'ask', 'defer']).nullish();

const requestDecision = z.discriminatedUnion('behavior', [
  z.looseObject({ behavior: z.literal('allow'), updatedInput: object.nullish() }),
  z.looseObject({ behavior: z.literal('deny'), message: text, interrupt: z.boolean().nullish() }),
]);

/** What an answer holds for each event besides what all have. */
const specifics: Readonly<Record<string, z.ZodRawShape>> = {
  PreToolUse: { permissionDecision, permissionDecisionReason: text, updatedInput: object.nullish() },
  PermissionRequest: { decision: requestDecision.nullish() },
  PostToolUse: { updatedToolOutput: z.json().optional(), updatedMCPToolOutput: z.json().optional() },
  SessionStart: { initialUserMessage: text },
};

type RequestDecision =
  | { readonly behavior: 'allow'; readonly updatedInput?: JsonObject | null }
  | { readonly behavior: 'deny'; readonly message?: string | null; readonly interrupt?: boolean | null };

/** What `hookSpecificOutput` may hold, whatever the event; what does not belong to the event is not there. */
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
  readonly decision?: 'approve' | 'block' | null;
  readonly reason?: string | null;
  readonly hookSpecificOutput?: SpecificOutput | null;
}

function makeSchema(eventName: string): z.ZodType<ClaudeOutput> {
  return z.looseObject({
    continue: z.boolean().nullish(),
    stopReason: text,
    systemMessage: text,
    decision: z.enum(['approve', 'block']).nullish(),
    // It belongs into hookSpecificOutput: out here it would be passed over, and a deny with it.
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

const schemas = new Map<string, z.ZodType<ClaudeOutput>>();

/** An answer that fits its event, or which of its fields do not and what is left without them. */
export type CheckedOutput =
  | { readonly output: ClaudeOutput; readonly why?: undefined }
  | { readonly output: ClaudeOutput | undefined; readonly why: string };

export function checkedOutput(eventName: string, value: unknown): CheckedOutput {
  const schema = schemas.get(eventName) ?? makeSchema(eventName);
  schemas.set(eventName, schema);
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return { output: data };
  const why = `its answer does not fit ${eventName}: ${issuePaths(error.issues)}`;
  return { why, output: schema.safeParse(withoutMisfits(value, error)).data };
}

const verdict = z.looseObject({ ok: z.boolean(), reason: text });

/** The answer of a model that was asked; `undefined` where it is none. */
export function modelVerdict(value: unknown): { readonly ok: boolean; readonly reason: string } | undefined {
  const { data } = verdict.safeParse(value);
  return data && { ok: data.ok, reason: data.reason ?? '' };
}
