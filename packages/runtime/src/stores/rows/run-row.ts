import type { TurnMark } from '@spec/hooks';
import type { LedgerEntry } from '../store.ts';
import { damaged, nameOfThread, readColumn } from './damaged.ts';
import {
  isTellable,
  packRow,
  type RowContent,
  type RowRun,
  unpackRowMarks,
  unpackRuns,
} from './packed-runs.ts';

/** The runs and marks of one append that belong to one turn, as a row of `hook_runs` without its thread. */
export interface RunRow {
  turnId: string | null;
  /** That of the first run. */
  step: number;
  /** The times of the oldest and of the youngest run; in a row of marks alone, of the first and the last of these. */
  oldest: number;
  youngest: number;
  /** JSON text, see packed-runs.ts. */
  runs: string;
}

/** What is read of a row; columns that only some databases have are checked where they are there. */
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

/** The rows of the entries of one append: neighbours of the same turn share one, and its marks are in the first of them. */
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
  const times = timed.map(({ at }) => at).filter(Number.isFinite);
  return {
    turnId,
    step,
    oldest: Math.min(...times),
    youngest: Math.max(...times),
    runs: packRow(row, step),
  };
}

/** The entries of a row. @throws RunError `store_unreadable`, also where what the thread has for an id is none */
export function decodeRuns(row: StoredRunRow, threadId: string): LedgerEntry[] {
  if (typeof threadId !== 'string')
    throw damaged({ table: 'threads', row: nameOfThread(threadId), column: 'id' });
  const { turnId } = row;
  checkRow(row, threadId);
  return unpackRow(row, threadId).map(({ step, ...run }) => ({
    threadId,
    turnId,
    step: row.step + step,
    ...run,
  }));
}

/** The marks of a row. @throws RunError `store_unreadable` */
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

/** SQLite keeps in a column whatever is written there. */
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

/** What left the ledger. */
export interface Dropped {
  runs: number;
  /** Whether there was data with it (`trace: 'values'`). */
  data: boolean;
}

/** What left the ledger in several pieces. */
export function total(dropped: readonly Dropped[]): Dropped {
  return { runs: dropped.reduce((sum, { runs }) => sum + runs, 0), data: dropped.some(({ data }) => data) };
}

/** What is read of a row to take runs out of it. */
export type PackedRow = Pick<RunRow, 'turnId' | 'runs'>;

/** A row without its runs before a time. */
export interface CutRow {
  /** JSON text; `null` where none is left. */
  runs: string | null;
  dropped: Dropped;
  /** The time of the oldest run or mark that is left; infinity where none is. */
  oldest: number;
}

/** Takes the runs before a time out of a row's JSON text. */
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

/** What leaves the ledger with a whole row. Of one that is damaged, nobody can say how many runs it held. */
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
