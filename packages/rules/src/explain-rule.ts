import { RunError } from '@spec/hooks';
import { timedRegexes } from '@spec/hooks/node';
import { conditionsOf, tooLong } from './conditions.ts';
import { occurrenceOf, type RuleOccasion } from './evaluate.ts';
import type { Rule } from './rule.ts';

/**
 * Which clause of a rule does not hold for an occasion of its event, without running anything: fields and patterns, never values.
 * `undefined`: all hold, or nobody knows, and then a deny rule denies.
 */
export function explainRule(
  rule: Rule,
  occasion: Omit<RuleOccasion, 'event' | 'agentId'>,
): string | undefined {
  const regexes = timedRegexes();
  const occurrence = occurrenceOf(occasion);
  try {
    return regexes.within(() => whyNot(rule, occurrence, regexes));
  } catch (error) {
    if (error instanceof RunError) return undefined;
    throw error;
  }
}

function whyNot(
  rule: Rule,
  occurrence: ReturnType<typeof occurrenceOf>,
  regexes: ReturnType<typeof timedRegexes>,
): string | undefined {
  for (const condition of conditionsOf(rule, regexes)) {
    const { clause, tester } = condition;
    const text = condition.textIn(occurrence);
    if (text === undefined) return `${clause}: there is no such text`;
    if (tooLong(condition, text) === undefined && !tester.test(text))
      return mismatch(rule, clause, occurrence.toolName);
  }
  return undefined;
}

function mismatch({ matcher, inputMatchers }: Rule, clause: string, toolName = ''): string {
  if (clause === 'matcher') return `matcher /${matcher}/ does not match ${toolName}`;
  return `${clause} /${inputMatchers?.[clause.slice('inputMatchers.'.length)]}/ does not match`;
}
