import { statSync } from 'node:fs';
import { unreadable } from './failures.ts';
import type { SqliteSettings } from './options.ts';
import type { Transaction } from './transactions.ts';

/** How often a file is looked at whose commits cost no more than the look, in milliseconds. */
const LOOK_EVERY = 1_000;

/**
 * Transactions on a file that is still the one at its path: a file that was removed stays writable for who has it open, and is gone
 * with the process. Where each commit waits for the disk, each one looks; else a commit looks once a second.
 *
 * @throws RunError `store_unreadable` where the file is another one, or none
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

/** What tells a file from every other one; nothing where there is none. */
export function identifyFile(path: string): string | undefined {
  const { dev, ino } = statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {};
  return ino === undefined ? undefined : `${dev} ${ino}`;
}
