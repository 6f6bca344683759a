import { giveUp, note, type Scan, UNKNOWN } from './scan.ts';

const ANSI_ESCAPE = /\\(?:x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|[0-7]{1,3}|c.|.)/gs;
/** Escapes that every shell with `$'…'` reads alike. */
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
export function readAnsi(scan: Scan): string {
  const start = scan.at;
  while (scan.at < scan.text.length && scan.text[scan.at] !== "'")
    scan.at += scan.text[scan.at] === '\\' ? 2 : 1;
  const quoted = scan.text.slice(start, scan.at);
  if (scan.at >= scan.text.length) giveUp(scan);
  else scan.at++;
  note(scan, 'ansi', start);
  scan.isOdd ||= !PLAIN_ANSI.test(quoted);
  return quoted.replace(ANSI_ESCAPE, decodeAnsi);
}

function decodeAnsi(escaped: string): string {
  const kind = escaped[1] ?? '';
  const digits = escaped.slice(2);
  if ('xuU'.includes(kind) && digits !== '') return characterOf(Number.parseInt(digits, 16));
  if (kind >= '0' && kind <= '7') return characterOf(Number.parseInt(kind + digits, 8) & 0xff);
  return digits === '' ? (ANSI_LETTERS[kind] ?? kind) : UNKNOWN;
}

function characterOf(code: number): string {
  return code > 0x10ffff ? UNKNOWN : String.fromCodePoint(code);
}
