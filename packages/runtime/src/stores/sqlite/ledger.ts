import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { LedgerEntry, LedgerFilter } from '../../store.ts';
import { wantedCount } from '../counts.ts';
import { type Connection, rawStatement } from './connection.ts';
import { decodeRuns, type RunRow } from './run-row.ts';
import { hookRuns, threads } from './schema.ts';
import { decodeText, encodeText } from './text.ts';

/** The ledger of one file. */
export interface Ledger {
  add(thread: number, row: RunRow): void;
  list(filter: LedgerFilter): LedgerEntry[];
}

const slot = sql.placeholder;

/** Prepares the statements over `hook_runs`; the insert is raw, because it goes with most messages. */
export function ledgerOf(connection: Connection): Ledger {
  const { orm, client } = connection;
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
      const limit = wantedCount('limit', filter.limit);
      const { sql: text, params } = newestFirst(orm, filter).toSQL();
      const found: LedgerEntry[] = [];
      if (limit === 0) return found;
      for (const row of client
        .prepare(text)
        .raw()
        .iterate(...params) as Iterable<LedgerRow>) {
        const [threadId, turnId, step, runs] = row;
        const entries = decodeRuns(
          { turnId: turnId === null ? null : decodeText(turnId), step, runs },
          decodeText(threadId),
        );
        found.push(...entries.filter((entry) => matches(entry, filter)).reverse());
        if (limit > 0 && found.length >= limit) break;
      }
      return (limit > 0 ? found.slice(0, limit) : found).reverse();
    },
  };
}

type LedgerRow = [threadId: string | Buffer, turnId: string | Buffer | null, step: number, runs: string];

/** The rows that can hold entries a filter asks for: each text it names occurs in the row's JSON. */
function newestFirst(orm: Connection['orm'], { threadId, hook, id, outcome }: LedgerFilter) {
  const named = [hook, id, outcome].filter((text) => text !== undefined);
  const conditions: SQL[] = named.map((text) => sql`instr(${hookRuns.runs}, ${JSON.stringify(text)}) > 0`);
  if (threadId !== undefined) conditions.push(eq(threads.id, threadId));
  return orm
    .select({ threadId: threads.id, turnId: hookRuns.turnId, step: hookRuns.step, runs: hookRuns.runs })
    .from(hookRuns)
    .innerJoin(threads, eq(threads.key, hookRuns.thread))
    .where(and(...conditions))
    .orderBy(desc(hookRuns.key));
}

function matches(entry: LedgerEntry, { hook, id, outcome }: LedgerFilter): boolean {
  return (
    (hook === undefined || entry.hook === hook) &&
    (id === undefined || entry.id === id) &&
    (outcome === undefined || entry.outcome === outcome)
  );
}
