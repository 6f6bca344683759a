import type { Duration } from '@spec/hooks';

/** A time ago: `'90s'`, `'15m'`, `'12h'`, `'30d'`; a number is milliseconds. */
export type Age = Duration;

/** When that was, in microseconds since the epoch. */
export function microsAgo(ms: number): number {
  return (Date.now() - ms) * 1_000;
}
