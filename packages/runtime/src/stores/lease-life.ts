/** The times of a lease. `readAt` is the time of the clock that leases go by, if that is not the clock of this process. */
export interface LeaseTimes {
  readonly expiresAt: number;
  readonly ttlMs: number | null;
  readonly readAt?: number | undefined;
}

/**
 * How long a lease still lives, in milliseconds; 0 if it has expired. A lease with more than twice its length left also counts as expired: a
 * clock ahead of this one made it. Smaller differences of clocks are tolerated, so that a living writer keeps its thread.
 */
export function measureLife({ expiresAt, ttlMs, readAt = Date.now() }: LeaseTimes): number {
  const left = expiresAt - readAt;
  return ttlMs !== null && left > 2 * ttlMs ? 0 : Math.max(0, left);
}

/** Whether a stored lease has an owner and still lives. */
export function isLive(lease: LeaseTimes & { readonly owner: string | null }): boolean {
  return lease.owner !== null && measureLife(lease) > 0;
}
