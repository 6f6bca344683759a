import { z } from 'zod';
import { actionNames, type RuleAction } from './actions.ts';
import { type RuleEvent, ruleEvents } from './events.ts';

/** A rule as it is written: what has a default may be left out. */
export interface RuleInput {
  /** Names the rule in records. snake_case, unique. Default: from its place in the file. */
  readonly id?: string | undefined;
  /** When it is asked. Default `PreToolUse`. */
  readonly event?: RuleEvent | undefined;
  /** A regular expression on the tool's name, not anchored. Default: every tool. */
  readonly matcher?: string | undefined;
  /** Regular expressions by field of the input. All must match; a field that is missing or no text does not. */
  readonly inputMatchers?: Readonly<Record<string, string>> | undefined;
  /** What happens where the rule matches. */
  readonly action: RuleAction;
  /** What the model is told where the rule denies. */
  readonly reason?: string | undefined;
  /** JavaScript, for the action `script`. */
  readonly script?: string | undefined;
  /** Higher first; equal ones as they are written. Default 0. */
  readonly priority?: number | undefined;
  /** `false`: a failing script denies. Default `true`. */
  readonly continueOnError?: boolean | undefined;
  /** `false`: the rule is not loaded. Default `true`. */
  readonly enabled?: boolean | undefined;
}

type Defaults = 'event' | 'priority' | 'continueOnError' | 'enabled';
type Filled = { readonly [Field in Defaults]: NonNullable<RuleInput[Field]> };

/** A rule of the right shape, with its defaults filled in. */
export type FilledRule = Omit<RuleInput, Defaults> & Filled;

/** A rule that was checked. */
export type Rule = FilledRule & {
  readonly id: string;
  /** Where it is written, where that is a file: `rules.yaml:12`. */
  readonly position?: string;
  /** Why it must not run, in sentences: what it guards is denied, and else it is passed over. */
  readonly refusal?: string;
};

const pattern = z.string().min(1).max(1_024);

const shape = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, 'must be snake_case, such as no_env_files')
      .max(100)
      .optional()
      .describe('Names the rule in records. snake_case, unique. Default: from its place in the file.'),
    event: z.enum(ruleEvents).default('PreToolUse').describe('When it is asked. Default: PreToolUse.'),
    matcher: pattern
      .optional()
      .describe("A regular expression on the tool's name, not anchored. Default: every tool."),
    inputMatchers: z
      .record(z.string().min(1), pattern)
      .optional()
      .describe(
        'Regular expressions by field of the input. All must match; a field that is missing or no text does not.',
      ),
    action: z.enum(actionNames).describe('What happens where the rule matches.'),
    reason: z.string().optional().describe('What the model is told where the rule denies.'),
    script: z.string().min(1).max(262_144).optional().describe('JavaScript, for the action "script".'),
    priority: z.number().default(0).describe('Higher first; equal ones as they are written. Default: 0.'),
    continueOnError: z.boolean().default(true).describe('false: a failing script denies. Default: true.'),
    enabled: z.boolean().default(true).describe('false: the rule is not loaded. Default: true.'),
  })
  .describe('A rule for one event of an agent.');

/** The shape of a rule. */
export const ruleSchema: z.ZodType<FilledRule, RuleInput> = shape;

/** The fields of a rule. */
export const ruleFields: readonly string[] = Object.keys(shape.shape);

/** The JSON Schema of a rule file, for editors; published as `rules.schema.json`. */
export function rulesJsonSchema(): Record<string, unknown> {
  const file = z
    .strictObject({ $schema: z.string().optional(), rules: z.array(shape) })
    .describe('Rules for an agent.');
  return z.toJSONSchema(file, { io: 'input', target: 'draft-07' });
}

/** Gives a rule its type where it is written in TypeScript. It is checked when it is loaded. */
export function defineRule(rule: RuleInput): RuleInput {
  return rule;
}
