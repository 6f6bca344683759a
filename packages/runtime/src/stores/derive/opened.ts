import type { Answer, StoreDriver } from '../driver.ts';
import { storeClosed } from '../refusals.ts';

/** A driver in use: until it is closed, and with the calls on each thread in their order. */
export interface OpenedDriver {
  readonly driver: StoreDriver;
  /**
   * Asks the driver about a thread, at once or after what is under way on that thread. @throws RunError `closed`
   */
  ask<T>(threadId: string, job: (driver: StoreDriver) => Answer<T>): Answer<T>;
  /** Runs a job of several calls; what is asked of the thread meanwhile waits. @throws RunError `closed` */
  alone<T>(threadId: string, job: (driver: StoreDriver) => Promise<T>): Promise<T>;
  /** The driver, for what concerns no thread. @throws RunError `closed` */
  whole(): StoreDriver;
  /** Refuses all that comes later, and closes the driver after what came before. */
  close(): Promise<void>;
}

/** Puts a driver into use. */
export function opened(driver: StoreDriver): OpenedDriver {
  const tails = new Map<string, Promise<unknown>>();
  let closing: Promise<void> | undefined;

  function whole(): StoreDriver {
    if (closing) throw storeClosed();
    return driver;
  }

  function queueUp<T>(threadId: string, done: Promise<T>): Promise<T> {
    const forget = () => {
      if (tails.get(threadId) === tail) tails.delete(threadId);
    };
    const tail: Promise<void> = done.then(forget, forget);
    tails.set(threadId, tail);
    return done;
  }

  return {
    driver,
    whole,
    ask(threadId, job) {
      const use = whole();
      const before = tails.get(threadId);
      return before === undefined
        ? job(use)
        : queueUp(
            threadId,
            before.then(() => job(use)),
          );
    },
    alone(threadId, job) {
      const use = whole();
      const before = tails.get(threadId);
      return queueUp(threadId, before === undefined ? job(use) : before.then(() => job(use)));
    },
    close() {
      closing ??= Promise.all(tails.values()).then(() => driver.close());
      return closing;
    },
  };
}
