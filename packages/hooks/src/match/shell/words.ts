import { readBackticks, readDollar, readDouble, readSingle } from './expansions.ts';
import { expansionFrom, giveUp, type Scan, UNKNOWN } from './scan.ts';

const ENDS_WORD = new Set([' ', '\t', '\r', '\n', ';', '&', '|', '(', ')', '<', '>']);
const TEST_COMMAND = /\[\[?(?=[\s;&|()<>]|$)/y;

/** A brace list that may be open in a word. Only the shell knows what `{a,b}` becomes. */
interface Braces {
  start: number;
  isList: boolean;
}

/** Reads one word without its quotes and escapes; {@link UNKNOWN} replaces what only the shell will know. */
export function readWord(scan: Scan): string {
  const testCommand = scan.text[scan.at] === '[' ? readTestCommand(scan) : undefined;
  if (testCommand !== undefined) return testCommand;
  const { at: start, text } = scan;
  const braces: Braces = { start: -1, isList: false };
  let word = '';
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    if (ENDS_WORD.has(char)) break;
    trackBraces(braces, { length: word.length, before: text[scan.at - 1] }, char);
    word += char === '~' && mayBeFolder(text, start, scan.at) ? readTilde(scan) : readPiece(scan, char);
    if (braces.isList && char === '}') {
      word = word.slice(0, braces.start) + UNKNOWN;
      braces.start = -1;
      braces.isList = false;
    }
  }
  if (endsInIndex(text.slice(start, scan.at))) giveUp(scan);
  return EXTENDED_PATTERN.test(text.slice(start, scan.at + 1)) ? word.slice(0, -1) + UNKNOWN : word;
}

/** `@(a|b)` is a file name pattern after `shopt -s extglob`, and otherwise an error. A `!` alone may stand before a group. */
const EXTENDED_PATTERN = /(?:[@+]|.!)\($/s;

/** In `a[ ; ]=x`, characters that otherwise end a word are part of it. */
function endsInIndex(written: string): boolean {
  return (
    written.includes('[') &&
    /^[A-Za-z_]\w*\[/.test(written) &&
    written.split('[').length > written.split(']').length
  );
}

/** Tracks an unquoted `{` and the characters that make it a list. */
function trackBraces(
  braces: Braces,
  word: { length: number; before: string | undefined },
  char: string,
): void {
  if (braces.start < 0) braces.start = char === '{' ? word.length : -1;
  else if (char === ',' || (char === '.' && word.before === '.')) braces.isList = true;
}

function readPiece(scan: Scan, char: string): string {
  if (char === '$') return readDollar(scan, false);
  if (char === '`') return readBackticks(scan, false);
  scan.at++;
  if (char === '"') return readDouble(scan);
  if (char === "'") return readSingle(scan);
  if (char === '\\') return readEscaped(scan);
  return char === '*' || char === '?' || char === '[' ? expansionFrom(scan, scan.at - 1, false) : char;
}

/** A `~` means a folder at the start of a word or of an assigned value. */
const TILDE_BEHIND = /^[A-Za-z_]\w*=$/;

/** Looks at the source text: joining the word again for each look would take quadratic time. */
function mayBeFolder(text: string, start: number, at: number): boolean {
  return at === start || (text[at - 1] === '=' && TILDE_BEHIND.test(text.slice(start, at)));
}
const TILDE = /~[\w.+-]*(?=[/\s;&|()<>]|$)/y;

function readTilde(scan: Scan): string {
  const { at: start } = scan;
  TILDE.lastIndex = start;
  const found = scan.expand === undefined ? undefined : TILDE.exec(scan.text)?.[0];
  scan.at += found?.length ?? 1;
  return found === undefined ? '~' : expansionFrom(scan, start, false);
}

/** A backslash before a newline joins two lines. */
function readEscaped(scan: Scan): string {
  const escaped = scan.text[scan.at] ?? '';
  scan.at++;
  return escaped === '\n' ? '' : escaped;
}

function readTestCommand(scan: Scan): string | undefined {
  TEST_COMMAND.lastIndex = scan.at;
  const found = TEST_COMMAND.exec(scan.text)?.[0];
  if (found !== undefined) scan.at += found.length;
  return found;
}
