import type { Finding } from './finding.ts';
import { COVERED } from './finding.ts';
import { addAll } from './secret-match.ts';
import { hasOddSign, isOpaque, isStandIn, isWording } from './secret-value.ts';

const NAME =
  /^\W{0,4}(?:[\p{L}\d]{1,20}[ _.-]){0,4}(?<word>password|passwd|pwd|pw|pass|passphrase|passcode|passwort|kennwort|contraseña|senha|mot de passe|wachtwoord|hasło|пароль|密码|パスワード|secret|(?:\p{L}{1,12}[ _-])?key|(?:api|access|auth|refresh)?[ _-]?token)\W{0,4}$/iu;
const MAY_HAVE =
  /pass|pwd|pw|kennwort|contrase|senha|wachtwoord|has[lł]o|парол|密码|パスワード|secret|key|token/i;

/** The text between cells of a line, the clearest separator first. */
const SEPARATORS: readonly RegExp[] = [/\|/g, /\t/g, /;/g, /,/g, / {2,}/g];
const LONGEST_HEADER = 1000;

interface Cell {
  readonly start: number;
  readonly text: string;
}

interface Line {
  readonly start: number;
  readonly text: string;
}

interface Header {
  readonly separator: RegExp;
  readonly count: number;
  /** The cells with secrets, and the word that says so. */
  readonly columns: ReadonlyMap<number, string>;
}

/** Values in a column, or in a row of two cells, called password, key or token: CSV, Markdown, printed tables. */
export function tabledSecrets(text: string): Finding[] {
  if (!MAY_HAVE.test(text) || !/[|\t;,]| {2}/.test(text)) return [];
  const found: Finding[] = [];
  let header: Header | undefined;
  for (const line of splitLines(text)) {
    if (header !== undefined) {
      const cells = splitCells(line, header.separator);
      if (cells.length === header.count) {
        for (const [column, word] of header.columns) keep(cells[column] as Cell, word, found);
        if (header.separator === SEPARATORS[0]) addAll(found, besideName(line));
        continue;
      }
      header = undefined;
    }
    header = readHeader(line);
    if (header === undefined || header.separator === SEPARATORS[0]) addAll(found, besideName(line));
  }
  return found;
}

/** The start of the first line that may be the heading of such a column or a row that names a secret; nothing if there is none. */
export function findSecretTable(text: string): number | undefined {
  if (!MAY_HAVE.test(text) || !/[|\t;,]| {2}/.test(text)) return undefined;
  for (const line of splitLines(text)) {
    const mayName = /^\s*\|/.test(line.text) && MAY_HAVE.test(line.text);
    if (mayName || readHeader(line) !== undefined) return line.start;
  }
  return undefined;
}

function* splitLines(text: string): Generator<Line> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    yield { start, text: text.slice(start, stop).replace(/\r$/, '') };
    start = stop + 1;
  }
}

function splitCells({ start, text }: Line, separator: RegExp): Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  for (const match of text.matchAll(separator)) {
    cells.push({ start: start + from, text: text.slice(from, match.index) });
    from = match.index + match[0].length;
  }
  cells.push({ start: start + from, text: text.slice(from) });
  return cells;
}

/** Only names, one of which is a secret's: a line with values is not a heading. */
function readHeader(line: Line): Header | undefined {
  if (line.text.length > LONGEST_HEADER || !MAY_HAVE.test(line.text)) return undefined;
  for (const separator of SEPARATORS) {
    const cells = splitCells(line, separator);
    const isHeader =
      cells.length > 1 &&
      cells.every(({ text }) => /^[\s"'`*]*[\p{L}\d_. #/()-]{0,40}[\s"'`*]*$/u.test(text));
    if (!isHeader) continue;
    const columns = new Map<number, string>();
    for (const [index, { text }] of cells.entries()) {
      const word = NAME.exec(text)?.groups?.word;
      if (word !== undefined) columns.set(index, word.toLowerCase());
    }
    if (columns.size > 0) return { separator, count: cells.length, columns };
  }
  return undefined;
}

/** `| password | … |` */
function besideName(line: Line): Finding[] {
  const found: Finding[] = [];
  if (!/^\s*\|/.test(line.text) || line.text.length > 10 * LONGEST_HEADER) return found;
  const cells = splitCells(line, SEPARATORS[0] as RegExp);
  for (const [index, { text }] of cells.entries()) {
    const word = text.length > 60 ? undefined : NAME.exec(text)?.groups?.word;
    const beside = cells[index + 1];
    if (word === undefined || beside === undefined) continue;
    if (hasOddSign(trimmed(beside).text)) keep(beside, word.toLowerCase(), found);
  }
  return found;
}

function trimmed({ start, text }: Cell): Cell {
  const inner = text.replace(/^[\s"'`*]+/, '');
  return { start: start + text.length - inner.length, text: inner.replace(/[\s"'`*]+$/, '') };
}

function keep(cell: Cell, word: string, found: Finding[]): void {
  const { start, text } = trimmed(cell);
  if (text.length < 3 || text.includes(COVERED) || /^[-:=\s]+$|\s\S+\s/.test(text)) return;
  if (isStandIn(text) || isWording(text)) return;
  if (/token|key|secret/.test(word) && !isOpaque(text, 8)) return;
  found.push({ start, end: start + text.length, values: [text] });
}
