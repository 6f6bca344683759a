import {
  type Cursor,
  type NewRuns,
  type Page,
  type RecordedRun,
  RunError,
  type RunFilter,
  type RunQuery,
} from '@spec/hooks';
import { asc, desc } from 'drizzle-orm';
import { cutRange, findEnd, takeFirst } from '../../key-windows.ts';
import { matchesFilter } from '../../ledger-filter.ts';
import { withoutValues } from '../../record-cards.ts';
import { readableOnes } from '../../rows/damaged.ts';
import { decodeRuns } from '../../rows/run-row.ts';
import type { LedgerEntry } from '../../store.ts';
import type { Connection } from '../file/connection.ts';
import {
  decodeRawRow,
  type FindKeys,
  keySearch,
  type LedgerRow,
  type RawLedgerRow,
  type RowQuery,
  selectRows,
} from '../tables/ledger-rows.ts';

// R1 A page reads at most `rowsAtOnce` rows of the ledger, out of `keysAtOnce` keys. That takes some milliseconds, however few match.
// R2 A cursor over runs is the key where the page ended.
// R3 A cursor for news is the newest row's `stored_at` and key. If rows at the end are deleted, their keys are used again; rows
//    with such a key were stored later. So new rows have a higher key or a later time (L1 of ledger-rows.ts).

const rowsAtOnce = 1_000;
/** So that a small page of few matches does not end before the first of them. */
const rowsAtLeast = 50;
export const keysAtOnce = 20_000;

/** Greater than all keys. */
const end = Number.MAX_SAFE_INTEGER;

/** Reads the runs of one file. */
export interface RunPages {
  /** @param thread the key of the thread in the filter; `null` if there is no such thread */
  page(query: RunQuery, thread: number | null | undefined): Page<RecordedRun>;
  at(moment: number): readonly LedgerEntry[];
  cursorAt(time: number | undefined): Cursor;
  since(cursor: Cursor, filter: RunFilter): NewRuns;
}

/** Prepares the search over the ledger. */
export function runPages(connection: Connection): RunPages {
  const read: ReadRows = { findKeys: keySearch(connection), ...rowReader(connection) };
  return {
    page: (query, thread) => (thread === null ? { items: [], next: null } : readPage(read, query, thread)),
    at: (moment) => readRunsAt(read, moment),
    cursorAt(time) {
      if (time !== undefined) return writeMoment({ storedAt: Math.ceil(time) - 1, key: 0 });
      return writeMoment(read.newest() ?? { storedAt: 0, key: 0 });
    },
    since: (cursor, filter) => readNews(read, cursor, filter),
  };
}

interface ReadRows {
  readonly findKeys: FindKeys;
  /** At most `limit` rows; each is decoded when it is reached. */
  select(query: RowQuery, order?: RunQuery['order'], limit?: number): readonly LedgerRow[];
  /** The same, read one by one: whoever has enough stops, and the rest is not read. */
  walk(query: RowQuery, order: RunQuery['order'], limit: number): Iterable<RawLedgerRow>;
  decode(row: LedgerRow): readonly LedgerEntry[];
  decodeRaw(row: RawLedgerRow): readonly LedgerEntry[];
  newest(): LedgerRow | undefined;
}

function rowReader({ client, orm, onUnreadable }: Connection): Omit<ReadRows, 'findKeys'> {
  return {
    walk(query, order, limit) {
      const { sql, params } = selectRows(orm, query, order === 'newest' ? desc : asc)
        .limit(limit)
        .toSQL();
      return client
        .prepare(sql)
        .raw()
        .iterate(...params) as Iterable<RawLedgerRow>;
    },
    decodeRaw: (row) => readableOnes([row], decodeRawRow, onUnreadable).flat(),
    select: (query, order = 'oldest', limit = rowsAtOnce) =>
      selectRows(orm, query, order === 'newest' ? desc : asc)
        .limit(limit)
        .all(),
    decode: (row) => readableOnes([row], decodeRow, onUnreadable).flat(),
    newest: () => selectRows(orm, { from: 0, below: end }, desc).limit(1).all()[0],
  };
}

function readPage(read: ReadRows, query: RunQuery, thread: number | undefined): Page<RecordedRun> {
  const { order, size, cursor, ...filter } = query;
  const after = cursor === undefined ? undefined : readKey(cursor);
  const keys = cutRange(read.findKeys(filter), order, after);
  const window = thread === undefined ? takeFirst(keys, order, keysAtOnce) : keys;
  const limit = Math.min(rowsAtOnce, Math.max(size, rowsAtLeast));
  const items: RecordedRun[] = [];
  let [rows, last] = [0, 0];
  for (const row of read.walk({ thread, filter, ...window }, order, limit)) {
    rows++;
    last = row[0];
    const matching = read
      .decodeRaw(row)
      .filter((run) => matchesFilter(run, filter))
      .map(withoutValues);
    items.push(...(order === 'newest' ? matching.reverse() : matching));
    if (items.length >= size) return { items, next: String(last) };
  }
  const next = rows === limit ? last : findEnd({ window, keys, order });
  return { items, next: next === null ? null : String(next) };
}

function readRunsAt(read: ReadRows, moment: number): readonly LedgerEntry[] {
  const filter = { since: moment, until: moment + 1 };
  const { from, below } = read.findKeys(filter);
  const found: LedgerEntry[] = [];
  for (let next: number | undefined = from; next !== undefined; ) {
    const rows = read.select({ from: next, below });
    for (const row of rows) found.push(...read.decode(row).filter((run) => matchesFilter(run, filter)));
    next = rows.length < rowsAtOnce ? undefined : lastKey(rows) + 1;
  }
  return found;
}

function readNews(read: ReadRows, cursor: Cursor, filter: RunFilter): NewRuns {
  const { storedAt, key } = readMoment(cursor);
  const later = read.findKeys({ since: storedAt + 1 }).from;
  const rows = read.select({ from: key === 0 ? later : Math.min(key + 1, later), below: end });
  const runs = rows.flatMap((row) => read.decode(row).filter((run) => matchesFilter(run, filter)));
  const last = rows.at(-1);
  return {
    runs: runs.map(withoutValues),
    cursor: last === undefined ? cursor : writeMoment(last),
    hasMore: rows.length === rowsAtOnce,
  };
}

function decodeRow({ threadId, ...row }: LedgerRow): LedgerEntry[] {
  return decodeRuns(row, threadId);
}

function lastKey(rows: readonly LedgerRow[]): number {
  return rows.at(-1)?.key ?? 0;
}

/** @throws {RunError} `invalid_input` */
export function readKey(cursor: Cursor): number {
  const key = Number(cursor);
  if (typeof cursor !== 'string' || !/^\d+$/.test(cursor) || !Number.isSafeInteger(key)) throw noCursor();
  return key;
}

type StoredMoment = Pick<LedgerRow, 'storedAt' | 'key'>;

function writeMoment({ storedAt, key }: StoredMoment): Cursor {
  return `${storedAt}.${key}`;
}

function readMoment(cursor: Cursor): StoredMoment {
  const [storedAt = Number.NaN, key = Number.NaN, ...more] = String(cursor).split('.').map(Number);
  if (more.length > 0 || !Number.isSafeInteger(storedAt) || !Number.isSafeInteger(key)) throw noCursor();
  return { storedAt, key };
}

function noCursor(): RunError {
  return new RunError('invalid_input', 'cursor must be one that the records gave');
}
