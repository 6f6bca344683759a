import { stripVTControlCharacters } from 'node:util';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Characters; absent: as wide as its content. */
  readonly width?: number | undefined;
}

/** A table whose cells have the widths of their columns. */
export interface FittedTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Of the content, in characters; `undefined` where not even stacked columns fit, and words have to be broken. */
  readonly widths: readonly number[] | undefined;
}

type Cells = Omit<FittedTable, 'widths'>;

/** Around the content of each column, and between two of them. */
export const PADDING = 2;
const BETWEEN = 2;
const BELOW = '└ ';

/**
 * Fits a table into a width: cells are wrapped at words, and where the words of a row do not fit side by side, columns are stacked,
 * one line of the row for each.
 */
export function fitTable(table: Cells, width: number): FittedTable {
  const room = width - table.columns.length * (PADDING + BETWEEN) + BETWEEN;
  const wanted = measure(table, widestLine);
  if (sum(wanted) <= room) return { ...table, widths: wanted };
  const least = measure(table, widestWord);
  if (sum(least) <= room) return { ...table, widths: shrink(wanted, least, room) };
  return table.columns.length === 1
    ? { ...table, widths: undefined }
    : fitTable(stack(table, choosePair(table, least)), width);
}

function measure({ columns, rows }: Cells, size: (text: string) => number): number[] {
  return columns.map(({ title, width }, i) =>
    width === undefined ? Math.max(size(title), ...rows.map((row) => size(row[i] ?? ''))) : width - PADDING,
  );
}

function widestLine(text: string): number {
  return Math.max(...plain(text).split('\n').map(countColumns));
}

function widestWord(text: string): number {
  const lines = plain(text).split('\n');
  return Math.max(
    ...lines.map((line) => {
      const [mark = ''] = line.startsWith(BELOW) ? [BELOW] : [];
      const words = line.slice(mark.length).split(/\s+/);
      return mark.length + Math.max(...words.map(countColumns));
    }),
  );
}

const plain = stripVTControlCharacters;

/** The columns of a terminal that a text takes: pictures and the characters of East Asia take two. */
export function countColumns(text: string): number {
  return Array.from(plain(text), (one) => (WIDE.test(one) ? 2 : 1)).reduce<number>(
    (total, one) => total + one,
    0,
  );
}

const WIDE =
  /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uFF01-\uFF60]/u;

/** Takes from the widest column first. */
function shrink(wanted: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...wanted];
  for (let over = sum(widths) - room; over > 0; over--) {
    const spare = widths.map((width, i) => (width > (least[i] as number) ? width : 0));
    const widest = spare.indexOf(Math.max(...spare));
    widths[widest] = (widths[widest] as number) - 1;
  }
  return widths;
}

/** The first of the two neighbours that save most when they are stacked; numbers stay beside each other as long as they can. */
function choosePair({ columns }: Cells, least: readonly number[]): number {
  const savings = columns.slice(1).map((column, i) => {
    const saved = Math.min(least[i] as number, least[i + 1] as number);
    const areTexts = column.align !== 'right' && columns[i]?.align !== 'right';
    return areTexts ? saved + LARGE : saved;
  });
  return savings.indexOf(Math.max(...savings));
}

const LARGE = 10_000;

function stack({ columns, rows }: Cells, at: number): Cells {
  const [upper, lower] = columns.slice(at, at + 2) as [Column, Column];
  const title = `${upper.title}\n${BELOW}${lower.title}`;
  return {
    columns: columns.toSpliced(at, 2, { title }),
    rows: rows.map((row) => row.toSpliced(at, 2, `${row[at]}\n${BELOW}${row[at + 1]}`)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
