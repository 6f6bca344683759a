import type Database from 'better-sqlite3';
import { storeClosed } from '../refusals.ts';
import type { Connection } from './connection.ts';
import { erasingOf } from './erasing.ts';
import { storeFailure } from './failures.ts';
import type { SqliteSettings } from './options.ts';

// T1: every call takes effect in the order in which the calls were made, awaited or not.
// T2: writes of one tick share a commit (under FULL the sync to disk is the cost), and each promise settles after that commit.
// T3: a write that is refused takes nothing of its own with it and leaves the others of its commit alone.
// T4: an erasing write resolves after the log was emptied and the file looked through; where another process still reads the old
//     state, every later commit tries again.

/** How long an erasing write and a closing store wait for readers in other processes, in milliseconds. */
const patience = 100;

/** How the store's operations reach the file. Work is synchronous and runs inside a transaction when it writes. */
export interface Commits {
  write<R>(work: () => R): Promise<R>;
  read<R>(work: () => R): Promise<R>;
  /** Called by a write that deletes or replaces something: the old bytes will be gone when it resolves (T4). */
  erases(): void;
  close(): void;
}

interface Job {
  work(): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The one place that begins and ends transactions. */
export function commitsOf({ client, path }: Connection, settings: SqliteSettings): Commits {
  const runTogether = transactions(client);
  const { erase, emptyLog } = erasingOf(client, settings.busyTimeoutMs);
  let pending: Job[] = [];
  let asked = false;
  let due = false;

  function queue<R>(work: () => R): Promise<R> {
    if (!client.open) return Promise.reject(storeClosed());
    if (pending.length === 0) queueMicrotask(flush);
    return new Promise<R>((resolve, reject) => {
      const job: Job = {
        work,
        resolve: resolve as Job['resolve'],
        reject: (error) => reject(storeFailure(error, path)),
      };
      pending.push(job);
    });
  }

  function flush(): void {
    const jobs = pending;
    pending = [];
    if (jobs.length === 0) return;
    try {
      const settle = runTogether(jobs);
      if (asked || due) due = !erase(asked ? patience : 0);
      asked = false;
      for (const done of settle) done();
    } catch (error) {
      for (const job of jobs) job.reject(error);
    }
  }

  function readNow<R>(work: () => R): Promise<R> {
    if (!client.open) return Promise.reject(storeClosed());
    try {
      return Promise.resolve(work());
    } catch (error) {
      return Promise.reject(storeFailure(error, path));
    }
  }

  return {
    write: queue,
    read: (work) => (pending.length > 0 ? queue(work) : readNow(work)),
    erases() {
      asked = settings.secureDelete;
    },
    close() {
      if (!client.open) return;
      flush();
      if (due) erase(patience);
      emptyLog(patience);
      client.close();
    },
  };
}

type Transaction = (jobs: readonly Job[]) => (() => void)[];

/** Runs jobs in one transaction; gives what is to be called once it is committed. Throws where nothing was stored. */
function transactions(client: Database.Database): Transaction {
  const begin = client.prepare('begin immediate');
  const commit = client.prepare('commit');
  const rollback = client.prepare('rollback');
  const attempt = attempts(client);

  return (jobs) => {
    try {
      begin.run();
      const settle = jobs.map((job) => (jobs.length === 1 ? succeed(job) : attempt(job)));
      commit.run();
      return settle;
    } catch (error) {
      if (client.inTransaction) rollback.run();
      throw error;
    }
  };
}

function succeed(job: Job): () => void {
  const value = job.work();
  return () => job.resolve(value);
}

/** Runs one of several jobs so that its failure undoes its own writes only. */
function attempts(client: Database.Database): (job: Job) => () => void {
  const savepoint = client.prepare('savepoint job');
  const undo = client.prepare('rollback to job');
  const release = client.prepare('release job');

  return (job) => {
    savepoint.run();
    try {
      const done = succeed(job);
      release.run();
      return done;
    } catch (error) {
      if (!client.inTransaction) throw error; // SQLite has undone the whole transaction: a full disk, a failing one
      undo.run();
      release.run();
      return () => job.reject(error);
    }
  };
}
