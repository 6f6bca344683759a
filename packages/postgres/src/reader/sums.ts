import type { HookSums, RunBucket, RunFilter, SeriesQuery } from '@spec/hooks';
import { RunSeries, RunSums } from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import { countRuns, findKeys } from './run-rows.ts';
import { emptySnapshot, findNewKeys, type Snapshot, storedBetween, takeSnapshot } from './snapshots.ts';

// U1 The sums of the whole ledger are kept, and what was stored since is added: a look at a long ledger costs what is new.
// U2 They are made anew where something was removed: the first row is another one (the oldest were pruned), there are fewer of the threads that
//    there were, or the last row is gone.

/** What hooks did, by sums that follow the ledger. */
export interface Sums {
  stats(filter: RunFilter): Promise<readonly HookSums[]>;
  series(query: SeriesQuery): Promise<readonly RunBucket[]>;
}

/** Prepares the sums over one database. */
export function openSums(session: Session): Sums {
  const sumAll = keepSums(session);
  return {
    async stats(filter) {
      if (Object.values(filter).every((value) => value === undefined)) return sumAll();
      const sums = new RunSums();
      const keys = await findKeys(session, filter);
      if (keys !== undefined) await countRuns(session, { filter, keys }, (run) => sums.add(run));
      return sums.list();
    },
    async series(query) {
      const { buckets: _, ...filter } = query;
      const series = new RunSeries(query);
      const keys = await findKeys(session, filter);
      if (keys !== undefined) await countRuns(session, { filter, keys }, (run) => series.add(run));
      return series.list();
    },
  };
}

interface KeptSums {
  readonly sums: RunSums;
  /** What was counted. */
  readonly seen: Snapshot;
  /** What tells that something was removed. */
  readonly marks: Marks;
}

/** The first row with its size, the newest thread, how many threads there are up to it, and the last row. */
type Marks = readonly (number | null)[];

/** Sums up the whole ledger, as often as asked. */
function keepSums(session: Session): () => Promise<readonly HookSums[]> {
  const readMarks = markReader(session);
  let kept: KeptSums | undefined;
  let before: Promise<unknown> = Promise.resolve();

  async function bringUpToDate(): Promise<readonly HookSums[]> {
    const known = kept !== undefined && (await isWhole(kept.marks)) ? kept : undefined;
    kept = undefined; // If reading fails, what was half added is not used again.
    const { sums, seen } = known ?? { sums: new RunSums(), seen: emptySnapshot };
    const start = await readMarks();
    const now = await takeSnapshot(session);
    const keys = await findNewKeys(session, seen);
    const more = storedBetween(seen, now);
    if (keys !== undefined) await countRuns(session, { filter: {}, keys, more }, (run) => sums.add(run));
    const marks = await readMarks();
    if (await isWhole(start)) kept = { sums, seen: now, marks };
    return sums.list();
  }

  async function isWhole(marks: Marks): Promise<boolean> {
    return String(await readMarks(marks)) === String(marks);
  }

  return () => {
    const mine = before.then(bringUpToDate);
    before = mine.catch(() => {});
    return mine;
  };
}

/** Reads the marks of now, or what has become of those of an earlier moment. */
function markReader(session: Session): (of?: Marks) => Promise<Marks> {
  const read = session.prepare(`
    with newest as (select max(t.key) as key from $schema.threads t where t.key <= coalesce($1::bigint, t.key))
    select f.key::float8, f.size::float8, n.key::float8,
      (select count(*) from $schema.threads t where t.key <= n.key)::float8,
      (select max(r.key) from $schema.hook_runs r where r.key <= coalesce($2::bigint, r.key))::float8
    from newest n left join (
      select r.key, octet_length(r.runs) as size from $schema.hook_runs r order by r.key limit 1) f on true`);
  return async ([, , newest = null, , last = null] = []) =>
    (await session.ask(read, [newest, last]))[0] as Marks;
}
