import type { CompileRegex } from '@spec/hooks';
import { timedRegexes } from '@spec/hooks/node';

const timed = timedRegexes();

/** Thrown by a test that could be slow when only quick ones may run. */
const SLOW: unique symbol = Symbol('slow');

let isQuickOnly = false;

/** Compiles the regular expressions of settings files, which keep JavaScript's meaning and have bounded time (design §8.2). */
export const compileFileRegex: CompileRegex = (source, flags, clause) => {
  const tester = timed.compile(source, flags, clause);
  return {
    test(text) {
      if (isQuickOnly && text.length > tester.quickUpTo) throw SLOW;
      return tester.test(text);
    },
  };
};

/** Runs a test if it is certainly quick; `undefined` if not, and then it must run {@link inTime}. */
export function quickly<T>(test: () => T): { readonly value: T } | undefined {
  isQuickOnly = true;
  try {
    return { value: test() };
  } catch (error) {
    if (error === SLOW) return undefined;
    throw error;
  } finally {
    isQuickOnly = false;
  }
}

/**
 * Runs tests with one limit of 50 ms for all. They must be safe to abandon and repeat.
 *
 * @throws {RunError} `regex_timeout`, naming the clause and the text's length, never the text
 */
export const inTime: <T>(tests: () => T) => T = timed.within;
