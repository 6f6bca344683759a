import { commandName } from './command-name.ts';
import { isLeftToItsInput, mayStartShell, readsExpanded } from './handed-texts.ts';
import { linesIn } from './inner-lines.ts';
import {
  ADDS_WORDS,
  type Launcher,
  launchers,
  READS_COMMANDS,
  SHELL,
  STREAM,
  WAITS_FOR_COMMANDS,
} from './launchers.ts';
import { isAssignment, isKeyword } from './prefixes.ts';
import { type PipedCommand, UNKNOWN } from './scan.ts';
import { hasUnknownName } from './unknown-names.ts';

/** What may run when a command runs. */
export interface Unwrapped {
  /** Indexes of the words where a command may begin: 0, and the commands that `sudo`, `env`, `xargs` and the like would run. */
  readonly starts: readonly number[];
  /** Texts that a shell would read: the line after `sh -c` or `eval`, a here-document for `bash`. */
  readonly lines: readonly string[];
  /** It runs something outside the line, such as `sh` reading its input. */
  readonly runsUnknown: boolean;
}

const TAKES_ASSIGNMENTS = new Set(['env', 'sudo', 'doas']);
const EXEC_OPTION = /^-(?:exec|execdir|ok|okdir|.*\uFFFF.*)$/s;
const SPLIT_OPTION = /^(?:-[A-Za-z]*S|--split-string)$/;
const COMMAND_OPTION = /^-[A-Za-z]*c[A-Za-z]*$/;
const INPUT_OPTION = /^-[A-Za-z]*s[A-Za-z]*$/;
const VALUE_OPTION = /^(?:[-+][A-Za-z]*[oO]|--rcfile|--init-file)$/;
const SHELL_OPTION = /^(?:-[A-Za-z]*[si][A-Za-z]*|--shell|--login)$/;

/** The most places where a command may begin; no sensible line has more. */
const MAX_STARTS = 64;

/** The most texts of one command that a shell may read; no sensible command has more. */
const MAX_LINES = 1_024;

/** All words are read again for every start. A longer line with many starts counts as running anything. */
const MAX_LOOKS = 65_536;

/** Looks through commands that run other commands. If options leave it open which word that is, all possible words count. */
export function unwrap(given: PipedCommand): Unwrapped {
  const added = wordsWithAdded(given.words);
  const command = { ...given, words: added ?? given.words };
  const { words, scripts } = command;
  const starts = new Set([0]);
  const lines = new Set<string>();
  let runsUnknown = added === undefined;
  for (const start of starts) {
    const name = commandName(words[start]);
    for (const next of startsAfter(name, words, start)) starts.add(next);
    const inner = linesIn(name, words, start);
    for (const line of inner) lines.add(line);
    for (const script of readsCommands(name, words, start) ? scripts : []) lines.add(script);
    runsUnknown ||=
      starts.size > MAX_STARTS ||
      inner.length > MAX_LINES ||
      starts.size * words.length > MAX_LOOKS ||
      hasUnknownName(name, words.slice(start + 1)) ||
      readsExpanded(name, command, { start, given: given.words }) ||
      runsUnseen(name, command, start);
    if (runsUnknown) break;
  }
  return { starts: [...starts], lines: [...lines], runsUnknown };
}

/** The most texts that `-I` may name; no sensible line has more. */
const MAX_REPLACED = 8;

/**
 * The words with added ones: `xargs` and `parallel` add words at the end, or replace `{}` or a text that `-I` names; `find` replaces
 * `{}` by a path.
 * @returns `undefined` if the replaced texts are unknown or too many
 */
export function wordsWithAdded(words: readonly string[]): string[] | undefined {
  const at = words.findIndex((word) => ADDS_WORDS.has(commandName(word)));
  if (at !== -1 && words.some((word, i) => i > at && isOperand(word))) {
    const replaced = new Set(['{}', ...words.flatMap((word, i) => replacedText(word, words[i - 1]))]);
    const isKnown = ![...replaced].some((text) => text === '' || text.includes(UNKNOWN));
    if (!isKnown || replaced.size > MAX_REPLACED) return undefined;
    return [...words.map((word) => filledIn(word, [...replaced])), UNKNOWN];
  }
  if (!words.some((word) => commandName(word) === 'find')) return [...words];
  return words.map((word) => word.replaceAll('{}', `./${UNKNOWN}`));
}

