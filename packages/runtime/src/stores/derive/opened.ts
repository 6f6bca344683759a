import type { StoreDriver } from '../driver.ts';
import { storeClosed } from '../refusals.ts';

/** A driver in use, until it is closed. */
export interface OpenedDriver {
  /** What it answers with was made for the answer. */
  readonly answersAreCopies: boolean;
  /** The driver. @throws RunError `closed` */
  use(): StoreDriver;
  /** Refuses all that comes later, and closes the driver. */
  close(): Promise<void>;
}

/** Puts a driver into use. */
export function opened(driver: StoreDriver): OpenedDriver {
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
