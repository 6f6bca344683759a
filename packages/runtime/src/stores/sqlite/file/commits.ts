import { storeClosed } from '../../refusals.ts';
import { checkpointsOutside } from './checkpoints.ts';
import type { Connection } from './connection.ts';
import { type Erasing, prepareErasing } from './erasing.ts';
import { storeFailure } from './failures.ts';
import { logSync } from './log-sync.ts';
import { refuseNewerMeanwhile } from './open.ts';
import type { SqliteSettings } from './options.ts';
import { patiently } from './patience.ts';
import { whilePresent } from './presence.ts';
import { type Job, transactions } from './transactions.ts';
import { waitingJobs } from './waiting-jobs.ts';

// T1: calls take effect in the order in which they were made, awaited or not.
// T2: writes of one tick share a commit, at most a dozen (under FULL the sync to disk is the cost). Each promise settles after that commit.
// T3: a refused write undoes only its own changes, not the other writes of its commit.
// T4: an erasing write resolves after the log was emptied and the file searched. If another process still reads the old
//     state, every later commit tries again.
// T5: while another process writes, jobs wait and the event loop goes on. They try again every millisecond, because SQLite's own
//     waiting (up to 100 ms between two tries) seldom hits the gap between two commits of a busy process.

// T6: writes to a file that was removed or replaced would be lost, so they are refused.
// T7: a newer version may open the file while it is open here. From then on nothing of it is read or written here.

/** How long an erasing write or a closing store waits for readers in other processes, in milliseconds. */
const patience = 100;

/** Runs the store's operations on the file. An operation is synchronous; if it writes, it runs inside a transaction. */
export interface Commits {
  write<R>(work: () => R): Promise<R>;
  read<R>(work: () => R): Promise<R>;
  /** Called by a write that deletes or replaces data: the old bytes are gone when that write resolves (T4). */
  erases(): void;
  /** Rewrites the file after all earlier operations. Meanwhile the event loop stands still. */
  rewrite(): Promise<void>;
  close(): void;
}

/** What the next transaction has to erase, or the last one could not erase yet (T4). */
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

/** Runs reads at once, where no write waits before them. */
function readsAtOnce(
  check: () => void,
  { path, busyTimeoutMs }: Pick<SqliteSettings, 'path' | 'busyTimeoutMs'>,
): <R>(work: () => R) => Promise<R> {
  return async (work) => {
    try {
      return patiently(busyTimeoutMs, () => {
        check();
        return work();
      });
    } catch (error) {
      throw storeFailure(error, path);
    }
  };
}

/** All access to the file goes through this function. */
export function openCommits({ client, path }: Connection, settings: SqliteSettings): Commits {
  const { busyTimeoutMs, secureDelete } = settings;
  const log = logSync(settings);
  const checkpoints = checkpointsOutside(client, settings);
  const { emptyLog, rewrite, erase } = prepareErasing(client, checkpoints);
  const erasures = erasuresBy(erase);
  let isClosed = false;
  client.pragma('busy_timeout = 0'); // T5
  const refuseNewer = refuseNewerMeanwhile(client, path); // T7
  const readNow = readsAtOnce(refuseNewer, { path, busyTimeoutMs });
  const jobs = waitingJobs({
    run: whilePresent(settings, transactions(client, refuseNewer)), // T6
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

  return {
    write: queue,
    read: (work) => (jobs.empty && !isClosed ? readNow(work) : queue(work)),
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
