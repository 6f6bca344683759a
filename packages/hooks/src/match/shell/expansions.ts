import { addSpan, deepen, expansionFrom, giveUp, readInner, readLevel, type Scan, UNKNOWN } from './scan.ts';

const NAME = /[A-Za-z_]\w*|[@*#?$!\d-]/y;

/**
 * Reads what begins with `$`, and the commands inside it. `scan.at` is at the `$`.
 * @returns the text that replaces it: {@link UNKNOWN}, a decoded `$'…'`, or the `$` itself
 */
export function readDollar(scan: Scan, inDouble: boolean): string {
  const { at: start } = scan;
  const next = scan.text[scan.at + 1];
  scan.at += 2;
  if (next === '(' || next === '{') {
    if (next === '(') readSubstitution(scan);
    else readParameter(scan, inDouble);
    return expansionFrom(scan, start, inDouble);
  }
  if (next === '[') {
    scan.isOdd = true;
    scan.spans?.push({ kind: 'arithmetic', start: scan.at, end: scan.text.length });
    return UNKNOWN;
  }
  if (next === "'" && !inDouble && !scan.isDash) return readAnsi(scan);
  scan.at -= 1;
  if (next === '"' && !inDouble) {
    scan.isOdd = true;
    return scan.expand === undefined ? '' : UNKNOWN;
  }
  NAME.lastIndex = scan.at;
  const name = NAME.exec(scan.text);
  if (name === null) return '$';
  scan.at = NAME.lastIndex;
  return expansionFrom(scan, start, inDouble);
}

/** Reads `$(…)` or `$((…))`. `scan.at` is after the first parenthesis. */
function readSubstitution(scan: Scan): string {
  return readInside(scan, () => readParentheses(scan));
}

/** Reads `<(…)` or `>(…)`, where `((` is never arithmetic. `scan.at` is after the first parenthesis. */
export function readProcess(scan: Scan): string {
  return readInside(scan, () => scan.readCommands(scan, ')'));
}

function readInside(scan: Scan, read: () => void): string {
  const { inArithmetic, at: start } = scan;
  scan.inArithmetic = false;
  readLevel(scan, read);
  addSpan(scan, 'substitution', start);
  scan.inArithmetic = inArithmetic;
  return UNKNOWN;
}

/** Digits, names and operators, which surely run nothing. */
const CALCULATION = /^[\w\s+*/%<>=!&|^~?:,()-]*$/;

/** Reads the commands of a group up to its `)`. `scan.at` is after the `(`. A second `(` begins arithmetic. */
export function readParentheses(scan: Scan): void {
  if (scan.text[scan.at] === '(' && !scan.inArithmetic) {
    const start = scan.at++;
    scan.inArithmetic = true;
    scan.readCommands(scan, ')');
    scan.inArithmetic = false;
    if (scan.text[scan.at] === ')') scan.at++;
    else giveUp(scan);
    addSpan(scan, 'arithmetic', start);
    scan.isOdd ||= !CALCULATION.test(scan.text.slice(start, scan.at));
    return;
  }
  scan.readCommands(scan, ')');
}

/** Reads a text in double quotes. `scan.at` is after the first quote. */
export function readDouble(scan: Scan): string {
  const start = scan.at;
  let text = '';
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    if (char === '"') {
      scan.at++;
      addSpan(scan, 'double', start);
      return text;
    }
    text += readExpanding(scan, char);
  }
  giveUp(scan);
  return text;
}

/** Reads one piece of a text in which only `\`, `$` and backticks have a meaning. */
export function readExpanding(scan: Scan, char: string): string {
  if (char === '$') return readDollar(scan, true);
  if (char === '`') return readBackticks(scan, true);
  if (char !== '\\') {
    scan.at++;
    return char;
  }
  const escaped = scan.text[scan.at + 1] ?? '';
  scan.at += 2;
  if (escaped === '\n') return '';
  return '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`;
}

/** Reads a command in backticks. `scan.at` is at the first. */
export function readBackticks(scan: Scan, inDouble: boolean): string {
  const start = scan.at + 1;
  let end = start;
  while (end < scan.text.length && scan.text[end] !== '`') end += scan.text[end] === '\\' ? 2 : 1;
  const escapes = inDouble ? /\\([`\\$"])/g : /\\([`\\$])/g;
  const command = scan.text.slice(start, end).replace(escapes, '$1');
  if (end >= scan.text.length) giveUp(scan);
  else {
    scan.at = end + 1;
    addSpan(scan, 'backticks', start);
    readInner(scan, { text: command, start }, (inner) => inner.readCommands(inner, undefined));
  }
  return expansionFrom(scan, start - 1, inDouble);
}

/** Reads a text in single quotes. `scan.at` is after the first quote. */
export function readSingle(scan: Scan): string {
  const start = scan.at;
  const end = scan.text.indexOf("'", start);
  const text = scan.text.slice(start, end === -1 ? undefined : end);
  scan.at = end + 1;
  if (end === -1) {
    scan.isUnclosed = true;
    giveUp(scan);
  }
  addSpan(scan, 'single', start);
  return text;
}

/** `${ cmd; }` and `${| cmd; }` of newer shells are commands. */
const IS_COMMAND = /[\s|]/;

function readParameter(scan: Scan, inDouble: boolean): void {
  const start = scan.at;
  if (IS_COMMAND.test(scan.text[start] ?? '')) giveUp(scan);
  deepen(scan);
  scan.isOdd ||= scan.text[start] === '!';
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    scan.at++;
    scan.isOdd ||= char === '"' || char === "'" || (char === '@' && scan.text.startsWith('P}', scan.at));
    if (char === '}') {
      scan.depth--;
      addSpan(scan, 'parameter', start);
      return;
    }
    if (char === '\\') scan.at++;
    else if (char === '"') readDouble(scan);
    else if (char === "'" && !inDouble) readSingle(scan);
    else if (char === '$' || char === '`') {
      scan.at--;
      readExpanding(scan, char);
    }
  }
  giveUp(scan);
}

const ANSI_ESCAPE = /\\(?:x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|[0-7]{1,3}|c.|.)/gs;
/** Escapes that all shells with `$'…'` read alike. */
const PLAIN_ANSI = /^(?:[^\\]|\\[nt\\'])*$/;
const ANSI_LETTERS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Reads `$'…'` and decodes its escapes. `scan.at` is after the first quote. */
function readAnsi(scan: Scan): string {
  const start = scan.at;
  while (scan.at < scan.text.length && scan.text[scan.at] !== "'")
    scan.at += scan.text[scan.at] === '\\' ? 2 : 1;
  const quoted = scan.text.slice(start, scan.at);
  if (scan.at >= scan.text.length) giveUp(scan);
  else scan.at++;
  addSpan(scan, 'ansi', start);
  scan.isOdd ||= !PLAIN_ANSI.test(quoted);
  if (scan.expand !== undefined) return UNKNOWN; // Which shell will read it is not known.
  return quoted.replace(ANSI_ESCAPE, decodeAnsi);
}

function decodeAnsi(escaped: string): string {
  const kind = escaped[1] ?? '';
  const digits = escaped.slice(2);
  if ('xuU'.includes(kind) && digits !== '') return toCharacter(Number.parseInt(digits, 16));
  if (kind >= '0' && kind <= '7') return toCharacter(Number.parseInt(kind + digits, 8) & 0xff);
  return digits === '' ? (ANSI_LETTERS[kind] ?? kind) : UNKNOWN;
}

function toCharacter(code: number): string {
  return code > 0x10ffff ? UNKNOWN : String.fromCodePoint(code);
}
