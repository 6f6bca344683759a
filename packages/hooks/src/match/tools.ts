import { COMMAND_FIELDS, commandFields } from './command-fields.ts';
import { toList } from './limits.ts';
import type { RegexPlace } from './regex.ts';
import { plainCommand } from './shell/plain-command.ts';
import { type SimpleCommand, simpleCommands } from './shell/simple-commands.ts';
import { type ToolPattern, toolPatterns } from './tool-patterns.ts';
import type { Clause, MatcherObject, ToolCallView } from './types.ts';

/**
 * The condition on a call's tool, and on its command if a pattern has parentheses; one pattern must match.
 * @throws {DefinitionError} `bad_matcher`
 */
export function toolsClause(tools: NonNullable<MatcherObject['tools']>, place: RegexPlace): Clause {
  const patterns = toList(tools, place.clause).flatMap((tool) => toolPatterns(tool, place));
  const source = patterns.map(({ label }) => label).join('|');
  return {
    label: `${place.clause}: ${source}`,
    test: compileTest(patterns),
    isAll: (call) => patterns.some((pattern) => pattern.name(call.name) && allows(pattern, call)),
    mismatch: (call) => `${place.clause}: ${describeMismatch(patterns, source, call)}`,
  };
}

function compileTest(patterns: readonly ToolPattern[]): (call: ToolCallView) => boolean {
  const [only] = patterns as [ToolPattern];
  if (patterns.length === 1 && only.argument === undefined) return (call) => only.name(call.name);
  return (call) => {
    let commands: SimpleCommand[] | undefined;
    for (const { name, argument } of patterns) {
      if (!name(call.name)) continue;
      if (argument === undefined) return true;
      commands ??= commandFields(call.input).flatMap(simpleCommands);
      if (argument(commands)) return true;
    }
    return false;
  };
}

/** Whether every command of the call is plain and fits the pattern, and the tool has exactly the name in the pattern. */
function allows({ argument }: ToolPattern, { input }: ToolCallView): boolean {
  if (argument === undefined) return true;
  const texts = commandFields(input).map(plainCommand);
  return (
    texts.length > 0 &&
    texts.every((text) => text !== undefined && argument([{ text, starts: AT_ITS_START }]))
  );
}

const AT_ITS_START: readonly number[] = [0];

function describeMismatch(
  patterns: readonly ToolPattern[],
  source: string,
  { name, input }: ToolCallView,
): string {
  const named = patterns.filter((pattern) => pattern.name(name));
  if (named.length === 0) return `${source} does not match ${shortName(name)}`;
  const labels = named.map(({ label }) => label).join('|');
  const fields = COMMAND_FIELDS.join(' or ');
  if (commandFields(input).length === 0)
    return `${labels} needs a command, and the input has none in ${fields}`;
  return `${labels} matches ${shortName(name)}, but none of its commands`;
}

/** A model can write any name; a record keeps only the start of it. */
function shortName(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
