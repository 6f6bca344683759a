import { pc } from '../colours.ts';
import { printable } from '../printable.ts';
import { outcomeText } from '../run/to-text.ts';
import { type Column, formatMs, renderTable } from '../table.ts';
import type { LogEntry } from './entry.ts';

const columns: readonly Column[] = [
  { title: 'run' },
  { title: 'at' },
  { title: 'thread' },
  { title: 'hook' },
  { title: 'id' },
  { title: 'outcome' },
  { title: 'time', align: 'right' },
  { title: 'why' },
];

/** Runs for a person at a terminal. */
export function logTable(runs: readonly LogEntry[]): string {
  return renderTable(columns, runs.map(makeCells));
}

/** One run as a line, for those that come one by one. */
export function logLine(run: LogEntry): string {
  return makeCells(run).filter(Boolean).join('  ');
}

function makeCells({ run, at, threadId, hook, id, outcome, ms, code, why = code ?? '' }: LogEntry): string[] {
  const time = at.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
  return [
    run,
    pc.dim(time),
    printable(threadId),
    pc.dim(hook),
    pc.bold(printable(id)),
    outcomeText(outcome),
    formatMs(ms),
    printable(why),
  ];
}
