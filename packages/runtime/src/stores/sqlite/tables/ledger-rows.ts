import { and, asc, desc, eq, gte, isNull, lt, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core';
import type { KeyRange } from '../../key-windows.ts';
import { BEGINS_WITH_MARKS, listForms } from '../../rows/packed-runs.ts';
import { decodeRuns } from '../../rows/run-row.ts';
import type { LedgerEntry, LedgerFilter } from '../../store.ts';
import { type Connection, rawStatement } from '../file/connection.ts';
import type { HookRunRow } from '../schema/rows.ts';
import { hookRuns, messages, threads } from '../schema/schema.ts';
import { decodeText } from '../schema/text.ts';

// L1: `stored_at` never falls from row to row, and no run is younger than its row. So a binary search finds the first row that can
//     hold runs since a time.
// L2: no run waited longer for its commit than `longest` of the newest row. So a search also finds the last row that can hold runs before a time.

/** Finds the keys of all rows that can hold runs of a time span (L1, L2). */
export type FindKeys = (span: Pick<LedgerFilter, 'since' | 'until'>) => KeyRange;

const slot = sql.placeholder;

/** Prepares the search for times. With a damaged time it finds too many or too few rows, but never fails. */
export function keySearch(connection: Connection): FindKeys {
  const { orm } = connection;
  const { key, storedAt, longest } = hookRuns;
  const columns = { key, storedAt, longest };
  const next = rawStatement<[from: number, limit: number], [key: number, storedAt: number, longest: number]>(
    connection,
    orm
      .select(columns)
      .from(hookRuns)
      .where(gte(key, slot('from')))
      .orderBy(asc(key))
      .limit(slot('limit')),
  );
  const newest = rawStatement<[limit: number], [key: number, storedAt: number, longest: number]>(
    connection,
    orm.select(columns).from(hookRuns).orderBy(desc(key)).limit(slot('limit')),
  );

  function firstStoredSince(time: number, last: number): number {
    let low = 0;
    let high = last + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [found = high, at = time] = next.get(middle, 1) ?? [];
      if (at >= time) high = middle;
      else low = found + 1;
    }
    return low;
  }

  return ({ since, until }) => {
    const [last, , delay] = newest.get(1) ?? [0, 0, 0];
    const end = last + 1;
    return {
      from: since === undefined ? 0 : firstStoredSince(since, last),
      below: until === undefined ? end : Math.min(end, firstStoredSince(until + delay + 1, last)),
    };
  };
}

/** Which rows are read: those of all threads, or of the thread with this key. Of a statement that is prepared, placeholders for them. */
export interface RowQuery<Key = number> {
  readonly thread?: Key | undefined;
  readonly from: Key;
  readonly below: Key;
  /** Default: all. The first one is the key. A query for others is for `toSQL` alone. */
  readonly columns?: Columns;
  /** Only rows whose JSON contains each of these texts. */
  readonly filter?: RowFilter;
}

interface RowFilter extends Pick<LedgerFilter, 'hook' | 'id' | 'outcome' | 'turnId'> {
  /** Only rows with marks. */
  readonly hasMarks?: true;
}

/** A row as read. */
export interface LedgerRow extends Omit<HookRunRow, 'thread'> {
  threadId: string;
}

/** A row as `raw()` gives it, in the order of {@link selectRows}. */
export type RawLedgerRow = [
  key: number,
  threadId: string | Buffer,
  turnId: string | Buffer | null,
  step: number,
  runs: string,
  storedAt: number,
  longest: number,
  alone: number,
];

const allColumns = {
  ...{ key: hookRuns.key, threadId: threads.id, turnId: hookRuns.turnId, step: hookRuns.step },
  ...{ runs: hookRuns.runs, storedAt: hookRuns.storedAt, longest: hookRuns.longest, alone: hookRuns.alone },
};

/** What sums need of a row: its key, its runs, and 1 where all of its columns have their usual types. */
export type SumRow = [key: number, runs: string, isUsual: 0 | 1];

const usual = sql`typeof(${hookRuns.runs}) = 'text' and typeof(${hookRuns.turnId}) in ('text', 'null')`;
const numbers = [hookRuns.step, hookRuns.storedAt, hookRuns.longest, hookRuns.alone];
const areWhole = numbers.map((column) => sql`typeof(${column}) = 'integer'`);

/** The columns of a {@link SumRow}. To read all columns takes twice the time. */
export const sumColumns: Columns = {
  key: hookRuns.key,
  runs: hookRuns.runs,
  isUsual: sql<number>`(${and(usual, ...areWhole)})`.as('is_usual'),
};

/** The runs of such a row. */
export function decodeRawRow([
  ,
  threadId,
  turnId,
  step,
  runs,
  storedAt,
  longest,
  alone,
]: RawLedgerRow): LedgerEntry[] {
  const turn = turnId === null ? null : decodeText(turnId);
  return decodeRuns({ turnId: turn, step, runs, storedAt, longest, alone }, decodeText(threadId));
}

/** A query that can still be limited. */
export interface RowSelection {
  limit(rows: number | Placeholder): RowSelection;
  toSQL(): { sql: string; params: unknown[] };
  all(): LedgerRow[];
}

type Columns = Readonly<Record<string, SQLiteColumn | SQL.Aliased>>;

/** A query for rows by their keys. */
export function selectRows(
  orm: Connection['orm'],
  { thread, from, below, columns: asked = allColumns, filter = {} }: RowQuery<number | Placeholder>,
  order: typeof asc,
): RowSelection {
  const columns = asked as typeof allColumns;
  const { key } = hookRuns;
  const matches = and(...conditions(filter));
  const joined = orm.select(columns).from(hookRuns).innerJoin(threads, eq(threads.key, hookRuns.thread));
  if (thread === undefined)
    return joined
      .where(and(gte(key, from), lt(key, below), matches))
      .orderBy(order(key))
      .$dynamic();
  const withMessages = orm
    .select({ ...columns, key: messages.key })
    .from(messages)
    .innerJoin(hookRuns, and(eq(hookRuns.key, messages.key), eq(hookRuns.alone, 0)))
    .innerJoin(threads, eq(threads.key, messages.thread))
    .where(and(eq(messages.thread, thread), gte(messages.key, from), lt(messages.key, below), matches));
  const alone = joined.where(
    and(sql`${hookRuns.alone} = 1`, eq(hookRuns.thread, thread), gte(key, from), lt(key, below), matches),
  );
  return unionAll(withMessages, alone).orderBy(order(sql`1`)).$dynamic();
}

function conditions({ hook, id, outcome, turnId, hasMarks }: RowFilter): (SQL | undefined)[] {
  const named = [listForms(hook), id === undefined ? undefined : [id], listForms(outcome)];
  const all = named.map((forms) => forms && or(...forms.map(standsIn)));
  if (turnId !== undefined) all.push(turnId === null ? isNull(hookRuns.turnId) : eq(hookRuns.turnId, turnId));
  if (hasMarks) all.push(sql`substr(${hookRuns.runs}, 1, 3) = ${BEGINS_WITH_MARKS}`);
  return all;
}

function standsIn(text: string): SQL {
  return sql`instr(${hookRuns.runs}, ${JSON.stringify(text)}) > 0`;
}
