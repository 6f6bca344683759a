import Table from 'cli-table3';
import { pc } from './colours.ts';
import { printable, printableInColour } from './printable.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Characters; absent: as wide as its content. */
  readonly width?: number | undefined;
}

/** A table for the terminal, without colours where they are off. Of cells only colours are obeyed. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: columns.map(({ title }) => pc.bold(title)),
    colAligns: columns.map(({ align = 'left' }) => align),
    colWidths: columns.map(({ width }) => width ?? null) as number[],
    wordWrap: true,
    style: { head: [], border: pc.isColorSupported ? ['dim'] : [] },
    chars: lightLines,
  });
  const cell = pc.isColorSupported ? printableInColour : printable;
  for (const row of rows) table.push(row.map(cell));
  return table.toString();
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

/** The width to fill, in characters. */
export function terminalWidth(): number {
  return Math.min(process.stdout.columns ?? 100, 140);
}

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
  return count.toLocaleString('en-US');
}

/** A number with its noun, such as `1 call` and `2 calls`. */
export function writeCount(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
