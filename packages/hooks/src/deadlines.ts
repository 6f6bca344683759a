import type { Clock } from './clock.ts';

/** Something that must end by a time, which may move. */
export interface Deadline {
  /** When, in the clock's milliseconds. After moving it to an earlier time, call {@link Deadlines.moved}. */
  at: number;
  readonly passed: () => void;
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
 * One timer for all the deadlines of an executor.
 *
 * D1 The timer is never later than the earliest deadline. It may be earlier: then it finds nothing due, and is set anew.
 * D2 A deadline that moves later or goes away touches no timer; that is what makes a chain cheap.
 * D3 The timer keeps the process alive exactly while there are deadlines.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const waiting = new Set<Deadline>();
  let timer: unknown;
  let firesAt = Number.POSITIVE_INFINITY;

  function arm(at: number): void {
    if (timer !== undefined) clock.clearTimeout(timer);
    firesAt = at;
    timer = clock.setTimeout(fire, Math.max(0, Math.ceil(at - clock.now())));
  }

  function fire(): void {
    timer = undefined;
    firesAt = Number.POSITIVE_INFINITY;
    const now = clock.now();
    for (const deadline of [...waiting]) if (deadline.at <= now) deadline.passed();
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of waiting) if (at < next) next = at;
    if (next < firesAt) arm(next);
  }

  return {
    add(deadline) {
      waiting.add(deadline);
      if (deadline.at < firesAt) arm(deadline.at);
      else if (waiting.size === 1) (timer as Referable | undefined)?.ref?.();
    },
    moved(deadline) {
      if (deadline.at < firesAt) arm(deadline.at);
    },
    remove(deadline) {
      if (waiting.delete(deadline) && waiting.size === 0) (timer as Referable | undefined)?.unref?.();
    },
  };
}
