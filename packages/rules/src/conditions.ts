import { type CompileRegex, DefinitionError, type RegexTester, RunError } from '@spec/hooks';
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
interface Condition {
  /** `matcher`, or the field of the input. */
  readonly field: string;
  readonly tester: RegexTester;
}

/** The conditions of a rule: those that cannot take long apart from those that get a limit of time. */
export interface Conditions {
  readonly quick: readonly Condition[];
  readonly timed: readonly Condition[];
}

/** @throws {DefinitionError} `bad_matcher`, naming rule and field */
export function compileConditions(
  { id, matcher, inputMatchers = {} }: Rule,
  compile: CompileRegex,
): Conditions {
  const of = (field: string, source: string): Condition => ({
    field,
    tester: compileIn(`${field} of rule "${id}"`, source, compile),
  });
  const all = [
    ...(matcher === undefined ? [] : [of('matcher', matcher)]),
    ...Object.entries(inputMatchers).map(([field, source]) => of(`inputMatchers.${field}`, source)),
  ];
  const isQuick = ({ tester }: Condition): boolean => tester instanceof RegExp;
  return { quick: all.filter(isQuick), timed: all.filter((one) => !isQuick(one)) };
}

function compileIn(clause: string, source: string, compile: CompileRegex): RegexTester {
  try {
    return compile(source, '', clause);
  } catch {
    throw new DefinitionError(
      'bad_matcher',
      `${clause} is not a regular expression: /${source}/. Put a backslash before a character that is meant as itself, and close every bracket.`,
    );
  }
}

/**
 * Whether all conditions hold. A field that is missing or no text does not match.
 *
 * @throws {RunError} `invalid_input` for a text that is too long to be tested
 */
export function allHold(conditions: readonly Condition[], occurrence: Occurrence): boolean {
  return conditions.every(({ field, tester }) => {
    const text = textOf(field, occurrence);
    if (text === undefined) return false;
    if (text.length <= MAX_TEXT) return tester.test(text);
    throw new RunError(
      'invalid_input',
      `${field}: a text of ${text.length} characters is too long to be tested; rules read at most ${MAX_TEXT}.`,
    );
  });
}

function textOf(field: string, { toolName, input }: Occurrence): string | undefined {
  if (field === 'matcher') return toolName;
  const name = field.slice('inputMatchers.'.length);
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
