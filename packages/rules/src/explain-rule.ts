import { type TimedRegexes, timedRegexes } from '@spec/hooks/node';
import {
  type Condition,
  compileConditions,
  type Occurrence,
  testQuickly,
  testSlowOnes,
} from './conditions.ts';
import {
  answerRefused,
  answerUntested,
  certainAnswer,
  makeOccurrence,
  type RuleAnswer,
  type RuleOccasion,
  whyNotAllowed,
} from './evaluate.ts';
import { compileRules } from './matching.ts';
import type { Rule } from './rule.ts';

/** What a rule would do, as far as that is certain without running a script. */
export interface RuleOutlook {
  readonly applies: boolean;
  /** The clause that does not hold, or cannot be tested: fields and patterns, never values. */
  readonly why?: string | undefined;
  /** Its answer; none where only its script would tell. */
  readonly answer?: RuleAnswer | undefined;
}

/** What a rule would do on an occasion of its event, without running anything. One that cannot be tested denies where it is there to deny. */
export function explainRule(rule: Rule, occasion: Omit<RuleOccasion, 'event' | 'agentId'>): RuleOutlook {
  const regexes = timedRegexes();
  const occurrence = makeOccurrence(occasion);
  const [match] = compileRules([rule], regexes).matching(occurrence);
  if (match === undefined)
    return { applies: false, why: regexes.within(() => whyNot(rule, occurrence, regexes)), answer: {} };
  const { untested } = match;
  if (rule.refusal !== undefined) {
    const answer = answerRefused(rule);
    return { applies: answer.decision !== undefined, why: rule.refusal, answer };
  }
  if (untested === undefined)
    return { applies: true, why: whyNotAllowed(rule, occasion), answer: certainAnswer(rule, occasion) };
  return { applies: true, why: untested.message, answer: answerUntested(rule, untested) };
}

/** Of a rule that does not match: the first condition that does not hold, of those that are tested quickly if one of them. */
function whyNot(rule: Rule, occurrence: Occurrence, regexes: TimedRegexes): string | undefined {
  const conditions = compileConditions(rule, regexes);
  const isSlow = (condition: Condition): boolean => testQuickly(condition, occurrence) === 'slow';
  for (const condition of conditions.toSorted((a, b) => Number(isSlow(a)) - Number(isSlow(b)))) {
    const { clause } = condition;
    if (condition.textsIn(occurrence).length === 0) return `${clause}: there is no such text`;
    const verdict = testQuickly(condition, occurrence);
    if (verdict === 'fails' || (verdict === 'slow' && !testSlowOnes(condition, occurrence)))
      return mismatch(rule, clause, occurrence.toolName);
  }
  return undefined;
}

function mismatch({ matcher, inputMatchers }: Rule, clause: string, toolName = ''): string {
  if (clause === 'matcher') return `matcher /${matcher}/ does not match ${toolName}`;
  return `${clause} /${inputMatchers?.[clause.slice('inputMatchers.'.length)]}/ does not match`;
}
