import { DefinitionError, RunError } from '../errors.ts';

/** The longest pattern, in characters: a longer one is a mistake or an attack. */
const MAX_PATTERN = 1_024;

/** The longest text that a pattern is tested on, in characters. */
const MAX_TEXT = 1_048_576;

/** The error for a matcher. @param clause the part of it, if any @param problem what is wrong @param remedy what to do, as a sentence */
export function badMatcher(clause: string | undefined, problem: string, remedy: string): DefinitionError {
  const where = clause === undefined ? 'Bad matcher' : `Bad matcher, ${clause}`;
  return new DefinitionError('bad_matcher', `${where}: ${problem}. ${remedy}`);
}

/**
 * The pattern, if it is a text of 1 to 1,024 characters.
 * @throws {DefinitionError} `bad_matcher`
 */
export function checkedPattern(pattern: unknown, clause: string): string {
  if (typeof pattern !== 'string') {
    throw badMatcher(
      clause,
      `a pattern must be a string or a regular expression, got ${nameKind(pattern)}`,
      'Correct its type.',
    );
  }
  if (pattern.trim() === '') {
    throw badMatcher(clause, 'a pattern is empty', 'Write "*" to match every tool, or leave the clause out.');
  }
  if (pattern.length > MAX_PATTERN) {
    const problem = `a pattern has ${pattern.length} characters, more than ${MAX_PATTERN}`;
    throw badMatcher(clause, problem, 'Split it into several patterns.');
  }
  return pattern;
}

/**
 * The text, if it is short enough to be tested. It is never cut, because padding could then hide a part of it from the pattern.
 * @throws {RunError} `invalid_input`, naming the field and the length in characters
 */
export function checkedText(text: string, field: string): string {
  if (text.length <= MAX_TEXT) return text;
  throw new RunError(
    'invalid_input',
    `The field ${field} has ${text.length} characters; a matcher reads at most ${MAX_TEXT}. It was not tested.`,
  );
}

/** A list from one value or several. @throws {DefinitionError} `bad_matcher` for an empty list */
export function toList<T>(value: T | readonly T[], clause: string): readonly T[] {
  const list: readonly T[] = Array.isArray(value) ? value : [value as T];
  if (list.length > 0) return list;
  throw badMatcher(clause, 'the list is empty', 'Name at least one pattern, or leave the clause out.');
}

/** The type of a value in one word, for messages. */
export function nameKind(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}
