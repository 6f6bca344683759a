import type { StoreDriver } from '../driver.ts';
import { storeClosed } from '../refusals.ts';
import { guardDriver } from './guarded.ts';

/** An open driver. */
export interface OpenedDriver {
  /** Its answers need no copies. */
  readonly answersAreCopies: boolean;
  /** The driver. @throws RunError `closed` */
  use(): StoreDriver;
  /** Refuses all later calls and closes the driver. */
  close(): Promise<void>;
}

/** Wraps a driver until it is closed. */
export function opened(given: StoreDriver): OpenedDriver {
  const driver = guardDriver(given);
  let closing: Promise<void> | undefined;
  return {
    answersAreCopies: driver.answersAreCopies === true,
    use() {
      if (closing) throw storeClosed();
      return driver;
    },
    close() {
      closing ??= (async () => driver.close())();
      return closing;
    },
  };
}
