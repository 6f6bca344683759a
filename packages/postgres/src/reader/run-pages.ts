import type { Page, RecordedRun, RunQuery } from '@spec/hooks';
import type { LedgerEntry } from '@spec/runtime';
import { cutRange, findEnd, matchesFilter, takeFirst, withoutValues } from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import type { RunColumns } from '../methods/ledger-rows.ts';
import { readKey, writeCursor } from './cursors.ts';
import { decodeRow, findKeys, lastKey, readRows, rowsAtOnce } from './run-rows.ts';

/** So that a small page of few matches does not end before the first of them. */
const rowsAtLeast = 50;

/** The most keys that one page passes where it looks for rows of all threads. */
const keysAtOnce = 20_000;

/** A page of runs. Its cursor is the key where it ended. */
export async function pageRuns(session: Session, query: RunQuery): Promise<Page<RecordedRun>> {
  const { order, size, cursor, ...filter } = query;
  const end = cursor === undefined ? undefined : readKey(cursor);
  const all = (await findKeys(session, filter)) ?? { from: 0, below: 0 };
  const keys = cutRange(all, order, end);
  if (size === 0 || keys.from >= keys.below) return { items: [], next: null };
  const window = filter.threadId === undefined ? takeFirst(keys, order, keysAtOnce) : keys;
  const limit = Math.min(rowsAtOnce, Math.max(size, rowsAtLeast));
  const rows = await readRows(session, { ...window, filter, order, limit });
  const items: RecordedRun[] = [];
  for (const row of rows) {
    const matching = decodeRow(session, row).filter((run) => matchesFilter(run, filter));
    items.push(...(order === 'newest' ? matching.toReversed() : matching).map(withoutValues));
    if (items.length >= size) return { items, next: writeCursor([row[0]]) };
  }
  const next = rows.length === limit ? lastKey(rows) : findEnd({ window, keys, order });
  return { items, next: next === null ? null : writeCursor([next]) };
}

/** The runs of one moment, with their values. */
export async function listRunsAt(session: Session, at: number): Promise<readonly LedgerEntry[]> {
  const filter = { since: at, until: at + 1 };
  const keys = await findKeys(session, filter);
  const found: LedgerEntry[] = [];
  for (let from = keys?.from ?? 0, below = keys?.below ?? 0; from < below; ) {
    const rows: readonly RunColumns[] = await readRows(session, { from, below, filter });
    for (const row of rows)
      found.push(...decodeRow(session, row).filter((run) => matchesFilter(run, filter)));
    from = rows.length < rowsAtOnce ? below : lastKey(rows) + 1;
  }
  return found;
}
