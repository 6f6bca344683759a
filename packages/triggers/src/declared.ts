import { isDeepStrictEqual } from 'node:util';
import { DefinitionError, nearest } from '@spec/hooks';
import { timedRegexes } from '@spec/hooks/node';
import { z } from 'zod';
import { type AnyTrigger, defineTrigger } from './trigger.ts';

/** A condition on the result of a tool: all that it names must hold. */
export interface ConditionInput {
  /** A JSON pointer into the result, such as `/summary/total`; `''` is the whole of it. */
  readonly pointer: string;
  readonly equals?: string | number | boolean | null | undefined;
  readonly notEquals?: string | number | boolean | null | undefined;
  /** Another place of the result with the same value. */
  readonly equalsPointer?: string | undefined;
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  readonly exists?: boolean | undefined;
  /** A regular expression on a text. */
  readonly matches?: string | undefined;
}

/** A trigger as JSON. */
export interface TriggerInput {
  readonly id: string;
  /** A tool pattern, such as `update_plan` or `write_*`. Default: every tool. */
  readonly tool?: string | undefined;
  /** The outcome of the call. Default: either. */
  readonly status?: 'success' | 'error' | undefined;
  readonly conditions?: readonly ConditionInput[] | undefined;
  /** `{{/summary/total}}` in it stands for a place of the result. */
  readonly message: string;
  readonly once?: 'turn' | 'thread' | undefined;
  /** A JSON pointer. Firings with the same value there count as the same. */
  readonly key?: string | undefined;
}

const pointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'must be a JSON pointer, such as /summary/total');
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const conditionShape = z
  .strictObject({
    pointer: pointer.describe(
      "A JSON pointer into the result, such as /summary/total; '' is the whole of it.",
    ),
    equals: scalar.optional().describe('It has this value.'),
    notEquals: scalar.optional().describe('It has another value, or none.'),
    equalsPointer: pointer.optional().describe('It has the value that is at this other place of the result.'),
    above: z.number().optional().describe('It is a number above this one.'),
    below: z.number().optional().describe('It is a number below this one.'),
    exists: z.boolean().optional().describe('There is something, or nothing.'),
    matches: z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .describe('It is a text that this regular expression matches.'),
  })
  .describe('A condition on the result of a tool: all that it names must hold.');

const triggerShape = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, 'must be snake_case')
    .describe('Names the trigger in records. snake_case, unique.'),
  tool: z
    .string()
    .min(1)
    .optional()
    .describe('A tool pattern, such as update_plan or write_*. Default: every tool.'),
  status: z.enum(['success', 'error']).optional().describe('The outcome of the call. Default: either.'),
  conditions: z.array(conditionShape).optional().describe('All of them must hold.'),
  message: z
    .string()
    .min(1)
    .describe('What the model is told. {{/summary/total}} in it stands for a place of the result.'),
  once: z.enum(['turn', 'thread']).optional().describe('How often it may fire. Default: whenever it holds.'),
  key: pointer.optional().describe('A JSON pointer: firings with the same value there are the same.'),
});

const fileShape = z
  .strictObject({ $schema: z.string().optional(), triggers: z.array(triggerShape) })
  .describe('Triggers for an agent.');

/** The JSON Schema of a file of triggers, for editors. */
export function triggersJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(fileShape, { io: 'input', target: 'draft-07' });
}

/**
 * Makes triggers of JSON: `{ triggers: [ … ] }` or a list.
 *
 * @throws {DefinitionError} `bad_definition`, one error that names every trigger that is wrong
 */
export function declaredTriggers(content: unknown): AnyTrigger[] {
  const parsed = fileShape.safeParse(Array.isArray(content) ? { triggers: content } : content);
  if (parsed.success) return parsed.data.triggers.map(toTrigger);
  const list = parsed.error.issues.map((issue) => `- ${sentence(issue)}`).join('\n');
  throw new DefinitionError('bad_definition', `The triggers cannot be loaded.\n${list}`);
}

function sentence(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.') || 'the file';
  if (issue.code !== 'unrecognized_keys') return `${path}: ${issue.message}`;
  const known = [...Object.keys(triggerShape.shape), ...Object.keys(conditionShape.shape)];
  const hints = issue.keys.map((key) => {
    const meant = nearest(key, known);
    return `"${key}" is not known${meant === undefined ? '' : `. Did you mean "${meant}"?`}`;
  });
  return `${path}: ${hints.join('; ')}`;
}

function toTrigger({ id, tool, status, conditions = [], message, once, key }: TriggerInput): AnyTrigger {
  const tests = conditions.map((condition) => makeTest(condition, id));
  return defineTrigger<'tool_result'>({
    id,
    on: 'tool_result',
    ...(tool === undefined ? {} : { match: tool }),
    ...(once === undefined ? {} : { once }),
    ...(key === undefined ? {} : { key: ({ use }) => JSON.stringify(pointed(use.value, key)) ?? 'absent' }),
    when: ({ use }) => (status ?? use.status) === use.status && tests.every((holds) => holds(use.value)),
    message: ({ use }) => filled(message, use.value),
  });
}

function makeTest(condition: ConditionInput, id: string): (value: unknown) => boolean {
  const { pointer: path, equals, notEquals, equalsPointer, above, below, exists, matches } = condition;
  const regex = matches === undefined ? undefined : compileRegex(matches, id);
  return (value) => {
    const found = pointed(value, path);
    return (
      (equals === undefined || found === equals) &&
      (notEquals === undefined || found !== notEquals) &&
      (equalsPointer === undefined || isSameValue(found, pointed(value, equalsPointer))) &&
      (above === undefined || (typeof found === 'number' && found > above)) &&
      (below === undefined || (typeof found === 'number' && found < below)) &&
      (exists === undefined || (found !== undefined) === exists) &&
      (regex === undefined || (typeof found === 'string' && regex.test(found)))
    );
  };
}

/** Whether two places have a value, and the same one. The order of names in an object does not count. */
function isSameValue(one: unknown, other: unknown): boolean {
  return one !== undefined && (one === other || isDeepStrictEqual(one, other));
}

const regexes = timedRegexes();

function compileRegex(source: string, id: string): { test(text: string): boolean } {
  try {
    return regexes.compile(source, '', `matches of trigger "${id}"`);
  } catch {
    throw new DefinitionError('bad_definition', `Trigger "${id}": /${source}/ is not a regular expression.`);
  }
}

/** Fills in parts of the result in a message. A value that is not text is written as JSON. */
function filled(message: string, value: unknown): string {
  return message.replace(/\{\{(\/[^{}]*)\}\}/g, (_, path: string) => {
    const found = pointed(value, path);
    return typeof found === 'string' ? found : (JSON.stringify(found) ?? '');
  });
}

/** Finds the value of a JSON pointer (RFC 6901); `undefined` if there is none. */
function pointed(value: unknown, pointer: string): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return (at as Record<string, unknown>)[name];
  }, value);
}
