import type { Command } from 'commander';
import { writeParagraph } from './paragraph.ts';
import { tableWidth } from './terminal-width.ts';

/** The programs whose `--help` fits a screen. */
const brief = new WeakSet<Command>();

/** Makes `--help` of a program's commands leave out the shape of `--json`, which `help <command>` shows. */
export function shortenHelp(program: Command): Command {
  brief.add(program);
  return program.configureHelp({ subcommandTerm: (command) => command.name() });
}

/**
 * Makes what stands behind the options in `--help`. Lines are wrapped at words, as wide as the terminal is. What begins with `With --json`, up to
 * the exit code, is reference: `spec-hooks help <command>` and the documentation have it.
 */
export function writeDetails(details: string): (about: { readonly command: Command }) => string {
  return ({ command }) => {
    const text = brief.has(findProgram(command)) ? shorten(command, details) : details;
    return Number.isFinite(tableWidth()) ? joinLines(text).split('\n').map(wrapLine).join('\n') : text;
  };
}

function findProgram(command: Command): Command {
  return command.parent === null ? command : findProgram(command.parent);
}

function shorten(command: Command, details: string): string {
  const [before = '', reference] = details.split(/\n(?=With --json)/);
  if (reference === undefined) return details;
  const [, end = ''] = reference.split(/\n(?=Exit code)/);
  const name = pathTo(command).join(' ');
  return `${before}\nspec-hooks help ${name} has the rest, and the shape of --json.\n\n${end}`;
}

function pathTo(command: Command): string[] {
  return command.parent === null ? [] : [...pathTo(command.parent), command.name()];
}

/** Lines of a sentence become one, which is wrapped again. */
function joinLines(text: string): string {
  return text.replace(/(?<=\S)\n(?=[^\s{])/g, (_, at: number) => (isIndented(text, at) ? '\n' : ' '));
}

function isIndented(text: string, at: number): boolean {
  return /\s/.test(text.charAt(text.lastIndexOf('\n', at - 1) + 1));
}

/** Wraps a line below its own text: below what is said of an example, and below the second of two columns. */
function wrapLine(line: string): string {
  const width = tableWidth();
  const heads = [/^ {2}\$ .*?\S {2,}/, /^ {2}\$ /, /^ {2,}\S+(?: \S+)* {2,}/, /^ */];
  const found = heads.map((head) => head.exec(line)?.[0]);
  const head = found.find((one) => one !== undefined && one.length <= width * MOST_OF_WIDTH) ?? '';
  const indent = ' '.repeat(head.length);
  return `${head}${writeParagraph(line.slice(head.length), { indent, width }).slice(head.length)}`;
}

/** What is left beside a wider first column is too narrow to read. */
const MOST_OF_WIDTH = 0.75;
