import { RunError } from '@spec/hooks';
import { type TimedRegexes, timedRegexes } from '@spec/hooks/node';
import { actionOf } from './actions.ts';
import {
  type Condition,
  compileConditions,
  type Occurrence,
  testQuickly,
  testSlowOnes,
} from './conditions.ts';
import type { Rule } from './rule.ts';

/** A rule that applies to an occurrence. */
export interface Match {
  readonly rule: Rule;
  /** The rule could not be tested: a pattern took too long, or a text is too long. A deny rule denies then. */
  readonly untested?: RunError;
}

/** Finds the rules of one event that apply. */
export interface RuleMatcher {
  /** In order of priority, equal ones as they were given, up to the first that certainly denies. */
  matching(occurrence: Occurrence): readonly Match[];
}

interface CompiledRule {
  readonly rule: Rule;
  readonly conditions: readonly Condition[];
  /** A pattern of it took too long once; it is not tested again until the rule is loaded again. */
  quarantine?: RunError;
}

/** A rule that may apply: what was tested quickly holds. */
interface Candidate {
  readonly one: CompiledRule;
  readonly untested: RunError | undefined;
  /** Conditions are left that need a limit of time. */
  readonly isSlow: boolean;
}

/** How often a call with a limit of time is made for one event: a rule that uses up the first leaves another to the rest. */
const MAX_TIMED_CALLS = 2;

/**
 * Compiles the rules of one event.
 *
 * M1 Tests that cannot take long run as they are; all others of an event share one call with a limit of 50 ms.
 * M2 A rule of which a pattern takes longer is quarantined until the rules are loaded again: its slow conditions are not tested any more, and
 *    it counts as untested wherever the others hold.
 * M3 A rule is untested only where no condition of it is known to fail.
 */
export function compileRules(rules: readonly Rule[], regexes: TimedRegexes = timedRegexes()): RuleMatcher {
  const compiled = rules
    .toSorted((a, b) => b.priority - a.priority)
    .map((rule): CompiledRule => ({ rule, conditions: compileConditions(rule, regexes) }));
  return {
    matching(occurrence) {
      const candidates = candidatesFor(compiled, occurrence);
      const slow = candidates.filter(({ isSlow }) => isSlow).map(({ one }) => one);
      const verdicts = slow.length === 0 ? none : testSlowly(slow, occurrence, regexes);
      return candidates.flatMap((candidate) => makeMatch(candidate, verdicts));
    },
  };
}

function candidatesFor(compiled: readonly CompiledRule[], occurrence: Occurrence): Candidate[] {
  const candidates: Candidate[] = [];
  for (const one of compiled) {
    const candidate = lookAt(one, occurrence);
    if (candidate === undefined) continue;
    candidates.push(candidate);
    if (actionOf(one.rule).isFinal && one.rule.refusal === undefined && !candidate.isSlow) break;
  }
  return candidates;
}

/** Tests what can be tested quickly. */
function lookAt(one: CompiledRule, occurrence: Occurrence): Candidate | undefined {
  let untested: RunError | undefined;
  let isSlow = false;
  for (const condition of one.conditions) {
    const verdict = testQuickly(condition, occurrence);
    if (verdict === 'fails') return undefined;
    if (verdict instanceof RunError) untested ??= verdict;
    isSlow ||= verdict === 'slow';
  }
  if (isSlow && one.quarantine !== undefined) return { one, untested: one.quarantine, isSlow: false };
  return { one, untested, isSlow };
}

/** Whether the slow conditions of a rule hold, or why nobody knows. */
type Verdicts = ReadonlyMap<CompiledRule, boolean | RunError>;
const none: Verdicts = new Map();

/** Tests the rest in one call with a limit; where a rule uses it up, the others get another one without it (M2). */
function testSlowly(rules: readonly CompiledRule[], occurrence: Occurrence, regexes: TimedRegexes): Verdicts {
  const verdicts = new Map<CompiledRule, boolean | RunError>();
  let running = rules[0] as CompiledRule;
  const testRest = (): void => {
    for (const one of rules) {
      if (verdicts.has(one)) continue;
      running = one;
      verdicts.set(one, slowOnesHold(one, occurrence));
    }
  };
  for (let call = 1; call <= MAX_TIMED_CALLS && verdicts.size < rules.length; call++) {
    try {
      regexes.within(testRest);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      running.quarantine = error;
      verdicts.set(running, error);
    }
  }
  for (const one of rules) if (!verdicts.has(one)) verdicts.set(one, notReached(one));
  return verdicts;
}

function slowOnesHold({ conditions }: CompiledRule, occurrence: Occurrence): boolean {
  return conditions.every(
    (condition) => testQuickly(condition, occurrence) !== 'slow' || testSlowOnes(condition, occurrence),
  );
}

function notReached({ rule }: CompiledRule): RunError {
  const message = `The rule "${rule.id}" was not tested: patterns of other rules used up the time of this event.`;
  return new RunError('regex_timeout', message);
}

function makeMatch({ one, untested, isSlow }: Candidate, verdicts: Verdicts): Match[] {
  const verdict = isSlow ? verdicts.get(one) : true;
  if (verdict === false) return [];
  const why = verdict instanceof RunError ? verdict : untested;
  return [why === undefined ? { rule: one.rule } : { rule: one.rule, untested: why }];
}
