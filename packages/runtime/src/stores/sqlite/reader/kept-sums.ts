import { asc, count, desc, eq, lt, lte, sql } from 'drizzle-orm';
import { type HookStats, RunSums } from '../../run-sums.ts';
import { type Connection, rawStatement } from '../file/connection.ts';
import { hookRuns, threads } from '../schema/schema.ts';
import { type AddPiece, addPieces } from './run-counter.ts';

// U1 The sums of the whole ledger are kept, and what was stored since is added: a look at a long ledger costs what is new.
// U2 They are made anew where something was removed: the oldest runs (the first row is another one), a thread (there are fewer of those that
//    were there at the last look), or the newest runs (the last row is gone, or another one).

/** Runs a read in a transaction of its own. */
type Use = <T>(read: () => T) => Promise<T>;

interface KeptSums {
  readonly sums: RunSums;
  readonly marks: LedgerMarks;
}

type LastRow = readonly [key: number, storedAt: number];

/** Sums up the whole ledger of one file, as often as asked. */
export function keepSums(connection: Connection, use: Use, addPiece: AddPiece): () => Promise<HookStats[]> {
  const { readMarks, isThere, findLast } = ledgerMarks(connection);
  let kept: KeptSums | undefined;
  let before: Promise<unknown> = Promise.resolve();

  async function bringUpToDate(): Promise<HookStats[]> {
    const known = kept;
    kept = undefined; // If reading fails, what was half added is not used again.
    const begin = (): KeptSums => ({ sums: new RunSums(), marks: readMarks([0, 0]) });
    const { sums, marks } = await use(() => (known && isThere(known.marks) ? known : begin()));
    let isWhole = true;
    let seen = marks;
    await addPieces(
      (from) =>
        use(() => {
          isWhole &&= isThere(seen); // Others may remove what the piece before had.
          const next = addPiece(sums, { from });
          seen = readMarks(findLast(next ?? Number.MAX_SAFE_INTEGER) ?? seen.last);
          return next;
        }),
      marks.last[0] + 1,
    );
    if (isWhole) kept = { sums, marks: seen };
    return sums.list();
  }

  return () => {
    const mine = before.then(bringUpToDate);
    before = mine.catch(() => {});
    return mine;
  };
}

/** What tells whether anything of what was added is removed. */
interface LedgerMarks {
  readonly firstRow: string;
  readonly newestThread: readonly [key: number, createdAt: number];
  readonly threads: number;
  /** The last row that was added, and when it was stored. */
  readonly last: LastRow;
}

const slot = sql.placeholder;

function ledgerMarks(connection: Connection) {
  const { first, lastBelow, rowAt, threadAt, threadCount } = markStatements(connection);

  function readMarks(last: LastRow, through = Number.MAX_SAFE_INTEGER): LedgerMarks {
    const newestThread = threadAt.get(through, 1) ?? [0, 0];
    const threads = threadCount.get(newestThread[0])?.[0] ?? 0;
    return { firstRow: String(first.get(1)), newestThread, threads, last };
  }

  return {
    readMarks: (last: LastRow): LedgerMarks => readMarks(last),
    findLast: (below: number): LastRow | undefined => lastBelow.get(below, 1),
    isThere(marks: LedgerMarks): boolean {
      const { last, newestThread } = marks;
      const isSame = JSON.stringify(readMarks(last, newestThread[0])) === JSON.stringify(marks);
      return isSame && (last[0] === 0 || rowAt.get(last[0])?.[1] === last[1]);
    },
  };
}

function markStatements(connection: Connection) {
  const { orm } = connection;
  const { key, storedAt, runs } = hookRuns;
  const rows = orm.select({ key, storedAt }).from(hookRuns);
  const ofThreads = orm.select({ key: threads.key, at: threads.createdAt }).from(threads);
  const below = lt(key, slot('below'));
  const through = lte(threads.key, slot('through'));
  const sizes = orm.select({ key, size: sql`length(${runs})` }).from(hookRuns);
  const limit = slot('limit');
  type Pair = [number, number];
  return {
    first: rawStatement<[limit: number], Pair>(connection, sizes.orderBy(asc(key)).limit(limit)),
    lastBelow: rawStatement<[below: number, limit: number], Pair>(
      connection,
      orm.select({ key, storedAt }).from(hookRuns).where(below).orderBy(desc(key)).limit(limit),
    ),
    rowAt: rawStatement<[key: number], Pair>(connection, rows.where(eq(key, slot('key')))),
    threadAt: rawStatement<[through: number, limit: number], Pair>(
      connection,
      ofThreads.where(through).orderBy(desc(threads.key)).limit(limit),
    ),
    threadCount: rawStatement<[through: number], [number]>(
      connection,
      orm.select({ n: count() }).from(threads).where(through),
    ),
  };
}
