let last = 0;

/** Microseconds since the epoch, as exact as the system's milliseconds; every call gives a later time than the one before. */
export function nowInMicros(): number {
  last = Math.max(last + 1, Date.now() * 1_000);
  return last;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A timer that keeps no process alive; not every platform's can be told so. */
export function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?(): void }).unref?.();
  return timer;
}
