import { badMatcher, checkedPattern } from './limits.ts';
import type { CompileRegex, RegexTester } from './types.ts';

/** Runs a regular expression without a time limit: for patterns from code. */
export const nativeRegex: CompileRegex = (source, flags) => new RegExp(source, flags);

/** A regular expression, and its form in messages. */
export interface NamedRegex extends RegexTester {
  readonly label: string;
}

/** How the regular expressions of one clause are compiled, and the name of the clause. */
export interface RegexPlace {
  readonly compile: CompileRegex;
  readonly clause: string;
}

/**
 * Compiles a `RegExp`, or a string with the source of one (unanchored, as in the source documents).
 * It drops `g` and `y`, with which a test would depend on the test before.
 * @throws {DefinitionError} `bad_matcher`, with the position for a syntax error
 */
export function regexFrom(pattern: string | RegExp, place: RegexPlace): NamedRegex {
  if (pattern instanceof RegExp) return checkedRegex(pattern.source, pattern.flags, place);
  return checkedRegex(checkedPattern(pattern, place.clause), '', place);
}

/**
 * Compiles `/source/flags`.
 * @throws {DefinitionError} `bad_matcher`: not closed, empty, unknown flags, or a syntax error with its position
 */
export function regexLiteral(text: string, place: RegexPlace): NamedRegex {
  checkedPattern(text, place.clause);
  const end = text.lastIndexOf('/');
  if (end === 0) {
    throw badMatcher(
      place.clause,
      `${text} begins as a regular expression but is not closed`,
      'End it with "/".',
    );
  }
  if (end === 1) {
    throw badMatcher(place.clause, 'the regular expression // is empty', 'Write "*" to match every tool.');
  }
  return checkedRegex(text.slice(1, end), text.slice(end + 1), place);
}

function checkedRegex(source: string, flags: string, { compile, clause }: RegexPlace): NamedRegex {
  checkedPattern(source, clause);
  if (!compiles('', flags)) {
    const remedy =
      'Use d, i, m, s, u or v, each once and not u with v; a list of patterns goes into an array.';
    throw badMatcher(
      clause,
      `"${flags}" are not flags of a regular expression, in /${source}/${flags}`,
      remedy,
    );
  }
  if (!compiles(source, flags)) throw syntaxError(source, flags, clause);
  const kept = flags.replace(/[gy]/g, '');
  const tester = compile(source, kept, clause);
  return { label: `/${source}/${kept}`, test: (text) => tester.test(text) };
}

function compiles(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

function syntaxError(source: string, flags: string, clause: string): Error {
  const at = failingIndex(source, flags);
  const problem = `/${source}/${flags} is not a regular expression: it breaks at position ${at}, at "${source[at] ?? ''}"`;
  return badMatcher(
    clause,
    problem,
    'Put a backslash before a character that is meant as itself, and close every bracket.',
  );
}

/** The engine gives no position, so this is the end of the longest start that could still be completed. */
function failingIndex(source: string, flags: string): number {
  for (let end = source.length; end > 0; end--) {
    const start = source.slice(0, end);
    const { closers, lastOpened } = unclosed(start, flags.includes('v'));
    if (compiles(start + closers, flags)) return end === source.length ? lastOpened : end;
  }
  return 0;
}

function unclosed(source: string, nestedClasses: boolean): { closers: string; lastOpened: number } {
  const open: number[] = [];
  const inClass = () => source[open.at(-1) ?? -1] === '[';
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') at++;
    else if (char === '[' && (nestedClasses || !inClass())) open.push(at);
    else if (char === '(' && !inClass()) open.push(at);
    else if (char === (inClass() ? ']' : ')')) open.pop();
  }
  const closers = open.map((at) => (source[at] === '[' ? ']' : ')')).reverse();
  return { closers: closers.join(''), lastOpened: open.at(-1) ?? 0 };
}
