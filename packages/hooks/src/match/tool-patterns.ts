import { type ArgumentTest, argumentTest } from './argument.ts';
import { badMatcher, checkedPattern } from './limits.ts';
import { type NamedRegex, type RegexPlace, regexFrom, regexLiteral } from './regex.ts';
import { fits, wildcardSteps } from './sequence.ts';

/** One of the tools in a matcher. */
export interface ToolPattern {
  readonly label: string;
  readonly name: (name: string) => boolean;
  /** The condition on its command, if the pattern has parentheses. */
  readonly argument?: ArgumentTest;
}

/** `NAME` or `NAME(ARGUMENT)`. */
const ENTRY = /^([^()]*)(?:\(([^()]*)\))?$/;
const LIST_BAR = /\|(?![^()]*\))/;
const LOOKS_LIKE_REGEX = /[.*]\*/;
const NAME = /^[\p{L}\p{N}_.:/@*-]+$/u;

/**
 * Compiles one string of tool patterns: `*`, `Bash`, `Bash|Edit`, `get_*`, `Bash(git:*)`, `/regex/flags`; or a `RegExp`.
 * @throws {DefinitionError} `bad_matcher` for any other string: no string is ever taken literally
 */
export function toolPatterns(pattern: string | RegExp, place: RegexPlace): ToolPattern[] {
  if (pattern instanceof RegExp) return [namedBy(regexFrom(pattern, place))];
  const text = checkedPattern(pattern, place.clause).trim();
  if (text.startsWith('/')) return [namedBy(regexLiteral(text, place))];
  const entries = text.split(LIST_BAR).map((entry) => entry.trim());
  return entries.map((entry) => {
    const refuse: Refuse = (problem, remedy) =>
      badMatcher(place.clause, `"${entry || text}" ${problem}`, remedy);
    return toolPattern(entry, place.clause, refuse);
  });
}

type Refuse = (problem: string, remedy: string) => Error;

function namedBy(regex: NamedRegex): ToolPattern {
  return { label: regex.label, name: (name) => regex.test(name) };
}

function toolPattern(entry: string, clause: string, refuse: Refuse): ToolPattern {
  if (entry === '') throw refuse('has an empty entry', 'Remove the "|" that has nothing beside it.');
  const parts = ENTRY.exec(entry);
  if (parts === null) {
    throw refuse(
      'has parentheses that do not fit',
      'Write Tool(command:*), or /…/ for a regular expression.',
    );
  }
  const [, name = '', argument] = parts;
  if (name === '') throw refuse('has no tool before its parenthesis', 'Write *(…) for every tool.');
  if (LOOKS_LIKE_REGEX.test(name) || !NAME.test(name)) {
    const problem = 'is no tool name: that may hold letters, digits, _ - . : / @, and * for any text';
    throw refuse(problem, 'Write a regular expression as /…/, a list as A|B.');
  }
  const test = nameTest(name);
  return argument === undefined
    ? { label: entry, name: test }
    : { label: entry, name: test, argument: argumentTest(argument, name, clause) };
}

function nameTest(pattern: string): (name: string) => boolean {
  if (pattern === '*') return () => true;
  if (!pattern.includes('*')) return (name) => name === pattern;
  const steps = wildcardSteps(pattern);
  return (name) => fits(steps, name);
}
