import type { LogSync, Writer } from './log-sync.ts';
import { isBusy, sleep } from './patience.ts';
import type { Job, Transaction } from './transactions.ts';

/** The requested writes that are not stored yet. */
export interface WaitingJobs {
  readonly empty: boolean;
  /** Stores the job together with the other writes of this tick. */
  add(job: Job): void;
  /** Stores all jobs now, or refuses them if another process keeps the file locked. */
  finish(): void;
}

/**
 * @param options.mayLock Whether the lock may be the store's own. Jobs wait for that however long it takes.
 * @param options.busyTimeoutMs How long jobs wait for another process before they are refused.
 */
export function waitingJobs(options: {
  run: Transaction;
  committed: () => void;
  mayLock: () => boolean;
  log: LogSync;
  busyTimeoutMs: number;
}): WaitingJobs {
  const { run, committed, mayLock, log, busyTimeoutMs } = options;
  const jobs: Job[] = [];
  let waiting: { until: number; timer: NodeJS.Timeout } | undefined;
  const breath = breathing();

  function flush(): void {
    const taken = jobs.splice(0, MOST_AT_ONCE);
    if (taken.length === 0) return;
    const until = waiting?.until ?? Date.now() + busyTimeoutMs;
    clearTimeout(waiting?.timer);
    waiting = undefined;
    const isOwnLock = mayLock();
    try {
      log.assertSound();
      const settle = run(taken);
      committed();
      log.whenStored(writerFor(taken, settle), taken.length === 1);
    } catch (error) {
      if (isBusy(error)) {
        jobs.unshift(...taken);
        if (isOwnLock || Date.now() < until) waiting = { until, timer: setTimeout(flush, 1) };
        else for (const job of jobs.splice(0)) job.reject(error);
        return;
      }
      for (const job of taken) job.reject(error);
    }
    if (jobs.length > 0) setImmediate(flush);
  }

  return {
    get empty() {
      return jobs.length === 0;
    },
    add(job) {
      if (jobs.length === 0) breath.soon(flush);
      jobs.push(job);
    },
    finish() {
      for (flush(); jobs.length > 0; flush()) if (waiting) sleep(1);
      log.finish();
    },
  };
}

function writerFor(jobs: readonly Job[], settle: readonly (() => void)[]): Writer {
  return {
    stored() {
      for (const tell of settle) tell();
    },
    failed(error) {
      for (const job of jobs) job.reject(error);
    },
  };
}

/**
 * How many writes share a commit. The event loop runs before the next commit: a commit of 32 and the callbacks of its callers
 * take 5 ms together (bench `turn-timer`).
 */
const MOST_AT_ONCE = 12;

/** How long commits may follow each other without a look at timers, signals and sockets, in milliseconds. */
const LONGEST_BREATH = 2;

/** A promise, because `queueMicrotask` makes a resource for asynchronous hooks on every call. */
const atOnce = Promise.resolve();

/**
 * Runs a function at the end of the tick. If a program waits only for commits, as in a replay, one promise leads to the next
 * and the event loop never reaches its timers and signals. So from time to time the loop runs first.
 */
function breathing(): { soon(run: () => void): void } {
  let began: number | undefined;
  const end = (): void => {
    began = undefined;
  };
  return {
    soon(run) {
      if (began === undefined) {
        began = performance.now();
        setImmediate(end);
      } else if (performance.now() - began > LONGEST_BREATH) {
        setImmediate(run);
        return;
      }
      void atOnce.then(run);
    },
  };
}
