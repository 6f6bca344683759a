import { compileMatcher, DefinitionError, textsToTest } from '@spec/hooks';
import { realPaths } from '@spec/hooks/node';
import type { Occasion } from '../../normal-form.ts';

/** A permission rule, tested on the tool call of an occasion. */
export interface Condition {
  /** Whether the rule matches the call. In a command line, any command can match. Throws if the call cannot be tested. */
  test(occasion: Occasion): boolean;
  /** Whether the call certainly is what the rule names and nothing else. Only then does an allow apply. */
  isAll(occasion: Occasion): boolean;
}

type Call = NonNullable<Occasion['tool']>;

interface CallTest {
  readonly test: (call: Call, projectDir: string) => boolean;
  readonly isAll: (call: Call, projectDir: string) => boolean;
}

/** `Tool` or `Tool(what it is called with)`. */
const RULE = /^([\w\-*]+)(?:\((.*)\))?$/s;

/**
 * Compiles the permission rule of an `if`: `Bash(git *)`, `Edit(*.ts)`, `WebFetch(domain:example.com)`, `mcp__server`.
 * A command that cannot be read for certain matches, because the entry is often a guard.
 *
 * @throws {DefinitionError} `bad_matcher`
 */
export function conditionFrom(rule: string): Condition {
  const parts = RULE.exec(rule.trim());
  if (parts === null)
    throw bad(
      rule,
      'is no permission rule',
      'Write a tool, with what it is called with in parentheses: Bash(git *).',
    );
  const [, tool = '', argument = '*'] = parts;
  const isTool = toolTest(tool);
  const wanted = argument.trim() === '*' ? undefined : argumentTest(tool, argument.trim(), rule);
  const held =
    (how: keyof CallTest) =>
    ({ tool: call, projectDir }: Occasion) => {
      if (call === undefined || !isTool(call.name)) return false;
      return wanted === undefined || wanted[how](call, projectDir);
    };
  return { test: held('test'), isAll: held('isAll') };
}

/** `mcp__server` stands for all tools of a server. */
function toolTest(tool: string): (name: string) => boolean {
  if (/^mcp__[^_*]+(?:_[^_*]+)*$/.test(tool)) return (name) => name === tool || name.startsWith(`${tool}__`);
  const matcher = compileMatcher(tool);
  return (name) => matcher.test({ name, input: undefined });
}

const FILE_TOOLS = new Set('Read Write Edit MultiEdit NotebookEdit NotebookRead Glob Grep LS'.split(' '));

function argumentTest(tool: string, argument: string, rule: string): CallTest {
  if (FILE_TOOLS.has(tool)) return pathTest(argument);
  if (tool === 'WebFetch') return domainTest(argument, rule);
  if (tool === 'Task' || tool === 'Agent') return fieldTest('subagent_type', argument);
  if (tool === 'Skill') return fieldTest('skill', argument);
  if (tool.startsWith('mcp__') || tool === 'WebSearch')
    throw bad(rule, `has an argument, but ${tool} takes none in a rule`, `Write "${tool}".`);
  const matcher = compileMatcher(`${tool}(${argument})`);
  return { test: (call) => matcher.test(call), isAll: (call) => matcher.isAll(call) };
}

/** As in a `.gitignore`: a bare name matches at any depth, a path starts at the project, `//` at the root, `~/` at home. */
function pathTest(argument: string): CallTest {
  const glob = makeGlob(argument);
  const paths = glob.endsWith('**') ? [glob] : [glob, `${glob}/**`];
  const matcher = compileMatcher({ paths });
  return {
    test: (call, projectDir) => matcher.test(call, realPaths(projectDir)),
    isAll: (call, projectDir) => matcher.isAll(call, realPaths(projectDir)),
  };
}

function makeGlob(argument: string): string {
  const pattern = argument.length > 1 ? argument.replace(/\/+$/, '') : argument;
  if (/^~(?:\/|$)/.test(pattern)) return pattern;
  if (pattern.startsWith('//')) return pattern.slice(1);
  if (pattern.startsWith('./')) return pattern.slice(2);
  if (pattern.startsWith('/')) return pattern.slice(1);
  return pattern.includes('/') ? pattern : `**/${pattern}`;
}

function domainTest(argument: string, rule: string): CallTest {
  const written = /^domain:(\S+)$/.exec(argument)?.[1];
  if (written === undefined) throw bad(rule, 'names no domain', 'Write WebFetch(domain:example.com).');
  const isBelow = written.startsWith('*.');
  const domain = readHost(`http://${isBelow ? written.slice(2) : written}`);
  if (domain === undefined) throw bad(rule, 'names no domain', 'Write WebFetch(domain:example.com).');
  const isWanted = (host: string): boolean => (isBelow ? host.endsWith(`.${domain}`) : host === domain);
  const isAll = ({ input: { url } }: Call): boolean => {
    const host = readHost(url);
    return host !== undefined && isWanted(host);
  };
  return { test: (call) => isAll(call) || isUnclear(call.input.url), isAll };
}

/** Programs disagree about where a host ends before a backslash or a control character. */
const READ_IN_TWO_WAYS = /[\\\p{Cc}]/u;

/** The host of an address in the form of a request: lower case, punycode, no final dot; `undefined` if the host is uncertain. */
function readHost(url: unknown): string | undefined {
  if (typeof url !== 'string' || READ_IN_TWO_WAYS.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.+$/, '') || undefined;
}

/** An address whose host is uncertain may have any host. */
function isUnclear(url: unknown): boolean {
  return url !== undefined && url !== null && readHost(url) === undefined;
}

function fieldTest(field: string, wanted: string): CallTest {
  return {
    test: ({ input }) => textsToTest(input[field]).includes(wanted),
    isAll: ({ input }) => input[field] === wanted,
  };
}

function bad(rule: string, problem: string, remedy: string): DefinitionError {
  return new DefinitionError('bad_matcher', `The condition "${rule}" ${problem}. ${remedy}`);
}
