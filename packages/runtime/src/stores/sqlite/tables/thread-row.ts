import { type ColumnPlace, damaged, recordIn } from '../../rows/damaged.ts';
import type { ThreadChanges, ThreadRecord } from '../../store.ts';
import { openTurns, threads } from '../schema/schema.ts';
import { makeRowCheck } from './row-checks.ts';

/** The columns of `threads` without the key, and the thread's turn in `open_turns`. */
export interface ThreadColumns extends Omit<typeof threads.$inferSelect, 'key'> {
  /** `null` while no turn is open. */
  turnId: string | null;
  form: number | null;
}

/** Changes to a thread as columns; `undefined` leaves a column as it is. */
export interface ThreadUpdates {
  turnId: string | null | undefined;
  form: number | null;
  compaction: string | null | undefined;
  currentSide: ThreadRecord['currentSide'] | undefined;
  terminated: string | null | undefined;
  metadata: string | undefined;
}

/** The columns of a thread. */
export function encodeThread(record: ThreadRecord): ThreadColumns {
  const { turn, compaction, metadata, ...columns } = record;
  return {
    ...columns,
    turnId: turn?.id ?? null,
    form: turn?.form ?? null,
    compaction: encodeCompaction(compaction),
    metadata: JSON.stringify(metadata),
  };
}

/** The columns that changes may write. */
export function encodeChanges(changes: ThreadChanges): ThreadUpdates {
  const { turn, compaction, currentSide, terminated, metadata } = changes;
  return {
    turnId: turn === undefined ? undefined : (turn?.id ?? null),
    form: turn?.form ?? null,
    compaction: compaction === undefined ? undefined : encodeCompaction(compaction),
    currentSide,
    terminated,
    metadata: metadata && JSON.stringify(metadata),
  };
}

/** With the key of its row in `open_turns`, if there is one. */
export type ReadThreadRow = ThreadColumns & { key: number; turnOf: number | null };

/** The thread in a row. @throws RunError `store_unreadable` */
export function decodeThread(row: ReadThreadRow): ThreadRecord {
  checkRow(row, () => describeThread(row));
  if (row.turnOf !== null) checkTurn({ turnId: row.turnId, form: row.form }, () => describeThread(row));
  const { key, turnOf, turnId, form, compaction, metadata, ...record } = row;
  const place = (column: string): ColumnPlace => ({ table: 'threads', row: `thread ${record.id}`, column });
  return {
    ...record,
    turn: turnId === null ? null : form === null ? { id: turnId } : { id: turnId, form },
    compaction: compaction === null ? null : compactionIn(compaction, place('compaction')),
    metadata: recordIn(metadata, place('metadata')),
  };
}

const checkRow = makeRowCheck(threads, 'threads');
const checkTurn = makeRowCheck(openTurns, 'open_turns');

function describeThread({ id, key }: { id: unknown; key: number }): string {
  return typeof id === 'string' ? `thread ${id}` : `the thread with the key ${key}`;
}

function compactionIn(text: string, place: ColumnPlace): CompactionRecord {
  const { summaryId, throughId } = recordIn(text, place);
  if (typeof summaryId !== 'string' || typeof throughId !== 'string') throw damaged(place);
  return { summaryId, throughId };
}

type CompactionRecord = NonNullable<ThreadRecord['compaction']>;

function encodeCompaction(compaction: ThreadRecord['compaction']): string | null {
  if (compaction === null) return null;
  const { summaryId, throughId } = compaction;
  return JSON.stringify({ summaryId, throughId });
}
