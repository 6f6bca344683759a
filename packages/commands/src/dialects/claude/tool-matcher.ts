import { compileMatcher } from '@spec/hooks';
import { compileFileRegex } from '../../regexes.ts';

/** Whether a matcher wants a name: a tool, a type of agent, a way to start. */
export type NameTest = (name: string) => boolean;

/** Letters, digits, `_`, `-`, blanks, `|` and `,`: names, each exact. */
const LIST = /^[\w\- ,|]*$/;

/**
 * Compiles a matcher: a list of exact names where it holds nothing but names and separators, else a regular expression that may
 * fit anywhere.
 *
 * @throws {DefinitionError} `bad_matcher` for a regular expression that is none
 */
export function nameTestOf(matcher: string): NameTest {
  if (LIST.test(matcher)) {
    const names = new Set(matcher.split(/[|,]/).map((name) => name.trim()));
    return (name) => names.has(name);
  }
  const compiled = compileMatcher(`/${matcher}/`, { regex: compileFileRegex });
  return (name) => compiled.test({ name, input: undefined });
}
