import { setImmediate } from 'node:timers/promises';
import { type Dropped, total } from '../../rows/run-row.ts';
import type { Retention } from '../../store.ts';
import type { Commits } from '../file/commits.ts';
import type { LedgerPages } from '../tables/ledger-pages.ts';

/** Removes old runs; returns how many. */
type Prune = (retention: Retention) => Promise<number>;

/** How many row keys one commit looks at. */
const span = 1_000;

/** What pruning works with. */
interface Pruned {
  commits: Commits;
  pages: LedgerPages;
  /** The time of the oldest run in each span of keys that was already read: a span that is still young is skipped. */
  oldest: Map<number, number>;
}

/**
 * Prunes one file's ledger piece by piece, one commit each, with a pause between them so that turns go on. If data was removed, its
 * bytes are erased too.
 */
export function pruning(commits: Commits, pages: LedgerPages): Prune {
  const pruned: Pruned = { commits, pages, oldest: new Map() };
  return async ({ before, keepBytes }) => {
    const byAge = before === undefined ? [] : await pruneByAge(pruned, before);
    const bySize = keepBytes === undefined ? [] : await pruneBySize(pruned, keepBytes);
    const { runs, data } = total([...byAge, ...bySize]);
    if (data) await commits.write(() => commits.erases());
    return runs;
  };
}

async function pruneByAge({ commits, pages, oldest }: Pruned, before: number): Promise<Dropped[]> {
  const all: Dropped[] = [];
  const ends = await commits.read(() => pages.ends());
  if (ends === null) return all;
  const lastSpan = Math.floor(ends.last / span);
  for (let index = Math.floor(ends.first / span); index <= lastSpan; index += 1) {
    if ((oldest.get(index) ?? Number.NEGATIVE_INFINITY) >= before) continue;
    const keys = { from: index * span - 1, through: (index + 1) * span - 1 };
    const dropped = await commits.write(() => pages.dropBefore(before, keys));
    if (index < lastSpan) oldest.set(index, dropped.oldest); // the last one still grows
    all.push(dropped);
    await setImmediate();
  }
  return all;
}

async function pruneBySize({ commits, pages }: Pruned, keepBytes: number): Promise<Dropped[]> {
  const newestToGo = await firstBeyond({ commits, pages }, keepBytes);
  const all: Dropped[] = [];
  if (newestToGo === null) return all;
  for (;;) {
    const dropped = await commits.write(() => pages.dropThrough(newestToGo));
    if (dropped.rows === 0) return all;
    all.push(dropped);
    await setImmediate();
  }
}

/** The key of the newest row that no longer fits; `null` if all fit. */
async function firstBeyond(
  { commits, pages }: Omit<Pruned, 'oldest'>,
  keepBytes: number,
): Promise<number | null> {
  let left = keepBytes;
  let below = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await commits.read(() => pages.sizes(below));
    for (const { key, bytes } of rows) {
      left -= bytes;
      if (left < 0) return key;
      below = key;
    }
    if (rows.length === 0) return null;
    await setImmediate();
  }
}
