import { compileMatcher, listPaths } from '@spec/hooks';
import { realPaths } from '@spec/hooks/node';
import type { JsonObject } from 'type-fest';
import type { Occasion } from '../../normal-form.ts';
import { compileFileRegex } from '../../regexes.ts';

type Call = NonNullable<Occasion['tool']>;

/** One condition of a matcher. */
interface Condition {
  readonly name: string;
  readonly pattern: string;
  /** Whether the call has the condition's field. A condition on a missing field holds (§12e.5). */
  readonly concerns: (call: Call) => boolean;
  readonly test: (call: Call, projectDir: string) => boolean;
  /** Whether the call surely is that and nothing else. Default: as `test` says. */
  readonly isAll?: (call: Call, projectDir: string) => boolean;
}

/** A matcher, tested on tool calls. */
export interface ServiceMatcher {
  /** Why a call does not match; `undefined`: it matches. */
  mismatch(call: Call, projectDir: string): string | undefined;
  /** Whether the call certainly is that and nothing else. Only then does an allow apply. */
  isAll(call: Call, projectDir: string): boolean;
}

/**
 * Compiles the three conditions of a matcher (§12e.3, §12e.5): all of those that a call has the field for must hold.
 *
 * @throws {DefinitionError} `bad_matcher`
 */
export function matcherFrom({ tools, paths, commands }: JsonObject): ServiceMatcher {
  const conditions = [
    ...(typeof tools === 'string' ? [toolsCondition(tools)] : []),
    ...(typeof paths === 'string' ? [pathsCondition(paths)] : []),
    ...(typeof commands === 'string' ? [commandsCondition(commands)] : []),
  ];
  return {
    mismatch(call, projectDir) {
      const failed = conditions.find(({ concerns, test }) => concerns(call) && !test(call, projectDir));
      return failed && `${failed.name}: ${failed.pattern} does not match`;
    },
    isAll: (call, projectDir) =>
      conditions.every(({ concerns, isAll }) => !concerns(call) || isAll?.(call, projectDir) !== false),
  };
}

/** Exact names, separated by `|`. */
const NAMES = /^[\w-]+(?:\|[\w-]+)*$/;

function toolsCondition(pattern: string): Condition {
  return { name: 'tools', pattern, concerns: ({ name }) => name !== '', test: toolsTest(pattern) };
}

function toolsTest(pattern: string): (call: Call) => boolean {
  if (pattern === '*') return () => true;
  if (NAMES.test(pattern)) {
    const names = new Set(pattern.split('|'));
    return ({ name }) => names.has(name);
  }
  const matcher = compileMatcher(`/${pattern}/`, { regex: compileFileRegex });
  return (call) => matcher.test(call);
}

function pathsCondition(pattern: string): Condition {
  const matcher = compileMatcher({ paths: pattern });
  return {
    name: 'paths',
    pattern,
    concerns: ({ input }) => listPaths(input).length > 0,
    test: (call, projectDir) => matcher.test(call, realPaths(projectDir)),
    isAll: (call, projectDir) => matcher.isAll(call, realPaths(projectDir)),
  };
}

function commandsCondition(pattern: string): Condition {
  const matcher = compileMatcher({ commands: pattern }, { regex: compileFileRegex });
  return {
    name: 'commands',
    pattern,
    concerns: ({ input }) =>
      ['command', 'cmd'].some((field) => input[field] !== undefined && input[field] !== null),
    test: (call) => matcher.test(call),
    isAll: (call) => matcher.isAll(call),
  };
}
