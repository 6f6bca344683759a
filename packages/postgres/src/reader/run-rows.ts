import type { RunFilter } from '@spec/hooks';
import type { LedgerEntry } from '@spec/runtime';
import {
  type CountedRun,
  type KeyRange,
  matchesFilter,
  readableOnes,
  unpackForSums,
} from '@spec/runtime/store-kit';
import type { Rows, Session } from '../connection/session.ts';
import { filterRows, type RunColumns, readRuns, runColumns, runSource } from '../methods/ledger-rows.ts';

// R1 One statement looks at a bounded part of the ledger: so many rows of a thread, or the rows of so many keys. None takes long, however
//    few rows match.
// R2 The rows of a time are found by `hook_runs_times`. Their keys follow their times only roughly, because clocks differ, so the
//    smallest and the largest of them are asked for, and each row between them is tested.

/** The most rows that one statement gives. */
export const rowsAtOnce = 1_000;

/** What one statement reads. */
export interface RowQuery extends KeyRange {
  readonly filter: RunFilter;
  readonly order?: 'newest' | 'oldest';
  readonly limit?: number;
  /** Conditions more; appends their values. */
  readonly more?: (values: unknown[]) => readonly string[];
}

/** Reads rows that may hold runs of a filter, by their keys. */
export async function readRows(session: Session, query: RowQuery): Promise<readonly RunColumns[]> {
  const { from, below, filter, order = 'oldest', limit = rowsAtOnce, more = () => [] } = query;
  const values: unknown[] = [from, below, limit];
  const where = ['r.key >= $1::bigint', 'r.key < $2::bigint', ...filterRows(filter, values), ...more(values)];
  const list = session.prepare(
    `select ${runColumns} from ${runSource} where ${where.join(' and ')} order by r.key ${order === 'newest' ? 'desc' : 'asc'} limit $3::bigint`,
  );
  return (await session.ask(list, values)) as RunColumns[];
}

/** The keys of all rows that may hold runs of the time of a filter; `undefined` if there are none. */
export async function findKeys(
  session: Session,
  { since, until }: Pick<RunFilter, 'since' | 'until'>,
): Promise<KeyRange | undefined> {
  const values: unknown[] = [];
  const conditions = filterRows(
    { ...(since !== undefined && { since }), ...(until !== undefined && { until }) },
    values,
  );
  // "offset 0" keeps the server from going through the keys until one has the time.
  const rows =
    conditions.length === 0
      ? '$schema.hook_runs r'
      : `(select r.key from $schema.hook_runs r where ${conditions.join(' and ')} offset 0) r`;
  const find = session.prepare(`select min(r.key)::float8, max(r.key)::float8 from ${rows}`);
  return readRange(await session.ask(find, values));
}

/** The range of the smallest and the largest key in a row. */
export function readRange(rows: Rows): KeyRange | undefined {
  const [from, last] = rows[0] ?? [];
  return typeof from === 'number' && typeof last === 'number' ? { from, below: last + 1 } : undefined;
}

/** The runs in a row. A damaged row is told, and has none. */
export function decodeRow(session: Session, row: RunColumns): readonly LedgerEntry[] {
  return readableOnes([row], readRuns, session.settings.onUnreadable).flat();
}

/** The most keys that one statement passes where it looks for rows of all threads. */
const keysAtOnce = 100_000;

/** Calls something with each run that matches, as far as sums need it, in the order of the commits. */
export async function countRuns(
  session: Session,
  { filter, keys, more }: Pick<RowQuery, 'filter' | 'more'> & { readonly keys: KeyRange },
  add: (run: CountedRun) => void,
): Promise<void> {
  const { threadId, turnId: _, ...ofRun } = filter;
  for (let { from } = keys; from < keys.below; ) {
    const below = threadId === undefined ? Math.min(keys.below, from + keysAtOnce) : keys.below;
    const rows = await readRows(session, { from, below, filter, ...(more && { more }) });
    for (const row of rows)
      for (const run of unpackForSums(row[4]) ?? decodeRow(session, row))
        if (matchesFilter(run, ofRun)) add(run);
    from = rows.length < rowsAtOnce ? below : lastKey(rows) + 1;
  }
}

/** The key of the last row. */
export function lastKey(rows: readonly RunColumns[]): number {
  return rows.at(-1)?.[0] ?? 0;
}
