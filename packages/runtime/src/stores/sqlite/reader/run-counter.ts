import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { RunFilter } from '@spec/hooks';
import { asc } from 'drizzle-orm';
import { type KeyRange, takeFirst } from '../../key-windows.ts';
import { matchesFilter } from '../../ledger-filter.ts';
import { readableOnes } from '../../rows/damaged.ts';
import { type RunForSums, unpackForSums } from '../../rows/packed-runs.ts';
import type { Connection } from '../file/connection.ts';
import {
  decodeRawRow,
  keySearch,
  type RawLedgerRow,
  type RowQuery,
  type SumRow,
  selectRows,
  sumColumns,
} from '../tables/ledger-rows.ts';
import { keysAtOnce } from './run-pages.ts';

/** The most rows that are counted before other work gets its turn: some milliseconds. */
const rowsAtOnce = 1_000;

/** What runs are added to. */
export interface Sums {
  add(run: RunForSums): void;
}

/** Adds the runs of a piece of the ledger. @returns the key where the next piece begins; `undefined` at the end */
export type AddPiece = (sums: Sums, piece: CountedPiece) => number | undefined;

interface CountedPiece {
  readonly from: number;
  readonly filter?: Omit<RunFilter, 'threadId'>;
  /** The key of the thread in the filter. */
  readonly thread?: number | undefined;
}

/** Prepares the counting of runs: a fifth of the work of reading them. */
export function runCounter(connection: Connection): AddPiece {
  const findKeys = keySearch(connection);
  const select = rowReader(connection);
  const readRuns = forSums(connection);
  return (sums, { from, filter = {}, thread }) => {
    const { turnId: _, ...ofRun } = filter;
    const found = findKeys(filter);
    const keys = { from: Math.max(from, found.from), below: found.below };
    const window: KeyRange = thread === undefined ? takeFirst(keys, 'oldest', keysAtOnce) : keys;
    const rows = select({ thread, filter, ...window });
    for (const row of rows) for (const run of readRuns(row)) if (matchesFilter(run, ofRun)) sums.add(run);
    if (rows.length === rowsAtOnce) return (rows.at(-1)?.[0] ?? 0) + 1;
    return window.below < keys.below ? window.below : undefined;
  };
}

function rowReader({ client, orm }: Connection): (query: RowQuery) => SumRow[] {
  return (query) => {
    const { sql, params } = selectRows(orm, { ...query, columns: sumColumns }, asc)
      .limit(rowsAtOnce)
      .toSQL();
    return client
      .prepare(sql)
      .raw()
      .all(...params) as SumRow[];
  };
}

/** Reads the runs of rows as far as sums need them. A row that is not as usual is decoded in whole, which reports it where it is damaged. */
export function forSums({ client, orm, onUnreadable }: Connection): (row: SumRow) => readonly RunForSums[] {
  const readWhole = (key: number): RawLedgerRow[] => {
    const { sql, params } = selectRows(orm, { from: key, below: key + 1 }, asc).toSQL();
    return client
      .prepare(sql)
      .raw()
      .all(...params) as RawLedgerRow[];
  };
  return ([key, runs, isUsual]) =>
    (isUsual ? unpackForSums(runs) : undefined) ??
    readableOnes(readWhole(key), decodeRawRow, onUnreadable).flat();
}

/** Adds up piece by piece. @param readPiece reads one and gives where the next one begins */
export async function addPieces(
  readPiece: (from: number) => Promise<number | undefined>,
  start = 0,
): Promise<void> {
  for (let from: number | undefined = start; from !== undefined; ) {
    from = await readPiece(from);
    await letOthersRun();
  }
}
