/** What tells how long a lease lives; `readAt` is the time of the clock that it is kept by, where that is not this process's own. */
export interface LeaseTimes {
  readonly expiresAt: number;
  readonly ttlMs: number | null;
  readonly readAt?: number | undefined;
}

/**
 * How long a lease still lives, in milliseconds; 0 where it has run out. One that has more than twice its length to go was taken by a clock
 * that was ahead of this one, and has run out too; up to that, clocks may differ, or be set back, and a living writer keeps its thread.
 */
export function measureLife({ expiresAt, ttlMs, readAt = Date.now() }: LeaseTimes): number {
  const left = expiresAt - readAt;
  return ttlMs !== null && left > 2 * ttlMs ? 0 : Math.max(0, left);
}

/** A stored lease that somebody has, and that lives. */
export function isLive(lease: LeaseTimes & { readonly owner: string | null }): boolean {
  return lease.owner !== null && measureLife(lease) > 0;
}
