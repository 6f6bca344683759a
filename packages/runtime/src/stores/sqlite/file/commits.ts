import { storeClosed } from '../../refusals.ts';
import { checkpointsOutside } from './checkpoints.ts';
import type { Connection } from './connection.ts';
import { type Erasing, prepareErasing } from './erasing.ts';
import { storeFailure } from './failures.ts';
import { logSync } from './log-sync.ts';
import type { SqliteSettings } from './options.ts';
import { patiently } from './patience.ts';
import { whilePresent } from './presence.ts';
import { type Job, transactions } from './transactions.ts';
import { waitingJobs } from './waiting-jobs.ts';

// T1: every call takes effect in the order in which the calls were made, awaited or not.
// T2: writes of one tick share a commit, a dozen at most (under FULL the sync to disk is the cost), and each promise settles after that commit.
// T3: a write that is refused takes nothing of its own with it and leaves the others of its commit alone.
// T4: an erasing write resolves after the log was emptied and the file looked through; where another process still reads the old
//     state, every later commit tries again.
// T5: while another process writes, the jobs wait and the event loop goes on; they look again every millisecond, because SQLite's own
//     waiting (up to 100 ms between two looks) seldom meets the moment between two commits of a busy process.

// T6: what is written to a file that was removed or replaced goes nowhere: such a write is refused.

/** How long an erasing write and a closing store wait for readers in other processes, in milliseconds. */
const patience = 100;

/** How the store's operations reach the file. Work is synchronous and runs inside a transaction when it writes. */
export interface Commits {
  write<R>(work: () => R): Promise<R>;
  read<R>(work: () => R): Promise<R>;
  /** Called by a write that deletes or replaces something: the old bytes will be gone when it resolves (T4). */
  erases(): void;
  /** Writes the file anew, after what was asked for before. The event loop stands still meanwhile. */
  rewrite(): Promise<void>;
  close(): void;
}

/** What is to be erased with the next transaction, or still from the one before (T4). */
function erasuresBy(erase: Erasing['erase']) {
  let isAsked = false;
  let isDue = false;
  return {
    ask() {
      isAsked = true;
    },
    /** @returns whether there was anything to erase */
    committed(): boolean {
      if (!isAsked && !isDue) return false;
      isDue = !erase(isAsked ? patience : 0);
      isAsked = false;
      return true;
    },
    finish() {
      if (isDue) erase(patience);
    },
  };
}

/** The one place through which everything reaches the file. */
export function openCommits({ client, path }: Connection, settings: SqliteSettings): Commits {
  const { busyTimeoutMs, secureDelete } = settings;
  const log = logSync(settings);
  const checkpoints = checkpointsOutside(client, settings);
  const { emptyLog, rewrite, erase } = prepareErasing(client, checkpoints);
  const erasures = erasuresBy(erase);
  let isClosed = false;
  client.pragma('busy_timeout = 0'); // T5
  const jobs = waitingJobs({
    run: whilePresent(settings, transactions(client)), // T6
    log,
    busyTimeoutMs,
    committed() {
      if (!erasures.committed()) checkpoints.committed();
    },
    mayLock: checkpoints.mayLock,
  });

  function queue<R>(work: () => R): Promise<R> {
    if (isClosed) return Promise.reject(storeClosed());
    return new Promise<R>((resolve, reject) => {
      const refuse = (error: unknown): void => reject(storeFailure(error, path));
      jobs.add({ work, resolve: resolve as Job['resolve'], reject: refuse });
    });
  }

  function readNow<R>(work: () => R): Promise<R> {
    if (isClosed) return Promise.reject(storeClosed());
    try {
      return Promise.resolve(patiently(busyTimeoutMs, work));
    } catch (error) {
      return Promise.reject(storeFailure(error, path));
    }
  }

  return {
    write: queue,
    read: (work) => (jobs.empty ? readNow(work) : queue(work)),
    erases() {
      if (secureDelete) erasures.ask();
    },
    rewrite: () => queue(() => {}).then(() => (isClosed ? undefined : rewrite(busyTimeoutMs))),
    close() {
      if (isClosed) return;
      isClosed = true;
      jobs.finish();
      erasures.finish();
      emptyLog(patience);
      checkpoints.end();
      log.close();
      client.close();
    },
  };
}
