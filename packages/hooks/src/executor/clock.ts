/** The source of time for the executor. Tests pass a clock that they advance by hand. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  /** Total milliseconds that the event loop has been busy, on platforms that measure it. */
  busyMs?(): number;
}

/** The part of `performance` that Node has and browsers lack. */
interface LoopWatch {
  eventLoopUtilization?(): { readonly active: number };
}

/** The real time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  busyMs: () => (performance as LoopWatch).eventLoopUtilization?.().active ?? 0,
};
