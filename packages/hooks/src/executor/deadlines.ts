import pTimeout, { type Options } from 'p-timeout';
import type { Clock } from './clock.ts';

/** Something that must end by a time, which may move. */
export interface Deadline {
  /** The time in the clock's milliseconds; infinite if there is none. After moving it, call {@link Deadlines.moved}. */
  at: number;
  /** Since when it waits, in the clock's milliseconds. */
  since: number;
  /** Its place in the list; the list's own. */
  slot: number;
  /** Moves it by what others took of its time. */
  postpone(ms: number): void;
  /** Called once the time has come, again if it is not moved then. */
  expire(): void;
}

export interface Deadlines {
  add(deadline: Deadline): void;
  moved(deadline: Deadline): void;
  remove(deadline: Deadline): void;
  /** Moves all by what others took of their time up to now. */
  settle(): void;
}

/** However many share a busy event loop, a fiftieth of the time is each one's own: what hangs ends in any case. */
const MOST_OF_OTHERS = 0.98;

/** Shorter stretches are not looked at, so that a deadline that is nearer than the others costs nothing. */
const SHORTEST_STRETCH_MS = 10;

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
 * D5 A deadline is about its own time: while the event loop is at work for many, each has its share of that, and all of what
 *    the loop stands idle. The loop is only looked at when the timer is set or fires.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const waiting: Deadline[] = [];
  let timer: unknown;
  let timeout: { clear(): void } | undefined;
  let firesAt = Number.POSITIVE_INFINITY;
  const nextStretch = watchLoop(clock);

  const customTimers = {
    setTimeout(callback: () => void, ms: number): unknown {
      timer = clock.setTimeout(callback, ms);
      return timer;
    },
    clearTimeout: (armed: unknown) => clock.clearTimeout(armed),
  } as NonNullable<Options<void>['customTimers']>;

  function arm(at: number): void {
    timeout?.clear();
    settle();
    firesAt = at;
    const milliseconds = Math.max(1, Math.ceil(at - clock.now()));
    timeout = pTimeout(new Promise<void>(() => {}), { milliseconds, customTimers, fallback: fire });
  }

  const settle = (): void => postponeAll(waiting, nextStretch(waiting.length));

  function fire(): void {
    timer = undefined;
    firesAt = Number.POSITIVE_INFINITY;
    const now = clock.now();
    settle();
    for (const deadline of [...waiting])
      if (deadline.at <= now && isAmong(waiting, deadline)) deadline.expire();
    const next = findEarliest(waiting);
    if (next < firesAt) arm(next);
  }

  return {
    settle,
    add(deadline) {
      deadline.slot = waiting.push(deadline) - 1;
      if (waiting.length === 1) (timer as Referable | undefined)?.ref?.();
      this.moved(deadline);
    },
    moved(deadline) {
      if (deadline.at < firesAt) arm(deadline.at);
    },
    remove(deadline) {
      if (!isAmong(waiting, deadline)) return;
      takeOut(waiting, deadline);
      if (waiting.length === 0) (timer as Referable | undefined)?.unref?.();
    },
  };
}

function isAmong(waiting: readonly Deadline[], deadline: Deadline): boolean {
  return waiting[deadline.slot] === deadline;
}

function takeOut(waiting: Deadline[], deadline: Deadline): void {
  const last = waiting.pop() as Deadline;
  if (last === deadline) return;
  waiting[deadline.slot] = last;
  last.slot = deadline.slot;
}

function findEarliest(waiting: readonly Deadline[]): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { at } of waiting) if (at < next) next = at;
  return next;
}

/** A stretch of time, and the share of it in which the event loop did something for others than each of those that wait. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly ofOthers: number;
}

function postponeAll(waiting: readonly Deadline[], stretch: Stretch | undefined): void {
  if (stretch === undefined) return;
  const { from, to, ofOthers } = stretch;
  for (const deadline of waiting) deadline.postpone((to - Math.max(from, deadline.since)) * ofOthers);
}

/** Gives the stretch since it was asked last, where others took some of it. */
function watchLoop(clock: Clock): (waitingCount: number) => Stretch | undefined {
  let to = clock.now();
  let busy = clock.busyMs?.() ?? 0;
  return (waitingCount) => {
    const now = clock.now();
    if (clock.busyMs === undefined || now - to < SHORTEST_STRETCH_MS) return undefined;
    const from = to;
    const before = busy;
    to = now;
    busy = clock.busyMs();
    const ofOthers = ((busy - before) / (to - from)) * (1 - 1 / Math.max(1, waitingCount));
    return ofOthers > 0 ? { from, to, ofOthers: Math.min(MOST_OF_OTHERS, ofOthers) } : undefined;
  };
}
