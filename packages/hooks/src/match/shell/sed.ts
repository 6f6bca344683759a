import { UNKNOWN } from './scan.ts';

/** Options of sed without a value: `-n`, `-E`, `--debug`. */
const FLAGS = /^(?:-[nrEsuz]+|--[\w-]+|-i.*|-[nrEsuz]+i.*)$/;
const INLINE = /^(?:-[nrEsuz]*e|--e[a-z]*=)([\s\S]+)$/;
const NEXT = /^(?:-[nrEsuz]*e|--e[a-z]*)$/;
const FILE = /^(?:-[nrEsuz]*f|--fi[a-z]*=)(.+)$/;
const NEXT_FILE = /^(?:-[nrEsuz]*f|--fi[a-z]*)$/;

/** Whether a sed script runs a command (`e`, or the flag `e` of `s`), or may because it cannot be read. */
export function sedRunsCommands(own: readonly string[]): boolean {
  const scripts: string[] = [];
  const operands: string[] = [];
  let hasScript = false;
  for (let at = 0; at < own.length; at++) {
    const word = own[at] as string;
    const inline = INLINE.exec(word)?.[1];
    const file = NEXT_FILE.test(word) ? (own[++at] ?? '-') : FILE.exec(word)?.[1];
    if (file !== undefined) {
      if (/^-$|^\/(?:dev|proc)\//.test(file) || file.includes(UNKNOWN)) return true;
      hasScript = true;
    } else if (inline !== undefined) scripts.push(inline);
    else if (NEXT.test(word)) scripts.push(own[++at] ?? '');
    else if (word === '-l' || word === '--line-length') at++;
    else if (!word.startsWith('-') || word === '-') operands.push(word);
    else if (!FLAGS.test(word) && !/^(?:--|-l\d+)$/.test(word)) return true;
  }
  if (scripts.length > 0) return runsCommand(scripts.join('\n'));
  if (hasScript) return false;
  // BSD's `-i ''` gives the suffix as a separate word.
  return runsCommand(operands[0] === '' ? (operands[1] ?? '') : (operands[0] ?? ''));
}

/** An address: a number, `$`, `first~step`, `+n`, `/regex/I`, `\cregexc`, and a `!` after it. */
const ADDRESS = /(?:[\s;{}]|\d+|\$|[~+]\d+|,|!)*/y;
/** Commands that take the rest of the line. */
const TAKES_LINE = 'aicrRwW#:btT';
const ALONE = /[=dDgGhHlLnNpPqQxzF]\d*/y;

function runsCommand(script: string): boolean {
  if (script.includes(UNKNOWN)) return true;
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(script)?.[0] ?? '';
    at += found.length;
    return found;
  };
  while (at < script.length) {
    take(ADDRESS);
    const char = script[at];
    if (char === undefined) return false;
    const isRegex = char === '/' || char === '\\';
    if (isRegex) {
      if (char === '\\') at++;
      at = findEnd(script, at, true);
      if (at < 0) return true;
      take(/[IM]*/y);
    } else if (char === 's' || char === 'y') {
      at = findEnd(script, at + 1, char === 's');
      at = at < 0 ? at : findEnd(script, at - 1, false);
      if (at < 0) return true;
      const flags = take(/[\dgpiImMe]*/y);
      if (char === 's' && flags.includes('e')) return true;
      if (script[at] === 'w') take(/[^\n]*/y);
    } else if (TAKES_LINE.includes(char)) {
      const end = /[btT:]/.test(char) ? /[^\n;}]*/y : /(?:\\[\s\S]|[^\n\\])*/y;
      take(end);
    } else if (take(ALONE) === '') return true;
  }
  return false;
}

/** The index after the closing delimiter of the text that begins at `start`; -1 if it is not closed. In a regex class it does not close. */
function findEnd(script: string, start: number, isRegex: boolean): number {
  const delimiter = script[start];
  if (delimiter === undefined || delimiter === '\n') return -1;
  for (let at = start + 1; at < script.length; at++) {
    const char = script[at];
    if (char === delimiter) return at + 1;
    if (char === '\\') at++;
    else if (char === '[' && isRegex) {
      CLASS.lastIndex = at;
      if (!CLASS.test(script)) return -1;
      at = CLASS.lastIndex - 1;
    }
  }
  return -1;
}

const CLASS = /\[\^?\]?[^\]\n]*\]/y;
