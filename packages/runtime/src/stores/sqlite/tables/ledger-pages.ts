import { and, asc, desc, eq, gt, inArray, lt, lte, max, min, sql } from 'drizzle-orm';
import { type Dropped, decodeRuns, droppedFrom, total, withoutRunsBefore } from '../../rows/run-row.ts';
import type { RunPage } from '../../store.ts';
import type { Connection } from '../file/connection.ts';
import { hookRuns } from '../schema/schema.ts';
import { type LedgerRow, selectRows } from './ledger-rows.ts';

/** The rows of the ledger piece by piece. Each piece takes a statement or two, so that nothing else waits long. */
export interface LedgerPages {
  /** Of one thread, by its key, or of all threads. */
  page(page: { from: number; size: number }, thread: number | undefined): RunPage;
  /** The keys of the first and the last row; `null` if there are none. */
  ends(): { first: number; last: number } | null;
  /** Removes the runs before a time from the rows with keys above `from`, up to `through`. */
  dropBefore(time: number, keys: { from: number; through: number }): Dropped & { oldest: number };
  /** Removes some of the rows up to a key. If it finds no rows, none is left. */
  dropThrough(key: number): Dropped & { rows: number };
  /** The size of some rows in bytes, newest first; their keys are below `below`. */
  sizes(below: number): { key: number; bytes: number }[];
}

/** How many rows are processed together: some milliseconds of work. */
const some = 1_000;

/** The size of a row without its `runs`, in bytes. */
const rowBytes = 64;

const packed = { turnId: hookRuns.turnId, runs: hookRuns.runs };

/** The pieces of one file's ledger. */
export function ledgerPages({ orm }: Connection): LedgerPages {
  return {
    page({ from, size }, thread) {
      const after = { thread, from: from + 1, below: Number.MAX_SAFE_INTEGER };
      return takeRuns(selectRows(orm, after, asc).limit(size).all(), size);
    },
    ends() {
      const [ends] = orm
        .select({ first: min(hookRuns.key), last: max(hookRuns.key) })
        .from(hookRuns)
        .all();
      const { first = null, last = null } = ends ?? {};
      return first === null || last === null ? null : { first, last };
    },
    dropBefore(time, { from, through }) {
      const rows = orm
        .select({ key: hookRuns.key, ...packed })
        .from(hookRuns)
        .where(and(gt(hookRuns.key, from), lte(hookRuns.key, through)))
        .orderBy(asc(hookRuns.key))
        .all();
      const cut = rows.map(({ key, ...row }) => ({ key, old: row.runs, ...withoutRunsBefore(row, time) }));
      const gone = cut.filter(({ runs }) => runs === null).map(({ key }) => key);
      if (gone.length > 0) orm.delete(hookRuns).where(inArray(hookRuns.key, gone)).run();
      for (const { key, runs, old } of cut)
        if (runs !== null && runs !== old)
          orm.update(hookRuns).set({ runs }).where(eq(hookRuns.key, key)).run();
      return { ...total(cut.map(({ dropped }) => dropped)), oldest: findOldest(cut) };
    },
    dropThrough(key) {
      const oldest = orm.select({ key: hookRuns.key }).from(hookRuns).where(lte(hookRuns.key, key));
      const rows = inArray(hookRuns.key, oldest.orderBy(asc(hookRuns.key)).limit(some));
      const gone = orm.delete(hookRuns).where(rows).returning(packed).all();
      return { ...total(gone.map(droppedFrom)), rows: gone.length };
    },
    sizes: (below) =>
      orm
        .select({ key: hookRuns.key, bytes: sql<number>`octet_length(${hookRuns.runs}) + ${rowBytes}` })
        .from(hookRuns)
        .where(lt(hookRuns.key, below))
        .orderBy(desc(hookRuns.key))
        .limit(some)
        .all(),
  };
}

function findOldest(rows: readonly { oldest: number }[]): number {
  return rows.reduce((least, { oldest }) => Math.min(least, oldest), Number.POSITIVE_INFINITY);
}

/** The runs of the rows that make up a page. */
function takeRuns(rows: readonly LedgerRow[], size: number): RunPage {
  const runs: RunPage['runs'] = [];
  for (const { key, threadId, ...row } of rows) {
    runs.push(...decodeRuns(row, threadId));
    if (runs.length >= size) return { runs, next: key };
  }
  return { runs, next: null };
}
