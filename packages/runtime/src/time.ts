let last = 0;

/** Microseconds since the epoch, as exact as the system's milliseconds; every call gives a later time than the one before. */
export function nowInMicros(): number {
  last = Math.max(last + 1, Date.now() * 1_000);
  return last;
}
