let last = 0;

/** Microseconds since the epoch; every call gives a later time than the one before. */
export function nowInMicros(): number {
  last = Math.max(last + 1, Math.floor((performance.timeOrigin + performance.now()) * 1_000));
  return last;
}
