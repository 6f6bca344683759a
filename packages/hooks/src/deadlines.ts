import pTimeout from 'p-timeout';
import type { Clock } from './clock.ts';

/** Something that must end by a time, which may move. */
export interface Deadline {
  /** When, in the clock's milliseconds; infinite while there is none. After moving it, call {@link Deadlines.moved}. */
  at: number;
  /** Its place in the list; the list's own. */
  slot: number;
  /** Called once the time has come, again if it is not moved then. */
  expire(): void;
}

export interface Deadlines {
  add(deadline: Deadline): void;
  moved(deadline: Deadline): void;
  remove(deadline: Deadline): void;
}

/** What Node's timers have and a browser's have not. */
interface Referable {
  ref?(): void;
  unref?(): void;
}

/**
 * One p-timeout for all the deadlines of an executor. Called for each hook it would take longer than all the rest of a
 * run, as it captures a stack and arms a timer; called for each chain, still a tenth of that.
 *
 * D1 The timer is never later than the earliest deadline. It may be earlier: then it finds nothing due, and is set anew.
 * D2 A deadline that moves later or goes away touches no timer; that is what makes a chain cheap.
 * D3 The timer keeps the process alive exactly while there are deadlines.
 * D4 The list has no order: what goes away leaves its slot to the last one. A `Set` would take ten times as long.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const waiting: Deadline[] = [];
  let timer: unknown;
  let timeout: { clear(): void } | undefined;
  let firesAt = Number.POSITIVE_INFINITY;

  const customTimers = {
    setTimeout(callback: () => void, ms: number): unknown {
      timer = clock.setTimeout(callback, ms);
      return timer;
    },
    clearTimeout: (armed: unknown) => clock.clearTimeout(armed),
  } as never;

  const isWaiting = (deadline: Deadline): boolean => waiting[deadline.slot] === deadline;

  function arm(at: number): void {
    timeout?.clear();
    firesAt = at;
    const milliseconds = Math.max(1, Math.ceil(at - clock.now()));
    timeout = pTimeout(new Promise<void>(() => {}), { milliseconds, customTimers, fallback: fire });
  }

  function fire(): void {
    timer = undefined;
    firesAt = Number.POSITIVE_INFINITY;
    const now = clock.now();
    for (const deadline of [...waiting]) if (deadline.at <= now && isWaiting(deadline)) deadline.expire();
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of waiting) if (at < next) next = at;
    if (next < firesAt) arm(next);
  }

  return {
    add(deadline) {
      deadline.slot = waiting.push(deadline) - 1;
      if (waiting.length === 1) (timer as Referable | undefined)?.ref?.();
      this.moved(deadline);
    },
    moved(deadline) {
      if (deadline.at < firesAt) arm(deadline.at);
    },
    remove(deadline) {
      if (!isWaiting(deadline)) return;
      const last = waiting.pop() as Deadline;
      if (last !== deadline) {
        waiting[deadline.slot] = last;
        last.slot = deadline.slot;
      }
      if (waiting.length === 0) (timer as Referable | undefined)?.unref?.();
    },
  };
}
