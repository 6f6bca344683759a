// Match: tells whether a hook is for a tool call. Hooks, rules and command hooks call it; it never decides what happens to the call.

import { RunError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { checkOptionNames } from '../option-names.ts';
import { badMatcher, nameKind } from './limits.ts';
import { pathsClause } from './paths.ts';
import { nativeRegex } from './regex.ts';
import { commandsClause, inputClauses } from './texts.ts';
import { toolsClause } from './tools.ts';
import type {
  Clause,
  CompileRegex,
  MatchEnvironment,
  Matcher,
  MatcherObject,
  ToolCallView,
} from './types.ts';

export type {
  CompileRegex,
  MatchEnvironment,
  Matcher,
  MatcherObject,
  RegexTester,
  ToolCallView,
} from './types.ts';

/** A matcher that can be tested on tool calls. It keeps nothing between calls. */
export interface CompiledMatcher {
  /** The matcher as text, for records. */
  readonly source: string;
  /**
   * Whether it is for this call. A guard denies if this throws.
   * @throws {RunError} `invalid_input` if a field is too long to be tested, or a path needs a `cwd`
   */
  test(call: ToolCallView, environment?: MatchEnvironment): boolean;
  /**
   * Whether it is surely for this call and for nothing else that the call does: for the only command of a line, for all paths. To allow a call by a
   * matcher, use this: `Bash(ls:*)` guards `ls && rm -rf ~` but does not allow it. False if the call cannot be tested.
   */
  isAll(call: ToolCallView, environment?: MatchEnvironment): boolean;
  /** Which condition decided: names of tools, fields and patterns, never values. Does not throw a {@link RunError}. */
  explain(call: ToolCallView, environment?: MatchEnvironment): string;
}

export interface CompileMatcherOptions {
  /** How regular expressions are run. Default: without a time limit, which is right for those from code. */
  readonly regex?: CompileRegex;
}

const NO_ENVIRONMENT: MatchEnvironment = {};

/**
 * Compiles a matcher: `compileMatcher('Bash(git push:*)')`, `compileMatcher({ tools: 'Write|Edit', paths: 'src/**' })`.
 *
 * @throws {DefinitionError} `bad_matcher`, naming the condition, what is wrong with it, and what to write instead
 */
export function compileMatcher(matcher: Matcher, options: CompileMatcherOptions = {}): CompiledMatcher {
  checkOptionNames('compileMatcher', options, { regex: true });
  const { regex = nativeRegex } = options;
  const clauses = compileClauses(matcher, regex);
  return {
    source: isObject(matcher) ? clauses.map(({ label }) => label).join(', ') : String(matcher),
    test: (call, environment = NO_ENVIRONMENT) => clauses.every((clause) => clause.test(call, environment)),
    isAll: (call, environment = NO_ENVIRONMENT) => isAll(clauses, call, environment),
    explain: (call, environment = NO_ENVIRONMENT) => explain(clauses, call, environment),
  };
}

function compileClauses(matcher: Matcher, compile: CompileRegex): Clause[] {
  if (typeof matcher === 'string' || matcher instanceof RegExp)
    return [toolsClause(matcher, { compile, clause: 'tools' })];
  if (!isObject(matcher)) {
    const problem = `it must be a string, a regular expression or an object, got ${nameKind(matcher)}`;
    throw badMatcher(undefined, problem, describeMatcher(matcher));
  }
  checkNames(matcher);
  const { tools, paths, commands, input } = matcher;
  return [
    ...(tools === undefined ? [] : [toolsClause(tools, { compile, clause: 'tools' })]),
    ...(paths === undefined ? [] : [pathsClause(paths)]),
    ...(commands === undefined ? [] : [commandsClause(commands, compile)]),
    ...(input === undefined ? [] : inputClauses(input, compile)),
  ];
}

/** What to write instead of another value: a list of names is probably a list of tools. */
function describeMatcher(written: unknown): string {
  const isNames =
    Array.isArray(written) &&
    written.length > 0 &&
    written.every((one) => typeof one === 'string' && one.length <= 64);
  return isNames
    ? `Write "${written.join('|')}" for any of these tools.`
    : "Write a tool's name, or { tools, paths, commands, input }.";
}

const NAMES: readonly string[] = ['tools', 'paths', 'commands', 'input'];

/** A condition that is unknown or undefined would make the matcher match more calls than intended. */
function checkNames(matcher: MatcherObject): void {
  const entries = Object.entries(matcher);
  if (entries.length === 0)
    throw badMatcher(undefined, 'it has no condition', 'Write "*" to match every tool.');
  for (const [name, value] of entries) {
    if (!NAMES.includes(name)) {
      const hint = nearest(name, NAMES);
      const remedy =
        hint === undefined ? `The conditions are ${NAMES.join(', ')}.` : `Did you mean "${hint}"?`;
      throw badMatcher(undefined, `there is no condition "${name}"`, remedy);
    }
    if (value === undefined) throw badMatcher(name, 'it is undefined', 'Give it a value, or leave it out.');
  }
}

function isObject(matcher: Matcher): matcher is MatcherObject {
  return (
    typeof matcher === 'object' && matcher !== null && !(matcher instanceof RegExp) && !Array.isArray(matcher)
  );
}

function isAll(clauses: readonly Clause[], call: ToolCallView, environment: MatchEnvironment): boolean {
  try {
    return clauses.every(
      (clause) => clause.test(call, environment) && clause.isAll?.(call, environment) !== false,
    );
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

function explain(clauses: readonly Clause[], call: ToolCallView, environment: MatchEnvironment): string {
  try {
    const failed = clauses.find((clause) => !clause.test(call, environment));
    return failed === undefined
      ? `matches ${clauses.map(({ label }) => label).join(', ')}`
      : failed.mismatch(call);
  } catch (error) {
    if (error instanceof RunError) return error.message;
    throw error;
  }
}
