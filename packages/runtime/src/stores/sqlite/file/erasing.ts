import type Database from 'better-sqlite3';
import type { Checkpoints } from './checkpoints.ts';
import { hasLeftovers } from './slack.ts';

/** Makes deleted bytes disappear from the disk. Both methods return `false` if that must wait for another process. */
export interface Erasing {
  /** Moves the write-ahead log into the file and truncates it. */
  emptyLog(waitMs: number): boolean;
  /** Empties the log, searches the file, and rewrites it if remains of deleted rows are found (slack.ts). */
  erase(waitMs: number): boolean;
  /** Rewrites the file without unused space. Throws SQLite's error if it cannot. */
  rewrite(waitMs: number): void;
}

/** Erasing in an open file, over a connection that otherwise waits for no lock. It waits for a running checkpoint. */
export function prepareErasing(client: Database.Database, { settle }: Checkpoints): Erasing {
  const truncate = client.prepare<[], { busy: number }>('pragma wal_checkpoint(truncate)');
  const emptied = () => truncate.get()?.busy === 0;

  function waiting(waitMs: number, work: () => boolean): boolean {
    settle();
    client.pragma(`busy_timeout = ${waitMs}`);
    try {
      return work();
    } catch {
      return false;
    } finally {
      client.pragma('busy_timeout = 0');
    }
  }

  return {
    emptyLog: (waitMs) => waiting(waitMs, emptied),
    erase: (waitMs) =>
      waiting(waitMs, () => {
        if (!emptied()) return false;
        if (!hasLeftovers(client)) return true;
        client.exec('vacuum');
        return emptied();
      }),
    rewrite(waitMs) {
      settle();
      client.pragma(`busy_timeout = ${waitMs}`);
      try {
        client.exec('vacuum');
        emptied();
      } finally {
        client.pragma('busy_timeout = 0');
      }
    },
  };
}
