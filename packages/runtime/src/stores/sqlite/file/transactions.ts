import type Database from 'better-sqlite3';
import { bindMethods } from './connection.ts';

/** A piece of synchronous work in a transaction, with the callbacks of its caller. */
export interface Job {
  work(): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Runs jobs in one transaction. Returns what to call after the commit. If it throws, nothing was stored. */
export type Transaction = (jobs: readonly Job[]) => (() => void)[];

/**
 * The transactions of one connection.
 *
 * @param check called inside each, before its jobs; what it throws undoes the transaction
 */
export function transactions(client: Database.Database, check: () => void): Transaction {
  const begin = bindMethods(client.prepare('begin immediate'));
  const commit = bindMethods(client.prepare('commit'));
  const rollback = client.prepare('rollback');
  const attempt = attempts(client);

  return (jobs) => {
    try {
      begin.run();
      check();
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

/** Runs one of several jobs. If it fails, only its own writes are undone. */
function attempts(client: Database.Database): (job: Job) => () => void {
  const savepoint = bindMethods(client.prepare('savepoint job'));
  const undo = client.prepare('rollback to job');
  const release = bindMethods(client.prepare('release job'));

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
