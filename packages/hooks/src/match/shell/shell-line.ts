// Shell: reads a shell line as the commands that it may run. Only `match` calls it; it never runs anything, and takes what it cannot read for anything.

import { splitLine } from './line.ts';
import { prefixLength } from './prefixes.ts';
import { findRoles, type Role } from './roles.ts';
import type { Expand, PlacedCommand, ShellCommand, Span } from './scan.ts';
import { type Unwrapped, unwrap } from './wrappers.ts';

/** One command of a shell line, and what it may run in turn. */
export interface ShellLineCommand extends ShellCommand {
  /** How many of its words stand before the command itself: keywords, assignments, the name of a function. */
  readonly prefix: number;
  /** What may run when it runs. Its `starts` count from the first word after the prefix. */
  readonly runs: Unwrapped;
}

/** One command of a shell line, where it stands on it. */
export interface ShellStep extends ShellLineCommand, Omit<PlacedCommand, 'inside' | keyof ShellCommand> {
  readonly role: Role;
  /** The steps in `$( )`, `<( )`, backticks and here-documents among its words. */
  readonly inside: readonly ShellStep[];
}

/** A shell line as a shell reads it. */
export interface ShellLine {
  readonly commands: readonly ShellLineCommand[];
  /**
   * The commands of the line itself, in their order, with the patterns of a `case`; redirections that stand alone are a step without words.
   */
  readonly steps: readonly ShellStep[];
  /** Where quotes, comments and the like stand. What is inside backticks and here-documents has none of its own. */
  readonly spans: readonly Span[];
}

/**
 * Reads a shell line (POSIX, with what bash adds) for who has to know where in it a text stands.
 * @param expand says what stands for expansions, where that is known; the others are U+FFFF
 * @returns `undefined` where it cannot be read for certain
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

/** @param read what is known already of those that may run */
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
