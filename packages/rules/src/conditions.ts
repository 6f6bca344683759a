import { RunError } from '@spec/hooks';
import type { TimedRegexes, TimedTester } from '@spec/hooks/node';
import type { Rule } from './rule.ts';

/** Characters of a text that a pattern is tested on. Longer ones are never cut: padding would get past the rule. */
const MAX_TEXT = 1_048_576;

/** What a rule is held against. */
export interface Occurrence {
  /** Absent where there is no tool. */
  readonly toolName?: string;
  /** The tool's input; `{ prompt }` or `{ stopReason }` where there is none. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** One condition of a rule. */
export interface Condition {
  /** `matcher`, or the field of the input. */
  readonly clause: string;
  readonly tester: TimedTester;
  /** The text that it is about; a field that is missing or no text has none, and does not match. */
  textIn(occurrence: Occurrence): string | undefined;
}

/** The conditions of a checked rule: all of them must hold. */
export function compileConditions(
  { id, matcher, inputMatchers = {} }: Rule,
  { compile }: TimedRegexes,
): Condition[] {
  const of = (clause: string, source: string, textIn: Condition['textIn']): Condition => ({
    clause,
    tester: compile(source, '', `${clause} of rule "${id}"`),
    textIn,
  });
  const onInput = Object.entries(inputMatchers).map(([field, source]) =>
    of(`inputMatchers.${field}`, source, ({ input }) => readText(input, field)),
  );
  if (matcher === undefined) return onInput;
  return [of('matcher', matcher, ({ toolName }) => toolName), ...onInput];
}

function readText(input: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = Object.hasOwn(input, field) ? input[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Why a text cannot be tested at all. */
export function tooLong({ clause }: Condition, text: string): RunError | undefined {
  if (text.length <= MAX_TEXT) return undefined;
  const message = `${clause}: a text of ${text.length} characters is too long to be tested; rules read at most ${MAX_TEXT}.`;
  return new RunError('invalid_input', message);
}
