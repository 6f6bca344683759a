import type { KeyRange } from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import { noCursor } from './cursors.ts';
import { findKeys, readRange } from './run-rows.ts';

// S1 A row says in `stored_in` which transaction stored it, and a snapshot says which transactions had ended at a moment. So what is new
//    since a snapshot is known exactly, also where a transaction with an older number ends later.
// S2 A replica does not say which transactions run. There, only what is older than all that run counts as stored.

/** The text of a snapshot: `xmin:xmax:`, and the transactions between them that ran. */
export type Snapshot = string;

/** The snapshot in which nothing is stored yet. */
export const emptySnapshot: Snapshot = '1:1:';

/** What is stored now. */
export async function takeSnapshot(session: Session): Promise<Snapshot> {
  const take = session.prepare(`
    select case when pg_is_in_recovery() then concat(pg_snapshot_xmin(s), ':', pg_snapshot_xmin(s), ':') else s::text end
    from pg_current_snapshot() s`);
  return String((await session.ask(take, []))[0]?.[0]);
}

/** The keys of the rows that were stored after a snapshot, found by `hook_runs_stored`; `undefined` if there are none. */
export async function findNewKeys(session: Session, seen: Snapshot): Promise<KeyRange | undefined> {
  if (seen === emptySnapshot) return findKeys(session, {});
  const find = session.prepare(`
    select min(r.key)::float8, max(r.key)::float8 from (
      select r.key from $schema.hook_runs r where r.stored_in >= pg_snapshot_xmin($1::pg_snapshot)
        and not pg_visible_in_snapshot(r.stored_in, $1::pg_snapshot) offset 0) r`);
  return readRange(await session.ask(find, [seen]));
}

/** Conditions on rows that were stored after one snapshot, and by another one. Appends their values. */
export function storedBetween(seen: Snapshot, now: Snapshot): (values: unknown[]) => readonly string[] {
  return (values) => {
    const after = `$${values.push(seen)}::pg_snapshot`;
    return [
      `r.stored_in >= pg_snapshot_xmin(${after})`,
      `not pg_visible_in_snapshot(r.stored_in, ${after})`,
      `pg_visible_in_snapshot(r.stored_in, $${values.push(now)}::pg_snapshot)`,
    ];
  };
}

/** @throws RunError `invalid_input` for a text that the server would not take */
export function checkSnapshot(text: string): Snapshot {
  const [, low = '', high = '', list = ''] = /^(\d{1,18}):(\d{1,18}):([\d,]*)$/.exec(text) ?? [];
  const running = list === '' ? [] : list.split(',');
  const all = [low, ...running].map(Number);
  const isSorted = all.every((one, i) => one >= (all[i - 1] ?? 1));
  if (low === '' || !isSorted || running.includes('') || Number(high) < Math.max(...all)) throw noCursor();
  if (running.some((one) => Number(one) >= Number(high))) throw noCursor();
  return text;
}
