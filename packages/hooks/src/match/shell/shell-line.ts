// Shell: reads a shell line as the commands that it may run. Only `match` calls it; it never runs anything, and takes what it cannot read for anything.

import { splitLine } from './line.ts';
import { prefixLength } from './prefixes.ts';
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
export interface ShellStep extends Omit<PlacedCommand, 'inside'> {
  /** How many of its words stand before the command itself: keywords, assignments, the name of a function. */
  readonly prefix: number;
  /** The steps in `$( )`, `<( )`, backticks and here-documents among its words. */
  readonly inside: readonly ShellStep[];
}

/** A shell line as a shell reads it. */
export interface ShellLine {
  readonly commands: readonly ShellLineCommand[];
  /** The commands of the line itself, in their order; redirections that stand alone are a step without words. */
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
  return line && { spans, commands: line.commands.map(withWhatItRuns), steps: line.steps.map(withPrefix) };
}

function withWhatItRuns({ words, scripts, readsFile }: ShellCommand): ShellLineCommand {
  const prefix = prefixLength(words);
  const command: ShellCommand = readsFile ? { words, scripts, readsFile } : { words, scripts };
  return { ...command, prefix, runs: unwrap({ ...command, words: words.slice(prefix) }) };
}

function withPrefix(command: PlacedCommand): ShellStep {
  return { ...command, prefix: prefixLength(command.words), inside: command.inside.map(withPrefix) };
}