function filledIn(word: string, replaced: readonly string[]): string {
  if (NAMES_TEXT.test(word)) return word;
  return word.startsWith(':::')
    ? UNKNOWN
    : replaced.reduce((text, one) => text.replaceAll(one, UNKNOWN), word);
}

const NAMES_TEXT = /^(?:-\w*[Ii]|--replace)/;

/** The texts that `-I TEXT`, `-ITEXT` and `--replace=TEXT` of xargs name. */
function replacedText(word: string, before = ''): string[] {
  if (/^-\w*I$/.test(before)) return [word];
  const text = /^(?:-\w*[Ii]|--replace=)(.+)$/.exec(word)?.[1];
  return text === undefined ? [] : [text];
}

function readsCommands(name: string, words: readonly string[], start: number): boolean {
  if (name === 'sudo' || name === 'doas') return startsShell(name, words, start);
  return SHELL.test(name) || READS_COMMANDS.has(name) || mayStartShell(name);
}

/** `command -v name` only says where a command is. */
const ONLY_ASKS = /^-p?[vV]+$/;

/** Counts operands. A word is one unless it follows an option, whose value it may be, or has a `=`, which `env` reads as an assignment. */
function startsAfter(name: string, words: readonly string[], start: number): number[] {
  if (name === 'find') return indexesAfter(words, start, EXEC_OPTION);
  if (name === 'command' && ONLY_ASKS.test(words[start + 1] ?? '')) return [];
  const launcher = launchers.get(name);
  const found: number[] = [];
  if (launcher === undefined) return found;
  let left = launcher.operands;
  for (
    let at = firstAfter(launcher, words, start);
    left >= 0 && found.length <= MAX_STARTS && at < words.length;
    at++
  ) {
    const word = words[at] as string;
    if (word.startsWith('-')) continue;
    if (name === 'time' && word === 'function') {
      at++; // Its name is no command.
      continue;
    }
    if (TAKES_ASSIGNMENTS.has(name) && isAssignment(word) && !SPLIT_OPTION.test(words[at - 1] as string))
      continue;
    // The value of a container's option, such as "$PWD:/work".
    if (launcher.behind !== undefined && word.startsWith(UNKNOWN) && words[at - 1]?.startsWith('-')) continue;
    found.push(at);
    const isOwn = !takesValue(name, words[at - 1] as string) && !word.includes('=') && !isKeyword(word);
    if (isOwn) left--;
  }
  return found;
}

