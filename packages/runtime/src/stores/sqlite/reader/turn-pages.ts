import type { Page, TurnCard, TurnPageQuery, TurnRecord } from '@spec/hooks';
import { desc } from 'drizzle-orm';
import { TurnSum, withoutValues } from '../../record-cards.ts';
import { readableOnes } from '../../rows/damaged.ts';
import { unpackForSums } from '../../rows/packed-runs.ts';
import { decodeMarks, decodeRuns } from '../../rows/run-row.ts';
import type { Connection } from '../file/connection.ts';
import { type LedgerRow, selectRows } from '../tables/ledger-rows.ts';
import { readKey } from './run-pages.ts';

/** Rows that are read at once: as many as so many turns mostly have, and at most. */
const rowsOfTurn = 5;
const rowsAtOnce = 500;
const turnsAtOnce = 200;

/** Reads the turns of one thread, by its key. */
export interface TurnPages {
  turns(thread: number, query: TurnPageQuery): Page<TurnCard>;
  turn(thread: number, turnId: string): TurnRecord;
}

/** Prepares nothing in advance, because people ask seldom. */
export function turnPages({ orm, onUnreadable }: Connection): TurnPages {
  const readRows = (thread: number, below: number, most: number): LedgerRow[] =>
    selectRows(orm, { thread, from: 0, below }, desc).limit(most).all();
  return {
    turns(thread, { size, cursor }) {
      const limit = Math.min(size, turnsAtOnce);
      const found: TurnSum[] = [];
      let below = cursor === undefined ? Number.MAX_SAFE_INTEGER : readKey(cursor);
      const most = Math.min(rowsAtOnce, limit * rowsOfTurn);
      if (limit === 0) return { items: [], next: null };
      for (;;) {
        const rows = readRows(thread, below, most);
        for (const row of rows) {
          const isOther = row.turnId !== null && row.turnId !== found.at(-1)?.turnId;
          if (isOther && found.length === limit)
            return { items: found.map((sum) => sum.card()), next: String(below) };
          below = row.key;
          if (row.turnId === null) continue;
          if (isOther) found.push(new TurnSum(row.turnId));
          addRow(found.at(-1) as TurnSum, row);
        }
        if (rows.length < most) return { items: found.map((sum) => sum.card()), next: null };
      }
    },
    turn(thread, turnId) {
      const rows = selectRows(
        orm,
        { thread, from: 0, below: Number.MAX_SAFE_INTEGER, filter: { turnId } },
        desc,
      )
        .all()
        .reverse();
      return {
        runs: readableOnes(rows, readRuns, onUnreadable).flat(),
        marks: readableOnes(rows, readMarks, onUnreadable).flat(),
      };
    },
  };

  function addRow(sum: TurnSum, row: LedgerRow): void {
    const [marks] = readableOnes([row], readMarks, onUnreadable);
    if (marks === undefined) return; // The row is damaged.
    for (const mark of marks) sum.addMark(mark);
    const runs = unpackForSums(row.runs) ?? readableOnes([row], readRuns, onUnreadable).flat();
    for (const run of runs) sum.addRun(run);
  }
}

const readRuns = ({ threadId, ...row }: LedgerRow) => decodeRuns(row, threadId).map(withoutValues);
const readMarks = ({ threadId, ...row }: LedgerRow) => decodeMarks(row, threadId);
