import { Script } from 'node:vm';
import { RunError } from '../errors.ts';
import type { RegexTester } from '../match/types.ts';
import { quickLength } from './regex-ways.ts';

/** Milliseconds that all regular expressions of one event have together. */
const DEFAULT_BUDGET = 50;

/** How often work is begun where a loaded machine gave it no time: who was running then is not to blame. */
const MAX_TRIES = 3;

/** Regular expressions that come from a file: they keep JavaScript's meaning, and cannot hang the process. */
export interface TimedRegexes {
  /** For `compileMatcher`'s option `regex`. A test that cannot take long runs as it is. */
  readonly compile: (source: string, flags: string, clause: string) => TimedTester;
  /**
   * Does work that tests regular expressions, all of them in one limit of time. Work must not wait for anything, and must be
   * safe to abandon at any point and to begin again. Tests outside of such work get a limit each, which costs about 0.1 ms.
   *
   * @throws {RunError} `regex_timeout`, naming where the pattern stands and the text's length, never the text
   */
  within<T>(work: () => T): T;
}

/** A regular expression that cannot hang the process. */
export interface TimedTester extends RegexTester {
  /** Texts of up to so many characters are tested without a limit, because they cannot take long. */
  readonly quickUpTo: number;
}

/** What is being tested, so that the one that took too long is known. */
interface Test {
  readonly clause: string;
  readonly label: string;
  readonly length: number;
}

/**
 * Compiles regular expressions with a limit of time.
 *
 * @param budget milliseconds for the tests of one event. Default 50.
 */
export function timedRegexes(budget: number = DEFAULT_BUDGET): TimedRegexes {
  let running: Test | undefined;

  const within = <T>(work: () => T): T => {
    for (let tries = 1; ; tries++) {
      const cpu = process.cpuUsage();
      try {
        return limited(work, budget);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        if (tries === MAX_TRIES || hasWorked(cpu, budget)) throw tooSlow(running, budget);
      } finally {
        running = undefined;
      }
    }
  };

  const compile = (source: string, flags: string, clause: string): TimedTester => {
    const regex = new RegExp(source, flags);
    const quickUpTo = quickLength(source);
    const slowTest = (text: string): boolean => {
      running = { clause, label: `/${source}/${flags}`, length: text.length };
      return regex.test(text);
    };
    const test = (text: string): boolean => {
      if (text.length <= quickUpTo) return regex.test(text);
      return isLimited ? slowTest(text) : within(() => slowTest(text));
    };
    return { quickUpTo, test };
  };

  return { compile, within };
}

/** Whether the time was spent on work, and not on waiting for a processor that others use. */
function hasWorked(since: NodeJS.CpuUsage, budget: number): boolean {
  const { user, system } = process.cpuUsage(since);
  return user + system > (budget * 1_000) / 2;
}

/** Whether work with a limit is under way. */
let isLimited = false;
let work: () => unknown = () => undefined;

const entry = '__specHooksTimedWork';
const script = new Script(`globalThis[Symbol.for('${entry}')]()`);

/** The watchdog of `node:vm` ends everything that the script calls, also a regular expression in the middle of its search. */
function limited<T>(given: () => T, timeout: number): T {
  if (isLimited) return given();
  const global = globalThis as { [key: symbol]: unknown };
  const key = Symbol.for(entry);
  global[key] ??= () => work();
  isLimited = true;
  work = given;
  try {
    return script.runInThisContext({ timeout }) as T;
  } finally {
    isLimited = false;
    work = () => undefined;
  }
}

function tooSlow(test: Test | undefined, budget: number): RunError {
  const what =
    test === undefined
      ? 'The conditions'
      : `The pattern ${test.label} of ${test.clause} (on a text of ${test.length} characters)`;
  return new RunError(
    'regex_timeout',
    `${what} did not finish within ${budget} ms. Write it without nested repeats, such as (a+)+, or with upper bounds.`,
  );
}
