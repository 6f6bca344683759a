import { RunError, textsToTest } from '@spec/hooks';
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
  /** The texts that it is about, of which one has to fit; a field that is missing has none. */
  textsIn(occurrence: Occurrence): readonly string[];
}

/** The conditions of a checked rule: all of them must hold. */
export function compileConditions(
  { id, matcher, inputMatchers = {} }: Rule,
  { compile }: TimedRegexes,
): Condition[] {
  const of = (clause: string, source: string, textsIn: Condition['textsIn']): Condition => ({
    clause,
    tester: compile(source, '', `${clause} of rule "${id}"`),
    textsIn,
  });
  const onInput = Object.entries(inputMatchers).map(([field, source]) =>
    of(`inputMatchers.${field}`, source, ({ input }) =>
      textsToTest(Object.hasOwn(input, field) ? input[field] : undefined),
    ),
  );
  if (matcher === undefined) return onInput;
  return [of('matcher', matcher, ({ toolName }) => textsToTest(toolName)), ...onInput];
}

/** What can be said of a condition without taking long. */
export type QuickVerdict = 'holds' | 'fails' | 'slow' | RunError;

/** Tests the texts that cannot take long. */
export function testQuickly(condition: Condition, occurrence: Occurrence): QuickVerdict {
  const { tester } = condition;
  let verdict: QuickVerdict = 'fails';
  for (const text of condition.textsIn(occurrence)) {
    if (text.length <= tester.quickUpTo) {
      if (tester.test(text)) return 'holds';
    } else if (!(verdict instanceof RunError)) verdict = tooLong(condition, text) ?? 'slow';
  }
  return verdict;
}

/** Tests the others, within a limit of time. */
export function testSlowOnes(condition: Condition, occurrence: Occurrence): boolean {
  const { tester } = condition;
  return condition.textsIn(occurrence).some((text) => text.length > tester.quickUpTo && tester.test(text));
}

/** Why a text cannot be tested at all. */
function tooLong({ clause }: Condition, text: string): RunError | undefined {
  if (text.length <= MAX_TEXT) return undefined;
  const message = `${clause}: a text of ${text.length} characters is too long to be tested; rules read at most ${MAX_TEXT}.`;
  return new RunError('invalid_input', message);
}
