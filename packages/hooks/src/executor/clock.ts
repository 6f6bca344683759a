/** Time as the executor sees it; tests give it one that they move by hand. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  /** For how many milliseconds up to now the event loop has been at work, where that can be told. */
  busyMs?(): number;
}

/** What Node's `performance` has and a browser's has not. */
interface LoopWatch {
  eventLoopUtilization?(): { readonly active: number };
}

/** The real one. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  busyMs: () => (performance as LoopWatch).eventLoopUtilization?.().active ?? 0,
};
