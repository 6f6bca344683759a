import { Script } from 'node:vm';
import { RunError } from '../errors.ts';
import type { CompileRegex, RegexTester } from '../match/types.ts';
import { isBounded } from './regex-ways.ts';

/** Milliseconds that all regular expressions of one event have together. */
const DEFAULT_BUDGET = 50;

/** Regular expressions that come from a file: they keep JavaScript's meaning, and cannot hang the process (design §8.2). */
export interface TimedRegexes {
  /** For `compileMatcher`'s option `regex`. A pattern that cannot take long runs as it is. */
  readonly compile: CompileRegex;
  /**
   * Does work that tests regular expressions, all of them in one limit of time. Work must not wait for anything, and must be
   * safe to abandon at any point. Tests outside of such work get a limit each, which costs about 0.1 ms.
   *
   * @throws {RunError} `regex_timeout`, naming where the pattern stands and the text's length, never the text
   */
  within<T>(work: () => T): T;
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
    try {
      return limited(work, budget);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw tooSlow(running, budget);
    } finally {
      running = undefined;
    }
  };

  const compile: CompileRegex = (source, flags, clause) => {
    const regex = new RegExp(source, flags);
    if (isBounded(source)) return regex;
    const test = (text: string): boolean => {
      running = { clause, label: `/${source}/${flags}`, length: text.length };
      return regex.test(text);
    };
    return timedTester(test, within);
  };

  return { compile, within };
}

function timedTester(test: (text: string) => boolean, within: TimedRegexes['within']): RegexTester {
  return { test: (text) => (isLimited ? test(text) : within(() => test(text))) };
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
