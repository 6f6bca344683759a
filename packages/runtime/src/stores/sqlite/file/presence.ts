import { statSync } from 'node:fs';
import { unreadable } from './failures.ts';
import type { SqliteSettings } from './options.ts';
import type { Transaction } from './transactions.ts';

/** How often the presence of a file is checked if its commits cost no more than the check, in milliseconds. */
const LOOK_EVERY = 1_000;

/**
 * Runs transactions only while the file is still the one at its path. A removed file stays writable for processes that have it open, and is
 * lost when they end. If each commit waits for the disk, every commit checks; otherwise one commit each second does.
 *
 * @throws RunError `store_unreadable` if the path has another file or none
 */
export function whilePresent({ path, synchronous }: SqliteSettings, run: Transaction): Transaction {
  if (path === ':memory:') return run;
  const opened = identifyFile(path);
  const every = synchronous === 'FULL' ? 0 : LOOK_EVERY;
  let next = 0;
  return (jobs) => {
    const now = performance.now();
    if (now >= next) {
      if (identifyFile(path) !== opened) throw unreadable(path, GONE);
      next = now + every;
    }
    return run(jobs);
  };
}

const GONE =
  'the file was removed or replaced while it was open, and what is written now would be lost; close the store, put the file back and open it again';

/** Identifies a file among all others; nothing if it is missing. */
export function identifyFile(path: string): string | undefined {
  const { dev, ino } = statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {};
  return ino === undefined ? undefined : `${dev} ${ino}`;
}
