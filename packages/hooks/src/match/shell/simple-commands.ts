import { runsInTexts } from './launchers.ts';
import { splitAsDash, splitSurely } from './line.ts';
import { hasOddText, isOddCommand } from './odd-forms.ts';
import { prefixLength } from './prefixes.ts';
import { runsUnreadText } from './program-text.ts';
import { type PipedCommand, UNKNOWN } from './scan.ts';
import { withoutUnset } from './unknown-names.ts';
import { listLinesOfVariable, loadsCode } from './variables.ts';
import { unwrap, wordsWithAdded } from './wrappers.ts';

/** One command that a shell line may run. */
export interface SimpleCommand {
  /** Its words, joined by one blank, without quotes and escapes; {@link UNKNOWN} replaces what only the shell will know. */
  readonly text: string;
  /** Offsets in `text` where the command may begin: its first word, that word without its folder, or a command that a wrapper runs. */
  readonly starts: readonly number[];
  /** The words of `text`, and the indexes of those where the command may begin; absent for one that is surely all that runs. */
  readonly words?: readonly string[];
  readonly begins?: readonly number[];
}

/** Replaces a line that cannot be read for certain: it may be any command. */
const ANY_COMMAND: SimpleCommand = { text: UNKNOWN, starts: [0] };

/** The deepest nesting of lines, as in `sh -c "sh -c …"`. */
const MAX_NESTING = 16;

/** How much text may be read for one line and all lines inside it, as a multiple of the line's length. */
const MAX_READING = 8;

interface Reading {
  left: number;
  nesting: number;
  /** Lines whose commands are listed already. */
  readonly read: Set<string>;
}

/**
 * Every command that a shell line may run: in lists, pipes, groups and substitutions, after keywords, assignments,
 * redirections and wrappers. When in doubt it returns too many, never too few: matchers are guards.
 * @param command a shell line, or the words of one command that runs without a shell
 */
export function simpleCommands(command: string | readonly string[]): readonly SimpleCommand[] {
  if (command === lastRead?.line) return lastRead.commands;
  const commands = readCommands(command);
  if (typeof command === 'string' && command.length <= MAX_REMEMBERED) lastRead = { line: command, commands };
  return commands;
}

/** The last line and its commands: many matchers in turn are asked about one call (bench `rules`). */
let lastRead: { readonly line: string; readonly commands: readonly SimpleCommand[] } | undefined;

/** The longest line that is kept, in characters. */
const MAX_REMEMBERED = 65_536;

function readCommands(command: string | readonly string[]): SimpleCommand[] {
  const size = typeof command === 'string' ? command.length : command.join(' ').length;
  const reading: Reading = { left: MAX_READING * size + 1_000, nesting: 0, read: new Set() };
  if (typeof command === 'string') return readCommandsOfLine(command, reading);
  return listCommands({ words: [...command], scripts: [] }, reading);
}

/** Forms that bash and dash read differently: `$'…'`, which is a `$` and `'…'` in dash, and `((`. */
const READ_IN_TWO_WAYS = /\$'|(?:^|[^$])\(\(/;

function readCommandsOfLine(line: string, reading: Reading): SimpleCommand[] {
  if (reading.read.has(line)) return [];
  reading.read.add(line);
  reading.left -= line.length;
  if (reading.left < 0 || reading.nesting > MAX_NESTING) return [ANY_COMMAND];
  if (hasOddText(line)) return [ANY_COMMAND];
  const commands = splitSurely(line);
  const others = READ_IN_TWO_WAYS.test(line) ? splitAsDash(line) : NONE;
  if (commands === undefined || others === undefined) return [ANY_COMMAND];
  // In dash, an `alias` counts from the next line on.
  if (line.includes('\n') && commands.some(({ words }) => words[prefixLength(words)] === 'alias'))
    return [ANY_COMMAND];
  return [...commands, ...others].flatMap((command) => listCommands(command, reading));
}

const NONE: readonly PipedCommand[] = [];

function listCommands(command: PipedCommand, reading: Reading): SimpleCommand[] {
  const length = prefixLength(command.words);
  const words = command.words.slice(length);
  if (isOddCommand(words) || runsInTexts(command.words, length)) return [ANY_COMMAND];
  if (command.words.some(loadsCode)) return [ANY_COMMAND];
  const linesInVariables = command.words.flatMap(listLinesOfVariable);
  const inner = (lines: readonly string[]): SimpleCommand[] => {
    reading.nesting++;
    const commands = lines.flatMap((line) => readCommandsOfLine(line, reading));
    reading.nesting--;
    return commands;
  };
  if (words.length === 0) return inner(linesInVariables);
  const { starts, lines, runsUnknown } = unwrap({ ...command, words });
  if (runsUnknown || starts.some((start) => runsUnreadText(words, start, command))) return [ANY_COMMAND];
  const own = [simpleCommand(words, starts), ...inner([...lines, ...linesInVariables])];
  const renamed = words.map((word, at) => (starts.includes(at) ? plainName(word) : word));
  return [
    ...own,
    ...listAgain(command, renamed, reading),
    ...listAgain(command, withoutUnset(words), reading),
  ];
}

/** The commands with other words. */
function listAgain(command: PipedCommand, words: readonly string[], reading: Reading): SimpleCommand[] {
  const isSame = words.every((word, at) => word === command.words.at(at - words.length));
  return isSame ? [] : listCommands({ ...command, words: [...words] }, reading);
}

/** A name as the file system finds it: macOS and Windows take `RM` for `rm`, and Windows `rm.exe`. */
function plainName(word: string): string {
  return word.replace(/\.exe$/i, '').toLowerCase();
}

function simpleCommand(words: readonly string[], starts: readonly number[]): SimpleCommand {
  const shown = wordsWithAdded(words) ?? words;
  return { text: shown.join(' '), starts: listOffsets(shown, starts), words: shown, begins: starts };
}

function listOffsets(words: readonly string[], starts: readonly number[]): number[] {
  const offsets: number[] = [];
  let offset = 0;
  let next = 0;
  for (const start of [...starts].sort((a, b) => a - b)) {
    for (; next < start; next++) offset += (words[next] as string).length + 1;
    offsets.push(offset);
    const folder = words[start]?.lastIndexOf('/') ?? -1;
    if (folder >= 0) offsets.push(offset + folder + 1);
  }
  return offsets;
}
