import { cpus } from 'node:os';
import Table from 'cli-table3';
import { type BenchResult, isMissed, type Ratio } from './bench.ts';

/** The results as a person reads them. */
export function tableOf(results: readonly BenchResult[]): string {
  return results
    .map((result) => `${headingOf(result)}\n${figuresOf(result)}\n${ratiosOf(result)}\n${notesOf(result)}`)
    .join('\n');
}

/** The figures of benches with rows and columns, as tables for a page. */
export function markdownOf(results: readonly BenchResult[]): string {
  return results
    .map((result) => {
      const { head, rows } = cellsOf(result);
      const lines = [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
      return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    })
    .join('\n\n');
}

/** The results for machines, with what they were measured on. */
export function jsonOf(results: readonly BenchResult[]): string {
  const machine = { node: process.version, platform: process.platform, cpu: cpus()[0]?.model ?? 'unknown' };
  const benches = results.map((result) => ({
    ...result,
    ratios: result.ratios.map((ratio) => ({ ...ratio, ok: !isMissed(ratio) })),
  }));
  return JSON.stringify({ machine, benches }, null, 2);
}

function headingOf({ name, about }: BenchResult): string {
  return `${name}: ${about}`;
}

/** Figures whose names are `row | column` make a table of rows and columns. */
function figuresOf(result: BenchResult): string {
  return Object.keys(result.figures).every((name) => name.includes(' | '))
    ? matrixOf(result)
    : listOf(result);
}

function matrixOf(result: BenchResult): string {
  const { head, rows } = cellsOf(result);
  const colAligns = head.map((_, column) => (column === 0 ? ('left' as const) : ('right' as const)));
  const table = new Table({ head, colAligns, style: { head: [], border: [] } });
  table.push(...rows);
  return table.toString();
}

function cellsOf({ figures, unit }: BenchResult): { head: string[]; rows: string[][] } {
  const places = Object.keys(figures).map((name) => name.split(' | ') as [row: string, column: string]);
  const columns = [...new Set(places.map(([, column]) => column))];
  const rows = [...new Set(places.map(([row]) => row))].map((row) => {
    const values = columns.map((column) => figures[`${row} | ${column}`]);
    return [row, ...values.map((value) => (value === undefined ? '' : value.toFixed(1)))];
  });
  return { head: [unit, ...columns], rows };
}

function listOf({ figures, unit }: BenchResult): string {
  const table = new Table({
    head: ['', unit],
    colAligns: ['left', 'right'],
    style: { head: [], border: [] },
  });
  for (const [figure, value] of Object.entries(figures)) table.push([figure, rounded(value)]);
  return table.toString();
}

function ratiosOf({ ratios }: BenchResult): string {
  const head = ['', 'against', 'times', 'target', ''];
  const table = new Table({
    head,
    colAligns: ['left', 'left', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const ratio of ratios)
    table.push([ratio.of, ratio.against, ratio.ratio.toFixed(2), targetOf(ratio), verdictOf(ratio)]);
  return table.toString();
}

function notesOf({ notes }: BenchResult): string {
  return notes.map((note) => `${note}\n`).join('');
}

function targetOf({ atMost, atLeast }: Ratio): string {
  if (atMost !== undefined) return `at most ${atMost}`;
  return atLeast === undefined ? '' : `at least ${atLeast}`;
}

function verdictOf(ratio: Ratio): string {
  if (targetOf(ratio) === '') return '';
  return isMissed(ratio) ? 'missed' : 'ok';
}

function rounded(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
