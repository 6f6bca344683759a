import { readExpanding, readSubstitution } from './expansions.ts';
import {
  addSpan,
  giveUp,
  type HereDocument,
  readInner,
  type Scan,
  type ShellCommand,
  UNKNOWN,
} from './scan.ts';
import { readWord } from './words.ts';

const OPERATOR = /<<<|<<-?|<>|<&|>>|>&|>\||[<>]/y;
const BLANKS = /[ \t\r]*/y;
const DESCRIPTOR = /^(?:\d+|\{\w+\})$/;

/**
 * Reads a redirection, which is no part of a simple command's words, or a process substitution, which is.
 * @param wordEnd where the command's last word ended: `2` in `2>x` is no word
 */
export function readRedirection(scan: Scan, command: ShellCommand, wordEnd: number): void {
  if (scan.text[scan.at + 1] === '(') {
    scan.at += 2;
    command.words.push(`/dev/fd/${readSubstitution(scan)}${readWord(scan)}`);
    return;
  }
  const lastWord = wordEnd === scan.at ? (command.words.at(-1) ?? '') : '';
  if (DESCRIPTOR.test(lastWord)) command.words.pop();
  OPERATOR.lastIndex = scan.at;
  const operator = OPERATOR.exec(scan.text)?.[0] ?? '';
  scan.at += operator.length;
  if (operator.startsWith('<<') && operator !== '<<<') {
    announceHereDocument(scan, { operator, lastWord, scripts: command.scripts });
    return;
  }
  skipBlanks(scan);
  const { at: start } = scan;
  const target = readTarget(scan);
  addSpan(scan, 'redirection', start);
  if (operator === '<<<') command.scripts.push(target);
  else if (operator.startsWith('<') && (lastWord === '' || lastWord === '0' || !DESCRIPTOR.test(lastWord)))
    command.readsFile = true;
}

function readTarget(scan: Scan): string {
  if (scan.text[scan.at] !== '>' && scan.text[scan.at] !== '<') return readWord(scan);
  if (scan.text[scan.at + 1] !== '(') return '';
  scan.at += 2;
  return `/dev/fd/${readSubstitution(scan)}${readWord(scan)}`;
}

interface Announcement {
  readonly operator: string;
  readonly lastWord: string;
  readonly scripts: string[];
}

/** `<<` is a shift inside `(( ))` and inside an array's index; where that is not certain, reading stops. */
function announceHereDocument(scan: Scan, { operator, lastWord, scripts }: Announcement): void {
  if (scan.inArithmetic || lastWord.includes(UNKNOWN)) {
    if (scan.text.includes('\n', scan.at)) giveUp(scan);
    return;
  }
  skipBlanks(scan);
  const start = scan.at;
  const delimiter = readWord(scan);
  if (scan.at === start || delimiter.includes(UNKNOWN)) {
    giveUp(scan);
    return;
  }
  scan.isOdd ||= scan.text.slice(start, scan.at).includes('$');
  const isQuoted = /['"\\]/.test(scan.text.slice(start, scan.at));
  scan.hereDocuments.push({ delimiter, stripsTabs: operator === '<<-', expands: !isQuoted, scripts });
}

/** Reads the bodies that were announced on the line that ended just before `scan.at`. */
export function readHereDocuments(scan: Scan): void {
  for (const document of scan.hereDocuments.splice(0)) {
    const { at: start } = scan;
    const body = readBody(scan, document);
    addSpan(scan, 'here-document', start);
    document.scripts.push(body);
    if (document.expands) readInner(scan, body, readExpandingText);
  }
}

function readBody(scan: Scan, { delimiter, stripsTabs }: HereDocument): string {
  const start = scan.at;
  while (scan.at < scan.text.length) {
    const lineStart = scan.at;
    const newline = scan.text.indexOf('\n', lineStart);
    const lineEnd = newline === -1 ? scan.text.length : newline;
    scan.at = lineEnd + 1;
    const line = scan.text.slice(lineStart, lineEnd);
    if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter)
      return scan.text.slice(start, lineStart);
  }
  giveUp(scan);
  return scan.text.slice(start);
}

function readExpandingText(inner: Scan): void {
  while (inner.at < inner.text.length) readExpanding(inner, inner.text[inner.at] as string);
}

function skipBlanks(scan: Scan): void {
  BLANKS.lastIndex = scan.at;
  BLANKS.exec(scan.text);
  scan.at = BLANKS.lastIndex;
}
