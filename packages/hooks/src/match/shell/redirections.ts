import { readExpanding, readProcess } from './expansions.ts';
import {
  addSpan,
  giveUp,
  type HereDocument,
  type PlacedCommand,
  readInner,
  type Scan,
  UNKNOWN,
} from './scan.ts';
import { readWord } from './words.ts';

const OPERATOR = /<<<|<<-?|<>|<&|>>|>&|>\||[<>]/y;
const BLANKS = /[ \t\r]*/y;
const DESCRIPTOR = /^(?:\d+|\{\w+\})$/;

/** The command of a redirection, as far as it has been read. */
export interface RedirectedCommand extends Pick<PlacedCommand, 'words' | 'scripts' | 'redirections'> {
  readsFile?: boolean;
  /** Where its last word ended: in `2>x`, the `2` is not a word. */
  readonly wordEnd: number;
  /** An `&` of the operator has been read. */
  takesBoth: boolean;
  /** Collects the commands in its here-documents. */
  readonly inside: PlacedCommand[];
}

/** Reads a redirection, which is not among the command's words, or a process substitution, which is one of them. */
export function readRedirection(scan: Scan, command: RedirectedCommand): void {
  if (scan.text[scan.at + 1] === '(') {
    scan.at += 2;
    command.words.push(`/dev/fd/${readProcess(scan)}${readWord(scan)}`);
    return;
  }
  const lastWord = command.wordEnd === scan.at ? (command.words.at(-1) ?? '') : '';
  const descriptor = DESCRIPTOR.test(lastWord) ? lastWord : '';
  if (descriptor !== '') command.words.pop();
  OPERATOR.lastIndex = scan.at;
  const operator = OPERATOR.exec(scan.text)?.[0] ?? '';
  scan.at += operator.length;
  if (operator.startsWith('<<') && operator !== '<<<') {
    const target = announceHereDocument(scan, { operator, lastWord, command });
    command.redirections.push({ descriptor, operator, target });
    return;
  }
  skipBlanks(scan);
  const { at: start } = scan;
  const target = readTarget(scan);
  addSpan(scan, 'redirection', start);
  command.redirections.push({ descriptor, operator: command.takesBoth ? `&${operator}` : operator, target });
  command.takesBoth = false;
  if (operator === '<<<') command.scripts.push(target);
  else if (operator.startsWith('<') && (lastWord === '' || lastWord === '0' || !DESCRIPTOR.test(lastWord)))
    command.readsFile = true;
}

function readTarget(scan: Scan): string {
  if (scan.text[scan.at] !== '>' && scan.text[scan.at] !== '<') return readWord(scan);
  if (scan.text[scan.at + 1] !== '(') return '';
  scan.at += 2;
  return `/dev/fd/${readProcess(scan)}${readWord(scan)}`;
}

interface Announcement {
  readonly operator: string;
  readonly lastWord: string;
  readonly command: RedirectedCommand;
}

/** Inside `(( ))` and in an array's index, `<<` is a shift. If that is uncertain, reading stops. @returns the delimiter */
function announceHereDocument(scan: Scan, { operator, lastWord, command }: Announcement): string {
  if (scan.inArithmetic || lastWord.includes(UNKNOWN)) {
    if (scan.text.includes('\n', scan.at)) giveUp(scan);
    return '';
  }
  skipBlanks(scan);
  const start = scan.at;
  const delimiter = readWord(scan);
  if (scan.at === start || delimiter.includes(UNKNOWN)) {
    giveUp(scan);
    return delimiter;
  }
  scan.isOdd ||= scan.text.slice(start, scan.at).includes('$');
  const isQuoted = /['"\\]/.test(scan.text.slice(start, scan.at));
  const { scripts, inside } = command;
  scan.hereDocuments.push({ delimiter, stripsTabs: operator === '<<-', expands: !isQuoted, scripts, inside });
  return delimiter;
}

/** Reads the here-documents that the line before `scan.at` announced. */
export function readHereDocuments(scan: Scan): void {
  for (const document of scan.hereDocuments.splice(0)) {
    const { at: start } = scan;
    const body = readBody(scan, document);
    addSpan(scan, 'here-document', start);
    document.scripts.push(document.expands ? expandBody(scan, document, { body, start }) : body);
  }
}

/** The text that the command gets: escapes are removed, and {@link UNKNOWN} replaces expansions. */
function expandBody(
  scan: Scan,
  { inside }: HereDocument,
  { body, start }: { readonly body: string; readonly start: number },
): string {
  let text = '';
  readInner(scan, { text: body, start, inside }, (inner) => {
    while (inner.at < inner.text.length) text += readBodyPart(inner);
  });
  return text;
}

/** In a here-document a quote has no meaning, and a backslash before it does not escape it. */
function readBodyPart(inner: Scan): string {
  if (!inner.text.startsWith('\\"', inner.at)) return readExpanding(inner, inner.text[inner.at] as string);
  inner.at += 2;
  return '\\"';
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

function skipBlanks(scan: Scan): void {
  BLANKS.lastIndex = scan.at;
  BLANKS.exec(scan.text);
  scan.at = BLANKS.lastIndex;
}
