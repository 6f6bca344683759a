import { RunError } from '@spec/hooks';
import type { HandlerFailed } from '../handlers/handler-end.ts';
import type { CompiledEntry, Occasion } from '../normal-form.ts';
import { inTime, quickly } from '../regexes.ts';
import { isGuard } from './guards.ts';

/**
 * Why an entry does not match an occasion (names of tools, fields and patterns, never values), or that it cannot be tested;
 * `undefined`: it matches.
 */
export type WhyNot = string | HandlerFailed | undefined;

/** The most timed calls for one event. If one entry uses up the first, the others still get another. */
const MAX_TIMED_CALLS = 2;

/** Entries with a pattern that took too long. They are not tested until they are loaded again. */
const quarantine = new WeakMap<CompiledEntry, RunError>();

/** Tests which entries match an occasion, and says why the others do not. */
export function whyNots(entries: readonly CompiledEntry[], occasion: Occasion): Map<CompiledEntry, WhyNot> {
  const others = new Map<CompiledEntry, WhyNot>();
  for (const compiled of entries) {
    const why = explainOtherThread(compiled, occasion);
    if (why !== undefined) others.set(compiled, why);
  }
  const rest = entries.filter((compiled) => !others.has(compiled));
  return new Map([...others, ...mismatches(rest, occasion)]);
}

/** The same for one entry. */
export function whyNot(compiled: CompiledEntry, occasion: Occasion): WhyNot {
  return whyNots([compiled], occasion).get(compiled);
}

function explainOtherThread(
  { entry: { only } }: CompiledEntry,
  { isSubagent }: Occasion,
): string | undefined {
  if (only === 'main' && isSubagent) return 'it is for threads that are no subagents';
  if (only === 'subagent' && !isSubagent) return 'it is for subagents';
  return undefined;
}

/**
 * Tests the matchers of entries.
 *
 * 1. Tests that are certainly quick run directly; all others share one call with a limit of 50 ms.
 * 2. An entry with a slower pattern fails (`regex_timeout`), denies if it is a guard, and is not tested again.
 * 3. If a text is too long to be tested, the entry runs: a guard gets all of it and decides for itself.
 */
export function mismatches(
  entries: readonly CompiledEntry[],
  occasion: Occasion,
): Map<CompiledEntry, WhyNot> {
  const verdicts = new Map<CompiledEntry, WhyNot>();
  const slow: CompiledEntry[] = [];
  for (const compiled of entries) {
    const quick = quickly(() => mismatch(compiled, occasion));
    if (quick !== undefined) verdicts.set(compiled, quick.value);
    else slow.push(compiled);
  }
  if (slow.length > 0) testSlowly(slow, occasion, verdicts);
  return verdicts;
}

function testSlowly(
  slow: readonly CompiledEntry[],
  occasion: Occasion,
  verdicts: Map<CompiledEntry, WhyNot>,
): void {
  for (const compiled of slow) {
    const known = quarantine.get(compiled);
    if (known !== undefined) verdicts.set(compiled, untested(compiled, known));
  }
  const isOpen = (compiled: CompiledEntry): boolean => !verdicts.has(compiled);
  for (let call = 1; call <= MAX_TIMED_CALLS && slow.some(isOpen); call++) {
    try {
      inTime(() => {
        for (const compiled of slow)
          if (isOpen(compiled)) verdicts.set(compiled, mismatch(compiled, occasion));
      });
    } catch (error) {
      const running = slow.find(isOpen);
      if (!(error instanceof RunError) || running === undefined) throw error;
      quarantine.set(running, error);
      verdicts.set(running, untested(running, error));
    }
  }
  for (const compiled of slow) if (isOpen(compiled)) verdicts.set(compiled, untested(compiled, NOT_REACHED));
}

const NOT_REACHED = new RunError(
  'regex_timeout',
  'It was not tested: patterns of other entries used up the time of this event.',
);

function untested({ entry }: CompiledEntry, { message }: RunError): HandlerFailed {
  return {
    failure: { effect: 'onLaunchError', why: message },
    outcome: 'failed',
    code: 'regex_timeout',
    ...(isGuard(entry) ? { mustBlock: true } : {}),
  };
}

function mismatch(compiled: CompiledEntry, occasion: Occasion): string | undefined {
  try {
    return compiled.mismatch(occasion);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
