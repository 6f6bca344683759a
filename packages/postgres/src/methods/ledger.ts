import type { TurnMark } from '@spec/hooks';
import type { LedgerEntry, LedgerFilter } from '@spec/runtime';
import {
  BEGINS_WITH_MARKS,
  decodeMarks,
  matchesFilter,
  readableOnes,
  type StoreDriver,
} from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import { decodeOrNull, decodeText, encodeText } from '../texts.ts';
import { filterRows, type RunColumns, readRuns, runColumns, runSource } from './ledger-rows.ts';

/** The methods that read the ledger. */
export type LedgerMethods = Required<Pick<StoreDriver, 'listRuns' | 'pageRuns' | 'listMarks'>>;

/** How many rows are read at once when nobody knows how many match. */
const rowsAtOnce = 1_000;

/** The marks in a row. @throws RunError `store_unreadable` */
function readMarks([, threadId, turnId, step, runs]: RunColumns): TurnMark[] {
  return decodeMarks({ turnId: decodeOrNull(turnId), step, runs }, decodeText(threadId));
}

/** Prepares the statements over the ledger. */
export function ledgerMethods(session: Session): LedgerMethods {
  return {
    async pageRuns({ threadId, from, size }) {
      const values: unknown[] = [from, size];
      const isThread = threadId === undefined ? '' : ` and t.id = $${values.push(encodeText(threadId))}`;
      const page = session.prepare(
        `select ${runColumns} from ${runSource} where r.key > $1::bigint${isThread} order by r.key limit $2::bigint`,
      );
      const found = (await session.ask(page, values)) as RunColumns[];
      const runs: LedgerEntry[] = [];
      for (const row of found) {
        runs.push(...readRuns(row));
        if (runs.length >= size) return { runs, next: row[0] };
      }
      return { runs, next: null };
    },
    async listMarks(threadId, turnId) {
      const values: unknown[] = [encodeText(threadId)];
      const isTurn = turnId === undefined ? '' : ` and r.turn_id = $${values.push(encodeText(turnId))}`;
      const list = session.prepare(
        `select ${runColumns} from ${runSource} where t.id = $1${isTurn} and r.runs like '${BEGINS_WITH_MARKS}%' order by r.key`,
      );
      const rows = (await session.ask(list, values)) as RunColumns[];
      return rows.flatMap((row) => readableOnes([row], readMarks, session.settings.onUnreadable).flat());
    },
    async listRuns(filter) {
      const { limit = Number.POSITIVE_INFINITY } = filter;
      const found: LedgerEntry[] = [];
      let below: number | null = null;
      while (found.length < limit) {
        const rows: readonly RunColumns[] = await readNewest(session, filter, below);
        for (const row of rows) {
          const runs = readableOnes([row], readRuns, session.settings.onUnreadable).flat();
          found.push(...runs.filter((run) => matchesFilter(run, filter)).reverse());
        }
        if (rows.length < rowsAtOnce) break;
        below = rows.at(-1)?.[0] ?? 0;
      }
      return found.slice(0, limit).reverse();
    },
  };
}

/** Reads rows that may match a filter, newest first, with keys below the given one. */
async function readNewest(
  session: Session,
  filter: LedgerFilter,
  below: number | null,
): Promise<readonly RunColumns[]> {
  const values: unknown[] = [];
  const conditions = [...filterRows(filter, values)];
  if (below !== null) conditions.push(`r.key < $${values.push(below)}::bigint`);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const list = session.prepare(
    `select ${runColumns} from ${runSource} ${where} order by r.key desc limit ${rowsAtOnce}`,
  );
  return (await session.ask(list, values)) as RunColumns[];
}
