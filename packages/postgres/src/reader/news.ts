import type { Cursor, NewRuns, RunFilter } from '@spec/hooks';
import { matchesFilter, withoutValues } from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import { noCursor } from './cursors.ts';
import { decodeRow, findKeys, lastKey, readRows, rowsAtOnce } from './run-rows.ts';
import {
  checkSnapshot,
  emptySnapshot,
  findNewKeys,
  type Snapshot,
  storedBetween,
  takeSnapshot,
} from './snapshots.ts';

/** Where somebody who asks for news is. */
interface Place {
  /** What is stored in it is known. */
  readonly seen: Snapshot;
  /** Only runs at this time or later. */
  readonly since?: number;
  /** In the middle of what was stored by a snapshot: the keys that are left. */
  readonly rest?: { readonly now: Snapshot; readonly from: number };
}

/** The cursor of now, or of a time. */
export async function cursorAt(session: Session, time: number | undefined): Promise<Cursor> {
  return time === undefined
    ? writePlace({ seen: await takeSnapshot(session) })
    : writePlace({ seen: emptySnapshot, since: time });
}

/** What was stored after a cursor. */
export async function readNews(session: Session, cursor: Cursor, filter: RunFilter): Promise<NewRuns> {
  const { seen, since, rest } = readPlace(cursor);
  const now = rest?.now ?? (await takeSnapshot(session));
  const ofTime = since === undefined ? {} : { since };
  const keys = await (since === undefined ? findNewKeys(session, seen) : findKeys(session, ofTime));
  const from = Math.max(keys?.from ?? 0, rest?.from ?? 0);
  const wanted = since === undefined ? filter : { ...filter, since: Math.max(since, filter.since ?? since) };
  const more = storedBetween(seen, now);
  const rows =
    keys === undefined ? [] : await readRows(session, { from, below: keys.below, filter: wanted, more });
  const runs = rows.flatMap((row) => decodeRow(session, row).filter((run) => matchesFilter(run, wanted)));
  const isCut = rows.length === rowsAtOnce;
  return {
    runs: runs.map(withoutValues),
    cursor: writePlace(isCut ? { seen, ...ofTime, rest: { now, from: lastKey(rows) + 1 } } : { seen: now }),
    hasMore: isCut || rest !== undefined,
  };
}

function writePlace({ seen, since, rest }: Place): Cursor {
  return [seen, since ?? '', ...(rest === undefined ? [] : [rest.now, rest.from])].join('/');
}

/** @throws RunError `invalid_input` */
function readPlace(cursor: Cursor): Place {
  const [seen = '', since, now, from, ...others] = typeof cursor === 'string' ? cursor.split('/') : [];
  if (since === undefined || others.length > 0) throw noCursor();
  const isTimed = since !== '' && Number.isFinite(Number(since));
  if (since !== '' && !isTimed) throw noCursor();
  const place = { seen: checkSnapshot(seen), ...(isTimed && { since: Number(since) }) };
  if (now === undefined) return place;
  if (!/^\d{1,16}$/.test(from ?? '')) throw noCursor();
  return { ...place, rest: { now: checkSnapshot(now), from: Number(from) } };
}
