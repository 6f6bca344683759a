import type { Page, TurnCard, TurnPageQuery, TurnRecord } from '@spec/hooks';
import { desc } from 'drizzle-orm';
import { TurnSum, withoutValues } from '../../record-cards.ts';
import { readableOnes } from '../../rows/damaged.ts';
import { decodeMarks, decodeRuns } from '../../rows/run-row.ts';
import type { Connection } from '../file/connection.ts';
import { type LedgerRow, selectRows } from '../tables/ledger-rows.ts';
import { readKey } from './run-pages.ts';

const rowsAtOnce = 500;
const turnsAtOnce = 200;

/** Reads the turns of one thread, by its key. */
export interface TurnPages {
  turns(thread: number, query: TurnPageQuery): Page<TurnCard>;
  turn(thread: number, turnId: string): TurnRecord;
}

/** Prepares nothing in advance, because people ask seldom. */
export function turnPages({ orm, onUnreadable }: Connection): TurnPages {
  const readRows = (thread: number, below: number): LedgerRow[] =>
    selectRows(orm, { thread, from: 0, below }, desc).limit(rowsAtOnce).all();
  return {
    turns(thread, { size, cursor }) {
      const limit = Math.min(size, turnsAtOnce);
      const found: TurnSum[] = [];
      let below = cursor === undefined ? Number.MAX_SAFE_INTEGER : readKey(cursor);
      if (limit === 0) return { items: [], next: null };
      for (;;) {
        const rows = readRows(thread, below);
        for (const row of rows) {
          const isOther = row.turnId !== null && row.turnId !== found.at(-1)?.turnId;
          if (isOther && found.length === limit)
            return { items: found.map((sum) => sum.card()), next: String(below) };
          below = row.key;
          if (row.turnId === null) continue;
          if (isOther) found.push(new TurnSum(row.turnId));
          addRow(found.at(-1) as TurnSum, row);
        }
        if (rows.length < rowsAtOnce) return { items: found.map((sum) => sum.card()), next: null };
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
    for (const run of readableOnes([row], readRuns, onUnreadable).flat()) sum.addRun(run);
    for (const mark of readableOnes([row], readMarks, onUnreadable).flat()) sum.addMark(mark);
  }
}

const readRuns = ({ threadId, ...row }: LedgerRow) => decodeRuns(row, threadId).map(withoutValues);
const readMarks = ({ threadId, ...row }: LedgerRow) => decodeMarks(row, threadId);
