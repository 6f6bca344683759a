import type { ThreadCore } from '../thread/core.ts';
import { unref } from '../time.ts';

/**
 * Forgets threads that an engine had this process open, once they have been idle for a while. Those that the application has opened, and those
 * that somebody listens to, stay.
 */
export class IdleThreads {
  readonly #ms: number;
  /** Since when a thread has been idle, the longest first. */
  readonly #since = new Map<ThreadCore, number>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param ms how long a thread may be idle */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** A turn of the thread has ended. */
  add(core: ThreadCore): void {
    this.#since.delete(core);
    this.#since.set(core, performance.now());
    this.#timer ??= unref(setInterval(() => this.#sweep(), this.#ms));
  }

  #sweep(): void {
    const before = performance.now() - this.#ms;
    for (const [core, since] of this.#since) {
      if (since > before) break;
      this.#since.delete(core);
      const isIdle = core.turns.running === undefined && !core.isHandled && !core.events.hasListeners;
      if (isIdle) core.close().catch(() => {}); // Its lease ends by itself.
    }
    if (this.#since.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
