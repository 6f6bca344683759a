// Shell: finds the commands that a shell line may run. Only `match` calls it; it runs nothing, and a line that it cannot read may be any command.

import { splitLine } from './line.ts';
import { prefixLength } from './prefixes.ts';
import { findRoles, type Role } from './roles.ts';
import type { Expand, PlacedCommand, ShellCommand, Span } from './scan.ts';
import { type Unwrapped, unwrap } from './wrappers.ts';

/** One command of a shell line, and the commands that it may start. */
export interface ShellLineCommand extends ShellCommand {
  /** How many of its words come before the command itself: keywords, assignments, the name of a function. */
  readonly prefix: number;
  /** What may run when it runs. Its `starts` count from the first word after the prefix. */
  readonly runs: Unwrapped;
}

/** One command of a shell line, and its place there. */
export interface ShellStep extends ShellLineCommand, Omit<PlacedCommand, 'inside' | keyof ShellCommand> {
  readonly role: Role;
  /** The steps in `$( )`, `<( )`, backticks and here-documents among its words. */
  readonly inside: readonly ShellStep[];
}

/** A shell line as a shell reads it. */
export interface ShellLine {
  readonly commands: readonly ShellLineCommand[];
  /**
   * The commands of the line itself in order, including the patterns of a `case`. A redirection on its own is a step without words.
   */
  readonly steps: readonly ShellStep[];
  /** The places of quotes, comments and the like. None are recorded inside backticks and here-documents. */
  readonly spans: readonly Span[];
}

/**
 * Reads a shell line (POSIX and additions of bash) for callers that need the places of texts.
 * @param expand gives the text of expansions, if it is known; U+FFFF replaces the others
 * @returns `undefined` if it cannot be read for certain
 */
export function readShellLine(text: string, expand?: Expand): ShellLine | undefined {
  const spans: Span[] = [];
  const line = splitLine(text, spans, expand);
  if (line === undefined) return undefined;
  const commands = new Map(line.commands.map((command) => [command, withWhatItRuns(command)]));
  return { spans, commands: [...commands.values()], steps: makeSteps(line.steps, commands) };
}

function withWhatItRuns({ words, scripts, readsFile }: ShellCommand): ShellLineCommand {
  const prefix = prefixLength(words);
  const command: ShellCommand = readsFile ? { words, scripts, readsFile } : { words, scripts };
  return { ...command, prefix, runs: unwrap({ ...command, words: words.slice(prefix) }) };
}

/** @param read the commands that may run, as far as they have been read */
function makeSteps(
  placed: readonly PlacedCommand[],
  read: ReadonlyMap<PlacedCommand, ShellLineCommand>,
): ShellStep[] {
  const commands = placed.map((command) => read.get(command) ?? withWhatItRuns(command));
  const roles = findRoles(
    placed,
    commands.map(({ prefix }) => prefix),
  );
  return placed.map((command, at) => ({
    ...command,
    ...(commands[at] as ShellLineCommand),
    role: roles[at] as Role,
    inside: makeSteps(command.inside, read),
  }));
}
