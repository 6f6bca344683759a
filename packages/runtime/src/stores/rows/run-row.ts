import type { TurnMark } from '@spec/hooks';
import type { LedgerEntry } from '../store.ts';
import { damaged, nameThread, readColumn } from './damaged.ts';
import {
  isTellable,
  packRow,
  type RowContent,
  type RowRun,
  unpackRowMarks,
  unpackRuns,
} from './packed-runs.ts';

/** The runs and marks of one append and one turn, as a row of `hook_runs` without its thread. */
export interface RunRow {
  turnId: string | null;
  /** The step of the first run. */
  step: number;
  /** The times of the oldest and the youngest run; in a row with only marks, of the first and the last mark. */
  oldest: number;
  youngest: number;
  /** JSON text, see packed-runs.ts. */
  runs: string;
}

/** The columns that are read from a row. Columns that only some databases have are checked if present. */
export interface StoredRunRow extends Pick<RunRow, 'turnId' | 'step' | 'runs'> {
  readonly key?: number;
  readonly storedAt?: number;
  readonly longest?: number;
  readonly alone?: number;
}

/** A row that is being made. */
interface OpenRow extends RowContent {
  readonly runs: LedgerEntry[];
  readonly marks: TurnMark[];
}

/** The rows for the entries of one append. Neighbours of the same turn share a row; the first of these has the turn's marks. */
export function encodeRuns(entries: readonly LedgerEntry[], marks: readonly TurnMark[] = []): RunRow[] {
  const rows: OpenRow[] = [];
  for (const entry of entries) {
    const row = rows.at(-1);
    const [first] = row?.runs ?? [];
    if (row && first && first.turnId === entry.turnId && isTellable(entry, first)) row.runs.push(entry);
    else rows.push({ turnId: entry.turnId, runs: [entry], marks: [] });
  }
  for (const mark of marks) {
    const row = rows.find(({ turnId }) => turnId === mark.turnId);
    if (row) row.marks.push(mark);
    else rows.push({ turnId: mark.turnId, runs: [], marks: [mark] });
  }
  return rows.map(encodeRow);
}

function encodeRow(row: OpenRow): RunRow {
  const { turnId, runs, marks } = row;
  const timed = runs.length > 0 ? runs : marks;
  const step = timed[0]?.step ?? 0;
  let [oldest, youngest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at } of timed) {
    if (!Number.isFinite(at)) continue;
    oldest = Math.min(oldest, at);
    youngest = Math.max(youngest, at);
  }
  return { turnId, step, oldest, youngest, runs: packRow(row, step) };
}

/** The entries in a row. @throws RunError `store_unreadable`, also if the thread's id is not a text */
export function decodeRuns(row: StoredRunRow, threadId: string): LedgerEntry[] {
  if (typeof threadId !== 'string')
    throw damaged({ table: 'threads', row: nameThread(threadId), column: 'id' });
  const { turnId } = row;
  checkRow(row, threadId);
  return unpackRow(row, threadId).map(({ step, ...run }) => ({
    threadId,
    turnId,
    step: row.step + step,
    ...run,
  }));
}

/** The marks in a row. @throws RunError `store_unreadable` */
export function decodeMarks(row: StoredRunRow, threadId: string): TurnMark[] {
  const { turnId } = row;
  checkRow(row, threadId);
  return unpackRowMarks(row.runs, turnId).map(({ step, ...mark }) => ({
    threadId,
    turnId,
    step: row.step + step,
    ...mark,
  }));
}

const numbers = {
  step: 'step',
  key: 'key',
  storedAt: 'stored_at',
  longest: 'longest',
  alone: 'alone',
} as const;

/** A column of SQLite holds whatever was written to it. */
function checkRow(row: StoredRunRow, threadId: string): void {
  const refuse = (column: string) =>
    damaged({ table: 'hook_runs', row: `a row of thread ${threadId}`, column });
  if (row.turnId !== null && typeof row.turnId !== 'string') throw refuse('turn_id');
  if (typeof row.runs !== 'string') throw refuse('runs');
  for (const [field, column] of Object.entries(numbers)) {
    const value: unknown = row[field as keyof typeof numbers];
    if (value !== undefined && !Number.isFinite(value)) throw refuse(column);
  }
}

function unpackRow({ runs, step, turnId }: StoredRunRow, threadId: string): RowRun[] {
  const row = `thread ${threadId}, turn ${turnId ?? 'none'}, step ${step}`;
  return readColumn({ table: 'hook_runs', row, column: 'runs' }, () => unpackRuns(runs, turnId));
}

/** What was removed from the ledger. */
export interface Dropped {
  runs: number;
  /** Whether data was among it (`trace: 'values'`). */
  data: boolean;
}

/** The sum of several removals. */
export function total(dropped: readonly Dropped[]): Dropped {
  return { runs: dropped.reduce((sum, { runs }) => sum + runs, 0), data: dropped.some(({ data }) => data) };
}

/** The columns needed to remove runs from a row. */
export type PackedRow = Pick<RunRow, 'turnId' | 'runs'>;

/** A row without its runs before a time. */
export interface CutRow {
  /** JSON text; `null` if no run is left. */
  runs: string | null;
  dropped: Dropped;
  /** The time of the oldest remaining run or mark; infinity if none is left. */
  oldest: number;
}

/** Removes the runs before a time from a row's JSON text. */
export function withoutRunsBefore(row: PackedRow, time: number): CutRow {
  const { runs, turnId } = row;
  if (!readable(row)) return { runs, dropped: tally([]), oldest: Number.POSITIVE_INFINITY };
  const all = unpackRuns(runs, turnId).map((run) => ({ threadId: '', turnId, ...run }));
  const gone = all.filter(({ at }) => at < time);
  const left = all.filter(({ at }) => at >= time);
  const allMarks = unpackRowMarks(runs, turnId).map((mark) => ({ threadId: '', turnId, ...mark }));
  const marks = allMarks.filter(({ at }) => at >= time);
  const oldest = Math.min(...[...left, ...marks].map(({ at }) => at));
  if (left.length + marks.length === 0) return { runs: null, dropped: tally(gone), oldest };
  const isWhole = gone.length === 0 && marks.length === allMarks.length;
  return { runs: isWhole ? runs : packRow({ turnId, runs: left, marks }, 0), dropped: tally(gone), oldest };
}

/** What is removed with a whole row. In a damaged row, nobody can tell how many runs it held. */
export function droppedFrom(row: PackedRow): Dropped {
  return readable(row) ? tally(unpackRuns(row.runs, row.turnId)) : { runs: 1, data: true };
}

function readable({ runs, turnId }: PackedRow): boolean {
  try {
    unpackRowMarks(runs, turnId);
    return unpackRuns(runs, turnId).length >= 0;
  } catch {
    return false;
  }
}

function tally(gone: readonly RowRun[]): Dropped {
  return { runs: gone.length, data: gone.some(({ values }) => values !== undefined) };
}
