import type { BirthLabel } from './birth-labels.ts';

/** A cell of a table in a text. */
interface Cell {
  readonly start: number;
  readonly end: number;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
const LONGEST_LINE = 2000;
/** The most labels of a line that are tried as headings. */
const MOST_LABELS = 3;

/** The cells below headings that are labels of dates of birth. */
interface BirthColumns {
  readonly headings: ReadonlySet<BirthLabel>;
  /** In order in the text. */
  readonly cells: readonly Cell[];
}

/**
 * Finds the cells below a heading that is a label of dates of birth. The table has lines with commas, semicolons, tabs or bars, and ends
 * before the first line with another number of cells.
 *
 * @param labels in order in the text
 */
export function findBirthColumns(text: string, labels: readonly BirthLabel[]): BirthColumns {
  const cells: Cell[] = [];
  const headings = new Set<BirthLabel>();
  let line: Cell = { start: 0, end: -1 };
  let tried = 0;
  for (const label of labels) {
    if (label.start < line.start) continue;
    if (label.start > line.end) {
      line = lineAt(text, Math.max(line.end + 1, text.lastIndexOf('\n', label.start) + 1));
      tried = 0;
    }
    if (++tried > MOST_LABELS || line.end - line.start > LONGEST_LINE) continue;
    const heading = findHeading(text, line, label);
    if (heading === undefined) continue;
    const before = cells.length;
    line = addColumn(text, { ...heading, line }, cells);
    if (cells.length > before) headings.add(label);
  }
  return { cells, headings };
}

interface Heading {
  readonly delimiter: string;
  /** The heading's index among the cells, and their number. */
  readonly column: number;
  readonly width: number;
}

function findHeading(text: string, line: Cell, label: BirthLabel): Heading | undefined {
  for (const delimiter of DELIMITERS) {
    const cells = splitCells(text, line, delimiter);
    const column = cells.findIndex(({ start, end }) => start <= label.start && label.end <= end);
    const cell = cells[column];
    if (cells.length < 2 || cell === undefined) continue;
    const isAlone = /^["'\s*]*$/.test(text.slice(cell.start, label.start) + text.slice(label.end, cell.end));
    if (isAlone) return { delimiter, column, width: cells.length };
  }
  return undefined;
}

/** Adds the cells of a column. Returns the end of the table, where the search goes on. */
function addColumn(text: string, heading: Heading & { readonly line: Cell }, cells: Cell[]): Cell {
  const { delimiter, column, width } = heading;
  let { line } = heading;
  while (line.end < text.length) {
    const next = lineAt(text, line.end + 1);
    const row = next.end - next.start > LONGEST_LINE ? [] : splitCells(text, next, delimiter);
    if (row.length !== width) break;
    cells.push(row[column] as Cell);
    line = next;
  }
  return { start: line.end, end: line.end };
}

function lineAt(text: string, start: number): Cell {
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}

/** A delimiter inside quotes separates nothing. */
function splitCells(text: string, { start, end }: Cell, delimiter: string): Cell[] {
  const cells: Cell[] = [];
  let from = start;
  let isQuoted = false;
  for (let at = start; at < end; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (isQuoted || text[at] !== delimiter) continue;
    cells.push({ start: from, end: at });
    from = at + 1;
  }
  return [...cells, { start: from, end }];
}
