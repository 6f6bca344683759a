import type { RunQuery } from '@spec/hooks';

// Pages of the ledger go by the keys of its rows: a page reads a window of the keys that are left, from the side that its order begins with.

/** Keys from one up to, but not including, another. */
export interface KeyRange {
  readonly from: number;
  readonly below: number;
}

type Order = RunQuery['order'];

/** The keys after the one that a page ended with. */
export function cutRange({ from, below }: KeyRange, order: Order, end: number | undefined): KeyRange {
  if (end === undefined) return { from, below };
  return order === 'newest'
    ? { from, below: Math.min(below, end) }
    : { from: Math.max(from, end + 1), below };
}

/** The first keys of a range, at most so many. */
export function takeFirst({ from, below }: KeyRange, order: Order, atOnce: number): KeyRange {
  return order === 'newest'
    ? { from: Math.max(from, below - atOnce), below }
    : { from, below: Math.min(below, from + atOnce) };
}

/** The key that a page ends with which has read all rows of a window; `null` if the window was the last. */
export function findEnd(read: {
  readonly window: KeyRange;
  readonly keys: KeyRange;
  readonly order: Order;
}): number | null {
  const { window, keys, order } = read;
  if (order === 'newest') return window.from > keys.from ? window.from : null;
  return window.below < keys.below ? window.below - 1 : null;
}
