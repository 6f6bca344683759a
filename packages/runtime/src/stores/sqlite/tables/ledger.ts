import { and, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { matchesFilter } from '../../ledger-filter.ts';
import type { LedgerEntry, LedgerFilter } from '../../store.ts';
import { type Connection, rawStatement } from '../file/connection.ts';
import { readableOnes } from '../schema/damaged.ts';
import { hookRuns, threads } from '../schema/schema.ts';
import { decodeText, encodeText } from '../schema/text.ts';
import { listForms } from './packed-runs.ts';
import { decodeRuns, type RunRow } from './run-row.ts';

/** The ledger of one file. */
export interface LedgerTable {
  add(thread: number, row: RunRow): void;
  list(filter: LedgerFilter): LedgerEntry[];
}

const slot = sql.placeholder;

/** Prepares the statements over `hook_runs`; the insert is raw, because it goes with most messages. */
export function prepareLedger(connection: Connection): LedgerTable {
  const { orm, client, onUnreadable } = connection;
  const columns = { thread: slot('thread'), turnId: slot('turnId'), step: slot('step'), runs: slot('runs') };
  const add = rawStatement<[number, string | Buffer | null, number, string]>(
    connection,
    orm.insert(hookRuns).values(columns),
  );

  return {
    add: (thread, { turnId, step, runs }) => {
      add.run(thread, turnId === null ? null : encodeText(turnId), step, runs);
    },
    list(filter) {
      const { limit = Number.POSITIVE_INFINITY } = filter;
      const { sql: text, params } = newestFirst(orm, filter).toSQL();
      const found: LedgerEntry[] = [];
      if (limit === 0) return found;
      const rows = client
        .prepare(text)
        .raw()
        .iterate(...params) as Iterable<LedgerRow>;
      for (const row of rows) {
        const entries = readableOnes([row], decodeEntries, onUnreadable).flat();
        found.push(...entries.filter((entry) => matchesFilter(entry, filter)).reverse());
        if (found.length >= limit) break;
      }
      return found.slice(0, limit).reverse();
    },
  };
}

function decodeEntries([threadId, turnId, step, runs]: LedgerRow): LedgerEntry[] {
  const row = { turnId: turnId === null ? null : decodeText(turnId), step, runs };
  return decodeRuns(row, decodeText(threadId));
}

type LedgerRow = [threadId: string | Buffer, turnId: string | Buffer | null, step: number, runs: string];

/** The rows that can hold entries a filter asks for: each text it names occurs in the row's JSON. */
function newestFirst(orm: Connection['orm'], { threadId, turnId, hook, id, outcome }: LedgerFilter) {
  const named = [listForms(hook), id === undefined ? undefined : [id], listForms(outcome)].filter(
    (forms) => forms !== undefined,
  );
  const conditions: (SQL | undefined)[] = named.map((forms) => or(...forms.map(standsIn)));
  if (threadId !== undefined) conditions.push(eq(threads.id, threadId));
  if (turnId !== undefined)
    conditions.push(turnId === null ? isNull(hookRuns.turnId) : eq(hookRuns.turnId, turnId));
  return orm
    .select({ threadId: threads.id, turnId: hookRuns.turnId, step: hookRuns.step, runs: hookRuns.runs })
    .from(hookRuns)
    .innerJoin(threads, eq(threads.key, hookRuns.thread))
    .where(and(...conditions))
    .orderBy(desc(hookRuns.key));
}

function standsIn(text: string): SQL {
  return sql`instr(${hookRuns.runs}, ${JSON.stringify(text)}) > 0`;
}
