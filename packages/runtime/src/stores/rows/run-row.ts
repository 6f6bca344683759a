import type { LedgerEntry } from '../store.ts';
import { damaged, nameOfThread, readColumn } from './damaged.ts';
import { isTellable, packRuns, type RowRun, unpackRuns } from './packed-runs.ts';

/** The runs of one append that belong to one turn, as a row of `hook_runs` without its thread. */
export interface RunRow {
  turnId: string | null;
  /** That of the first run. */
  step: number;
  /** The times of the oldest and of the youngest run. */
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

/** The rows of the entries of one append: neighbours of the same turn share one. */
export function encodeRuns(entries: readonly LedgerEntry[]): RunRow[] {
  const groups: [LedgerEntry, ...LedgerEntry[]][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first && first.turnId === entry.turnId && isTellable(entry, first)) group.push(entry);
    else groups.push([entry]);
  }
  return groups.map((group) => {
    const [{ turnId, step }] = group;
    const times = group.map(({ at }) => at).filter(Number.isFinite);
    return {
      turnId,
      step,
      oldest: Math.min(...times),
      youngest: Math.max(...times),
      runs: packRuns(group, step),
    };
  });
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
  /** The time of the oldest run that is left; infinity where none is. */
  oldest: number;
}

/** Takes the runs before a time out of a row's JSON text. */
export function withoutRunsBefore(row: PackedRow, time: number): CutRow {
  const { runs, turnId } = row;
  if (!readable(row)) return { runs, dropped: tally([]), oldest: Number.POSITIVE_INFINITY };
  const all = unpackRuns(runs, turnId).map((run) => ({ threadId: '', turnId, ...run }));
  const gone = all.filter(({ at }) => at < time);
  const [first, ...more] = all.filter(({ at }) => at >= time);
  if (first === undefined) return { runs: null, dropped: tally(gone), oldest: Number.POSITIVE_INFINITY };
  const oldest = Math.min(first.at, ...more.map(({ at }) => at));
  return { runs: gone.length === 0 ? runs : packRuns([first, ...more], 0), dropped: tally(gone), oldest };
}

/** What leaves the ledger with a whole row. Of one that is damaged, nobody can say how many runs it held. */
export function droppedFrom(row: PackedRow): Dropped {
  return readable(row) ? tally(unpackRuns(row.runs, row.turnId)) : { runs: 1, data: true };
}

function readable({ runs, turnId }: PackedRow): boolean {
  try {
    return unpackRuns(runs, turnId).length >= 0;
  } catch {
    return false;
  }
}

function tally(gone: readonly RowRun[]): Dropped {
  return { runs: gone.length, data: gone.some(({ values }) => values !== undefined) };
}
