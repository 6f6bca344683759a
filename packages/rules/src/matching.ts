import { RunError } from '@spec/hooks';
import { type TimedRegexes, timedRegexes } from '@spec/hooks/node';
import { allHold, type Conditions, compileConditions, type Occurrence } from './conditions.ts';
import type { Rule } from './rule.ts';

/** A rule that applies to an occurrence. */
export interface Match {
  readonly rule: Rule;
  /** The rule could not be tested: a pattern took too long, or a text is too long. A deny rule denies then. */
  readonly untested?: RunError;
}

interface CompiledRule {
  readonly rule: Rule;
  readonly conditions: Conditions;
  /** It took too long once, and is not tested again until it is loaded again. */
  quarantine?: RunError;
}

/** Finds the rules of one event that apply. */
export interface RuleMatcher {
  /** In order of priority, equal ones as they were given. */
  matching(occurrence: Occurrence): readonly Match[];
}

/**
 * Compiles the rules of one event.
 *
 * M1 Patterns that cannot take long run as they are; all others of an event share one call with a limit of 50 ms.
 * M2 A rule of which a pattern takes longer is quarantined until the rules are loaded again: it is not tested any more, and counts as untested
 *    wherever its quick conditions hold.
 *
 * @throws {DefinitionError} `bad_matcher`, naming rule and field
 */
export function compileRules(rules: readonly Rule[], regexes: TimedRegexes = timedRegexes()): RuleMatcher {
  const compiled = rules
    .toSorted((a, b) => b.priority - a.priority)
    .map((rule): CompiledRule => ({ rule, conditions: compileConditions(rule, regexes.compile) }));
  return {
    matching(occurrence) {
      const candidates = compiled.flatMap((one) => candidate(one, occurrence));
      const isTimed = candidates.some(({ one, untested }) => needsTime(one) && untested === undefined);
      return isTimed ? timed(candidates, occurrence, regexes) : candidates.map(toMatch);
    },
  };
}

/** A rule of which the quick conditions hold. */
interface Candidate {
  readonly one: CompiledRule;
  readonly untested: RunError | undefined;
}

function needsTime({ conditions }: CompiledRule): boolean {
  return conditions.timed.length > 0;
}

function candidate(one: CompiledRule, occurrence: Occurrence): Candidate[] {
  try {
    return allHold(one.conditions.quick, occurrence) ? [{ one, untested: one.quarantine }] : [];
  } catch (error) {
    return [{ one, untested: untestedBy(error) }];
  }
}

/** Tests the rest in one call with a limit; where a rule uses it up, the others get another one without it (M2). */
function timed(candidates: readonly Candidate[], occurrence: Occurrence, regexes: TimedRegexes): Match[] {
  const verdicts = new Map<CompiledRule, boolean>();
  const rest = candidates.filter(({ one, untested }) => needsTime(one) && untested === undefined);
  let running: CompiledRule | undefined;
  const testRest = (): void => {
    for (const { one } of rest) {
      if (verdicts.has(one) || one.quarantine !== undefined) continue;
      running = one;
      verdicts.set(one, allHold(one.conditions.timed, occurrence));
    }
  };
  for (;;) {
    try {
      regexes.within(testRest);
      break;
    } catch (error) {
      const offender = running as CompiledRule;
      const untested = untestedBy(error);
      if (untested.code === 'regex_timeout') offender.quarantine = untested;
      else return oneByOne(candidates, occurrence, regexes);
    }
  }
  return candidates
    .map(({ one, untested }) => ({ one, untested: untested ?? one.quarantine }))
    .filter(({ one, untested }) => untested !== undefined || !needsTime(one) || verdicts.get(one) === true)
    .map(toMatch);
}

/** Where a text is too long for one rule, each is tested by itself. */
function oneByOne(
  candidates: readonly Candidate[],
  occurrence: Occurrence,
  { within }: TimedRegexes,
): Match[] {
  return candidates.flatMap(({ one, untested }) => {
    if (untested !== undefined) return [toMatch({ one, untested })];
    try {
      const holds = within(() => allHold(one.conditions.timed, occurrence));
      return holds ? [toMatch({ one, untested })] : [];
    } catch (error) {
      const why = untestedBy(error);
      if (why.code === 'regex_timeout') one.quarantine = why;
      return [toMatch({ one, untested: why })];
    }
  });
}

function toMatch({ one: { rule }, untested }: Candidate): Match {
  return untested === undefined ? { rule } : { rule, untested };
}

function untestedBy(error: unknown): RunError {
  if (error instanceof RunError) return error;
  throw error;
}
