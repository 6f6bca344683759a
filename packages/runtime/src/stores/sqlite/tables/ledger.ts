import type { TurnMark } from '@spec/hooks';
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { nowInMicros } from '../../../time.ts';
import { matchesFilter } from '../../ledger-filter.ts';
import { readableOnes } from '../../rows/damaged.ts';
import { decodeMarks, type RunRow } from '../../rows/run-row.ts';
import type { LedgerEntry, LedgerFilter } from '../../store.ts';
import { type Connection, rawStatement } from '../file/connection.ts';
import { hookRuns, messages, threads } from '../schema/schema.ts';
import { encodeText } from '../schema/text.ts';
import { nextKey } from './keys.ts';
import {
  decodeRawRow,
  keySearch,
  type RawLedgerRow,
  type LedgerRow as ReadRow,
  selectRows,
} from './ledger-rows.ts';
import { selectFamily } from './threads.ts';

/** The ledger of one file. */
export interface LedgerTable {
  /** Adds the rows of one commit. The first row gets the key of the commit's last message, if there is one. */
  add(thread: number, rows: readonly RunRow[], message: number | undefined): void;
  /** Called when a message is deleted: the runs of hooks on it stay. */
  keepWithout(message: number): void;
  /** Removes the runs of a thread and its descendants. Call it before their messages are deleted. */
  removeFamily(threadId: string): void;
  /** @param thread the key of the thread in the filter */
  list(filter: LedgerFilter, thread: number | undefined): LedgerEntry[];
  /** Of a thread, by its key. */
  listMarks(thread: number, turnId: string | undefined): TurnMark[];
}

/** A row's key with its `stored_at` and `longest`. */
type Newest = [key: number, storedAt: number, longest: number];

type AddedValues = [
  thread: number,
  storedAt: number,
  longest: number,
  turnId: string | Buffer | null,
  step: number,
  alone: 0 | 1,
  runs: string,
];

const slot = sql.placeholder;

/** Prepares the statements over `hook_runs`. Those that run with most messages are raw. */
export function prepareLedger(connection: Connection): LedgerTable {
  const { client, onUnreadable } = connection;
  const findKeys = keySearch(connection);
  const leave = rawStatement<[key: number]>(
    connection,
    connection.orm
      .update(hookRuns)
      .set({ alone: sql`1` })
      .where(eq(hookRuns.key, slot('key'))),
  );

  return {
    add: adding(connection),
    keepWithout(message) {
      leave.run(message);
    },
    removeFamily: removal(connection),
    list(filter, thread) {
      const { limit = Number.POSITIVE_INFINITY } = filter;
      const found: LedgerEntry[] = [];
      if (limit === 0) return found;
      const query = selectRows(connection.orm, { thread, filter, ...findKeys(filter) }, desc);
      const { sql: text, params } = query.toSQL();
      const rows = client
        .prepare(text)
        .raw()
        .iterate(...params) as Iterable<RawLedgerRow>;
      for (const row of rows) {
        const entries = readableOnes([row], decodeRawRow, onUnreadable).flat();
        found.push(...entries.filter((entry) => matchesFilter(entry, filter)).reverse());
        if (found.length >= limit) break;
      }
      return found.slice(0, limit).reverse();
    },
    listMarks(thread, turnId) {
      const filter = { hasMarks: true, ...(turnId === undefined ? {} : { turnId }) } as const;
      const rows = selectRows(
        connection.orm,
        { thread, filter, from: 0, below: Number.MAX_SAFE_INTEGER },
        asc,
      ).all();
      return rows.flatMap((row) => readableOnes([row], readMarks, onUnreadable).flat());
    },
  };
}

function adding(connection: Connection): LedgerTable['add'] {
  const { newest, add, addAlone } = insertions(connection);
  /**
   * The last row that this connection wrote: still the newest if the next key follows it. If it was rolled back, that does no harm;
   * see L1 of ledger-rows.ts.
   */
  let last: Newest | undefined;
  const readNewest = (): Newest => (newest.get(1) ?? [0, 0, 0]).map(finiteOrZero) as Newest;

  return (thread, rows, message) => {
    let [key, storedAt, longest] = last !== undefined && last[0] + 1 === message ? last : readNewest();
    for (const [index, { turnId, step, oldest, youngest, runs }] of rows.entries()) {
      storedAt = Math.max(storedAt, youngest, nowInMicros());
      longest = Math.max(longest, storedAt - oldest);
      const turn = turnId === null ? null : encodeText(turnId);
      if (index > 0 || message === undefined)
        key = Number(addAlone.run(thread, storedAt, longest, turn, step, 1, runs).lastInsertRowid);
      else {
        key = message;
        add.run(key, thread, storedAt, longest, turn, step, 0, runs);
      }
    }
    last = [key, storedAt, longest];
  };
}

function insertions(connection: Connection) {
  const { orm } = connection;
  const { storedAt, longest, key } = hookRuns;
  const columns = {
    thread: slot('thread'),
    storedAt: slot('storedAt'),
    longest: slot('longest'),
    turnId: slot('turnId'),
    step: slot('step'),
    alone: slot('alone'),
    runs: slot('runs'),
  };
  const insert = (of: SQL) => orm.insert(hookRuns).values({ key: of, ...columns });
  return {
    newest: rawStatement<[limit: number], Newest>(
      connection,
      orm.select({ key, storedAt, longest }).from(hookRuns).orderBy(desc(key)).limit(slot('limit')),
    ),
    add: rawStatement<[key: number, ...AddedValues]>(connection, insert(sql`${slot('key')}`)),
    addAlone: rawStatement<AddedValues>(connection, insert(nextKey)),
  };
}

function removal(connection: Connection): (threadId: string) => void {
  const { orm } = connection;
  const family = sql`(select ${threads.key} from ${threads} where ${threads.id} in (${selectFamily('id')}))`;
  const theirs = sql`(select ${messages.key} from ${messages} where ${messages.thread} in ${family})`;
  const withMessages = orm
    .delete(hookRuns)
    .where(and(eq(hookRuns.alone, 0), sql`${hookRuns.key} in ${theirs}`))
    .prepare();
  const alone = orm.delete(hookRuns).where(sql`alone = 1 and ${hookRuns.thread} in ${family}`).prepare();
  return (id) => {
    withMessages.run({ id });
    alone.run({ id });
  };
}

function readMarks({ threadId, ...row }: ReadRow): TurnMark[] {
  return decodeMarks(row, threadId);
}

/** A damaged number must not prevent new runs. */
function finiteOrZero(value: unknown): number {
  return Number.isFinite(value) ? (value as number) : 0;
}
