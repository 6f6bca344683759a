import type Database from 'better-sqlite3';
import type { Checkpoints } from './checkpoints.ts';
import { hasLeftovers } from './slack.ts';

/** What makes deleted bytes disappear from the disk; both give `false` where that has to wait for another process. */
export interface Erasing {
  /** Moves the write-ahead log into the file and cuts it to nothing. */
  emptyLog(waitMs: number): boolean;
  /** Empties the log, looks the file through, and writes it anew where it has leftovers of deleted rows (slack.ts). */
  erase(waitMs: number): boolean;
  /** Writes the file anew without the room that nothing uses any more. Throws what SQLite says where it cannot. */
  rewrite(waitMs: number): void;
}

/** Erasing in an open file, on a connection that waits for no lock otherwise. A checkpoint that is under way is waited for. */
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
