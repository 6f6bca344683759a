import { isBusy, sleep } from './patience.ts';
import type { Job, Transaction } from './transactions.ts';

/** The writes that were asked for and are not stored yet. */
export interface WaitingJobs {
  readonly empty: boolean;
  /** Stores it with the other writes of this tick. */
  add(job: Job): void;
  /** Stores all of them now, or refuses them where another process keeps the file locked. */
  finish(): void;
}

/** @param options.busyTimeoutMs How long jobs wait for another process before they are refused. */
export function waitingJobs(options: {
  run: Transaction;
  committed: () => void;
  busyTimeoutMs: number;
}): WaitingJobs {
  const { run, committed, busyTimeoutMs } = options;
  let jobs: Job[] = [];
  let waiting: { until: number; timer: NodeJS.Timeout } | undefined;
  const breath = breathing();

  function flush(): void {
    const taken = jobs;
    jobs = [];
    if (taken.length === 0) return;
    const until = waiting?.until ?? Date.now() + busyTimeoutMs;
    clearTimeout(waiting?.timer);
    waiting = undefined;
    try {
      const settle = run(taken);
      committed();
      for (const done of settle) done();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= until) for (const job of taken) job.reject(error);
      else {
        jobs = taken;
        waiting = { until, timer: setTimeout(flush, 1) };
      }
    }
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
      for (flush(); waiting; flush()) sleep(1);
    },
  };
}

/** So long commits may follow each other without a look at timers, signals and sockets, in milliseconds. */
const LONGEST_BREATH = 10;

/** A promise instead of `queueMicrotask`, which makes a resource for asynchronous hooks of every call. */
const atOnce = Promise.resolve();

/**
 * Runs things at the end of the tick. Where nothing but commits is waited for, as in a replay, one promise leads to the next
 * and the event loop never comes to its timers and signals: every now and then it is let in first.
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
