import Table from 'cli-table3';
import { pc } from './colours.ts';
import { type Column, fitTable, PADDING } from './fit-table.ts';
import { printable, printableInColour } from './printable.ts';
import { tableWidth } from './terminal-width.ts';

export type { Column } from './fit-table.ts';

/**
 * A table for the terminal, as wide as that is at most, without colours where they are off. Of cells only colours are obeyed.
 *
 * @param width characters
 */
export function renderTable(
  given: readonly Column[],
  cells: readonly (readonly string[])[],
  width: number = tableWidth(),
): string {
  const cell = pc.isColorSupported ? printableInColour : printable;
  const { columns, rows, widths } = fitTable(
    { columns: given, rows: cells.map((row) => row.map(cell)) },
    width,
  );
  const table = new Table({
    head: columns.map(({ title }) => title.split('\n').map(pc.bold).join('\n')),
    colAligns: columns.map(({ align = 'left' }) => align),
    colWidths: widths?.map((one) => one + PADDING) ?? [width],
    wordWrap: true,
    wrapOnWordBoundary: widths !== undefined,
    style: { head: [], border: pc.isColorSupported ? ['dim'] : [] },
    chars: lightLines,
  });
  for (const row of rows) table.push([...row]);
  return table.toString().replace(/ +$/gm, '');
}

/** Lines between the head and the rows only: long tables stay quiet. */
const lightLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** A heading above a table. */
export function heading(text: string, note = ''): string {
  return `\n${pc.bold(pc.cyan(text))}${note === '' ? '' : pc.dim(`  ${note}`)}`;
}

/** A text in one line, cut to a length. */
export function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** Milliseconds as records have them: whole microseconds. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

export function formatMs(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms >= 100 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(ms >= 1 ? 1 : 2)} ms`;
}

export function formatCount(count: number): string {
  return count < 1_000 ? String(count) : count.toLocaleString('en-US'); // Loading what is known of locales takes a tenth of a short command.
}

/** A number with its noun, such as `1 call` and `2 calls`. */
export function writeCount(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
