import Database from 'better-sqlite3';

/** Whether an error means that another process has a lock: nothing was read or stored. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** Does something, again every few milliseconds while another process has a lock, up to a time limit. The event loop waits too. */
export function patiently<R>(ms: number, work: () => R): R {
  for (let deadline: number | undefined; ; ) {
    try {
      return work();
    } catch (error) {
      deadline ??= Date.now() + ms;
      if (!isBusy(error) || Date.now() > deadline) throw error;
      sleep(2);
    }
  }
}

/** Blocks the process for a moment. */
export function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