/** Whether an option takes the next word as its value. Not if the value is attached (`-n1`, `-I{}`), nor for `xargs` options without one. */
function takesValue(name: string, option: string): boolean {
  if (name === 'xargs' && /^-[0rt]+$/.test(option)) return false;
  return option.startsWith('-') && !/^-(?:[A-Za-z][\d{].*|-[\w-]+=.*)$/s.test(option);
}

function firstAfter({ behind }: Launcher, words: readonly string[], start: number): number {
  if (behind === undefined) return start + 1;
  const at = words.findIndex((word, i) => i > start && behind.test(word));
  return at === -1 ? words.length : at + 1;
}

function indexesAfter(words: readonly string[], start: number, option: RegExp): number[] {
  const found: number[] = [];
  for (let at = start + 1; at < words.length && found.length <= MAX_STARTS; at++) {
    if (option.test(words[at - 1] as string)) found.push(at);
  }
  return found;
}

/** Operators before a command that may read the output of another. */
const PIPED = /^(?:\||\|&|\()$/;

/** Whether the code that runs is not on the line: in a pipe, in the output of another command, in words that `xargs` adds. */
function runsUnseen(
  name: string,
  { words, scripts, readsFile = false, before = '' }: PipedCommand,
  start: number,
): boolean {
  const isFed = scripts.length > 0 && !readsFile;
  if (STREAM.test(words[start] as string)) return true;
  if (name === 'fc') return !/^-\w*l/.test(words[start + 1] ?? '');
  if ((readsFile || PIPED.test(before)) && isLeftToItsInput(name, words, start)) return true;
  if (name === 'source' || name === '.') {
    const file = words.slice(start + 1).find((word) => word !== '--') ?? '';
    return isStream(file) && !(isFed && file === '/dev/stdin');
  }
  if (SHELL.test(name)) return readsStream(words, start) || (!isFed && readsItsInput(words, start));
  if (isFed) return false;
  return WAITS_FOR_COMMANDS.has(name) ? waitsForCommands(words, start) : startsShell(name, words, start);
}

/** `at -l` reads nothing, and `parallel echo ::: a` reads only arguments. */
function waitsForCommands(words: readonly string[], start: number): boolean {
  const name = commandName(words[start]);
  const own = words.slice(start + 1);
  if (name === 'parallel') return own.every((word) => word.startsWith('-'));
  return !own.some((word) => /^-\w*[lrdcV]/.test(word) || word === '--version');
}

/** A launcher without a command starts a shell that reads its input. */
function startsShell(name: string, words: readonly string[], start: number): boolean {
  const own = words.slice(start + 1);
  if (name === 'sudo' || name === 'doas') return own.slice(0, firstOperand(own)).some(isShellOption);
  const launcher = launchers.get(name);
  if (launcher?.startsShell !== true) return false;
  if (own.some((word) => word === '--help' || word === '--version' || COMMAND_OPTION.test(word)))
    return false;
  return own.filter(isOperand).length <= launcher.operands;
}

/** The first word that is surely not the value of an option. */
function firstOperand(own: readonly string[]): number {
  const at = own.findIndex((word, i) => isOperand(word) && isOperand(own[i - 1] ?? ''));
  return at === -1 ? own.length : at;
}

const isOperand = (word: string): boolean => !word.startsWith('-');
const isShellOption = (word: string): boolean => SHELL_OPTION.test(word);

/** Whether it reads a script from a process substitution, or from a file whose name only the shell will know. */
function readsStream(words: readonly string[], start: number): boolean {
  const script = findOperand(words, start);
  if (script === undefined) return false;
  return isStream(script);
}

/** Also finds oddly spelled paths: only a file name that is written out counts as a file. */
function isStream(path: string): boolean {
  const plain = path.replace(/\/(?:\.?\/)+/g, '/');
  return (
    STREAM.test(plain) || ODD_FILE.test(plain.slice(plain.lastIndexOf('/') + 1)) || /\/fd\/\d+$/.test(plain)
  );
}

const ODD_FILE = new RegExp(`^(?:stdin|tty)$|${UNKNOWN}`);

/** An option that may be `-c`. */
const OPEN_OPTION = new RegExp(`^-[^=]*${UNKNOWN}`);

/** The first word of a shell that is neither an option nor its value; none if the shell is given its commands. */
function findOperand(words: readonly string[], start: number): string | undefined {
  for (let at = start + 1; at < words.length; at++) {
    const word = words[at] as string;
    if (/^--(?:rcfile|init-file)/.test(word) || OPEN_OPTION.test(word)) return UNKNOWN;
    if (COMMAND_OPTION.test(word)) return undefined;
    if (!word.startsWith('-') && !word.startsWith('+') && !VALUE_OPTION.test(words[at - 1] as string))
      return word;
  }
  return undefined;
}

function readsItsInput(words: readonly string[], start: number): boolean {
  for (let at = start + 1; at < words.length; at++) {
    const word = words[at] as string;
    if (COMMAND_OPTION.test(word) || word === '--version' || word === '--help') return false;
    if (INPUT_OPTION.test(word)) return true;
    const isOption =
      word.startsWith('-') || word.startsWith('+') || VALUE_OPTION.test(words[at - 1] as string);
    if (!isOption) return false;
  }
  return true;
}
