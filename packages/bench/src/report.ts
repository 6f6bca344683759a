import { cpus } from 'node:os';
import Table from 'cli-table3';
import { type BenchResult, isMissed, type Ratio } from './bench.ts';

/** The results as a person reads them. */
export function renderTables(results: readonly BenchResult[]): string {
  return results
    .map(
      (result) =>
        `${renderHeading(result)}\n${renderFigures(result)}\n${renderRatios(result)}\n${renderNotes(result)}`,
    )
    .join('\n');
}

/** The figures of benches with rows and columns, as tables for a page. */
export function renderMarkdown(results: readonly BenchResult[]): string {
  return results
    .map((result) => {
      const { head, rows } = makeCells(result);
      const lines = [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
      return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    })
    .join('\n\n');
}

/** The results for machines, with what they were measured on. */
export function renderJson(results: readonly BenchResult[]): string {
  const machine = { node: process.version, platform: process.platform, cpu: cpus()[0]?.model ?? 'unknown' };
  const benches = results.map((result) => ({
    ...result,
    ratios: result.ratios.map((ratio) => ({ ...ratio, ok: !isMissed(ratio) })),
  }));
  return JSON.stringify({ machine, benches }, null, 2);
}

function renderHeading({ name, about }: BenchResult): string {
  return `${name}: ${about}`;
}

/** Figures whose names are `row | column` make a table of rows and columns. */
function renderFigures(result: BenchResult): string {
  return Object.keys(result.figures).every((name) => name.includes(' | '))
    ? renderMatrix(result)
    : renderList(result);
}

function renderMatrix(result: BenchResult): string {
  const { head, rows } = makeCells(result);
  const colAligns = head.map((_, column) => (column === 0 ? ('left' as const) : ('right' as const)));
  const table = new Table({ head, colAligns, style: { head: [], border: [] } });
  table.push(...rows);
  return table.toString();
}

function makeCells({ figures, unit }: BenchResult): { head: string[]; rows: string[][] } {
  const places = Object.keys(figures).map((name) => name.split(' | ') as [row: string, column: string]);
  const columns = [...new Set(places.map(([, column]) => column))];
  const rows = [...new Set(places.map(([row]) => row))].map((row) => {
    const values = columns.map((column) => figures[`${row} | ${column}`]);
    return [row, ...values.map((value) => (value === undefined ? '' : value.toFixed(1)))];
  });
  return { head: [unit, ...columns], rows };
}

function renderList({ figures, unit }: BenchResult): string {
  const table = new Table({
    head: ['', unit],
    colAligns: ['left', 'right'],
    style: { head: [], border: [] },
  });
  for (const [figure, value] of Object.entries(figures)) table.push([figure, rounded(value)]);
  return table.toString();
}

function renderRatios({ ratios }: BenchResult): string {
  const head = ['', 'against', 'times', 'target', ''];
  const table = new Table({
    head,
    colAligns: ['left', 'left', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const ratio of ratios)
    table.push([
      ratio.of,
      ratio.against,
      ratio.ratio.toFixed(2),
      describeTarget(ratio),
      describeVerdict(ratio),
    ]);
  return table.toString();
}

function renderNotes({ notes }: BenchResult): string {
  return notes.map((note) => `${note}\n`).join('');
}

function describeTarget({ atMost, atLeast }: Ratio): string {
  if (atMost !== undefined) return `at most ${atMost}`;
  return atLeast === undefined ? '' : `at least ${atLeast}`;
}

function describeVerdict(ratio: Ratio): string {
  if (describeTarget(ratio) === '') return '';
  return isMissed(ratio) ? 'missed' : 'ok';
}

function rounded(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
