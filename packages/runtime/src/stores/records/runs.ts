import {
  type Cursor,
  type NewRuns,
  type Page,
  type RecordedRun,
  RunError,
  type RunFilter,
  type RunQuery,
} from '@spec/hooks';
import { matchesFilter } from '../ledger-filter.ts';
import { withoutValues } from '../record-cards.ts';
import type { LedgerEntry, LedgerFilter, Store } from '../store.ts';

// R1 A cursor names the run where a page ended: its time, and a number made of its names. So it stands where it stood while others are stored or pruned.
// R2 Newest runs are asked for with a limit that grows until that run is among them.
// R3 Where it is gone, it was pruned, and all older ones with it: the newest first end there, the oldest first begin with what is left.
// R4 What is new is told twice rather than not at all.

const firstLimit = 1_000;
const growth = 4;

/** A page of runs, in the order of the commits or against it. */
export async function pageRunsOfStore(store: Store, query: RunQuery): Promise<Page<RecordedRun>> {
  const { order, size, cursor, ...filter } = query;
  const end = cursor === undefined ? undefined : readMark(cursor);
  if (size === 0) return { items: [], next: null };
  const found =
    order === 'newest' ? await readOlder(store, filter, { end, size }) : await readNewer(store, filter, end);
  const items = found.slice(0, size).map(withoutValues);
  const last = items.at(-1);
  return { items, next: last === undefined || found.length <= size ? null : writeMark(last) };
}

/** At least `size` runs and one more, if there are, before the one where a page ended, the newest first. */
async function readOlder(
  store: Store,
  filter: LedgerFilter,
  { end, size }: { readonly end: Mark | undefined; readonly size: number },
): Promise<readonly LedgerEntry[]> {
  for (let limit = Math.max(firstLimit, size + 1); ; limit *= growth) {
    const runs = (await store.listRuns({ ...filter, limit })).reverse();
    const from = end === undefined ? 0 : runs.findIndex((run) => isMarked(run, end)) + 1;
    const isFound = end === undefined || from > 0;
    if (isFound && runs.length - from > size) return runs.slice(from);
    if (runs.length < limit) return isFound ? runs.slice(from) : [];
  }
}

/** All runs after the one where a page ended, the oldest first. */
async function readNewer(
  store: Store,
  filter: LedgerFilter,
  end: Mark | undefined,
): Promise<readonly LedgerEntry[]> {
  const runs = await store.listRuns(filter);
  return end === undefined ? runs : runs.slice(runs.findLastIndex((run) => isMarked(run, end)) + 1);
}

/** The cursor of the newest run; of a time, one that no run has. */
export async function readCursorAt(store: Store, time: number | undefined): Promise<Cursor> {
  if (time !== undefined) return `${Math.ceil(time)}.0`;
  const [newest] = await store.listRuns({ limit: 1 });
  return newest === undefined ? '0.0' : writeMark(newest);
}

/** What was stored after a cursor. */
export async function readNewRuns(store: Store, cursor: Cursor, filter: RunFilter): Promise<NewRuns> {
  const mark = readMark(cursor);
  const runs = await (mark.names === 0 ? store.listRuns({ since: mark.at }) : readAfter(store, mark));
  const last = runs.at(-1);
  return {
    runs: runs.filter((run) => matchesFilter(run, filter)).map(withoutValues),
    cursor: last === undefined ? cursor : writeMark(last),
    hasMore: false,
  };
}

async function readAfter(store: Store, mark: Mark): Promise<readonly LedgerEntry[]> {
  for (let limit = firstLimit; ; limit *= growth) {
    const runs = await store.listRuns({ limit });
    const at = runs.findLastIndex((run) => isMarked(run, mark));
    if (at >= 0 || runs.length < limit) return runs.slice(at + 1);
  }
}

/** The run where a page ended. */
interface Mark {
  readonly at: number;
  readonly names: number;
}

function isMarked(run: LedgerEntry, { at, names }: Mark): boolean {
  return run.at === at && hashNames(run) === names;
}

function writeMark(run: RecordedRun): Cursor {
  return `${run.at}.${hashNames(run)}`;
}

/** @throws {RunError} `invalid_input` */
function readMark(cursor: Cursor): Mark {
  const [, at, names] = /^(\d+)\.(\d+)$/.exec(String(cursor)) ?? [];
  if (at === undefined || names === undefined)
    throw new RunError('invalid_input', 'cursor must be one that the records gave');
  return { at: Number(at), names: Number(names) };
}

/** Never 0: that is a time. */
function hashNames({ threadId, turnId, hook, id, step }: RecordedRun): number {
  return hashText(JSON.stringify([threadId, turnId, hook, id, step])) || 1;
}

/** FNV-1a: 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
