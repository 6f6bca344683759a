import { type Duration, describeWrongDuration, durationInMs } from '../duration.ts';
import { DefinitionError } from '../errors.ts';
import type { Clock } from '../executor/clock.ts';

/** A clock that stands still until a test moves it. */
export interface VirtualClock extends Clock {
  /**
   * Moves the time on, and with it everything that waits for it, in the order of its times. Between two of them, and
   * at both ends, what is ready to run runs. What waits for something real, such as a file, is not waited for.
   *
   * @throws {DefinitionError} `bad_option` for a duration that is none.
   */
  advance(duration: Duration): Promise<void>;
  /** Waits in this clock's time. For what a hook under test calls. Rejects with the signal's reason when it is aborted. */
  sleep(duration: Duration, signal?: AbortSignal): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A {@link VirtualClock} at 0 ms. */
export function virtualClock(): VirtualClock {
  let now = 0;
  const timers = new Set<Timer>();

  function earliest(until: number): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of timers)
      if (timer.at <= until && (found === undefined || timer.at < found.at)) found = timer;
    return found;
  }

  const clock: VirtualClock = {
    now: () => now,
    setTimeout(callback, ms) {
      const timer: Timer = { at: now + Math.max(0, ms), callback };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer as Timer),
    async advance(duration) {
      const until = now + milliseconds(duration);
      await everythingReady();
      for (let timer = earliest(until); timer !== undefined; timer = earliest(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.callback();
        await everythingReady();
      }
      now = Math.max(now, until);
    },
    sleep: (duration, signal) => sleepOn(clock, milliseconds(duration), signal),
  };
  return clock;
}

function milliseconds(duration: Duration): number {
  const ms = durationInMs(duration);
  if (ms !== undefined) return ms;
  throw new DefinitionError('bad_option', describeWrongDuration('The time of a virtual clock', duration));
}

/** The real one, even where a test framework puts another in its place later. */
const realSetTimeout = globalThis.setTimeout;

/** One turn of the event loop: every promise that can settle by itself does. */
function everythingReady(): Promise<void> {
  return new Promise((resolve) => void realSetTimeout(resolve, 0));
}

function sleepOn(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    clock.setTimeout(resolve, ms);
  });
}
