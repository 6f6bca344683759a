import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { locateLog } from './connection.ts';
import { failed } from './failures.ts';
import type { SqliteSettings } from './options.ts';

// Under FULL every commit is on the disk before its promise resolves. SQLite would wait for the disk inside of the commit, and the event
// loop with it; so its connection runs under NORMAL, and the log is synced beside it (bench `turn-timer`).
// F1: a commit is acknowledged after a sync that began after it. Commits that come while one is under way share the next one.
// F2: where a commit is alone and the disk answers faster than a thread of the pool wakes up, the loop waits for it (bench `turn-full-1000`).
// F3: the log is one file that is written from its start to its end: a sync covers all commits before it, those of other processes too.
//     What a reader acts on and writes down is thus never on the disk without what it has read.
// F4: after a failed sync nothing is acknowledged until the store is opened again: the system forgets which pages it could not write, and
//     the next sync would succeed without them.

/** Tells when what was committed is on the disk. */
export interface LogSync {
  /** Throws where an earlier sync failed (F4). Call before a commit. */
  assertSound(): void;
  /**
   * Call after a commit.
   * @param isAlone whether nothing else waits for the loop
   */
  whenStored(writer: Writer, isAlone: boolean): void;
  /** Waits for the disk now. */
  finish(): void;
  close(): void;
}

/** Who made a commit. */
export interface Writer {
  stored(): void;
  failed(error: unknown): void;
}

/**
 * A disk is fast whose last sync took no longer, in milliseconds. A sync in a thread counts with the thread's wake-up, some 0.3 ms: were the
 * limit below that, one slow sync would keep every later one in a thread.
 */
const FAST = 1;

/** What is asked of the file system. */
export interface Disk {
  fdatasync(file: number, done: (error: NodeJS.ErrnoException | null) => void): void;
  fdatasyncSync(file: number): void;
  /** In milliseconds. */
  now(): number;
}

const realDisk: Disk = { fdatasync, fdatasyncSync, now: () => performance.now() };

export function logSync(
  { path, synchronous }: Pick<SqliteSettings, 'path' | 'synchronous'>,
  disk: Disk = realDisk,
): LogSync {
  return synchronous === 'NORMAL' || path === ':memory:' ? atOnce : new SyncedLog(path, disk);
}

const atOnce: LogSync = {
  assertSound() {},
  whenStored: (writer) => writer.stored(),
  finish() {},
  close() {},
};

class SyncedLog implements LogSync {
  readonly #path: string;
  readonly #disk: Disk;
  #file: number | undefined;
  /** Who committed after the sync that is under way began. */
  #waiting: Writer[] = [];
  /** Whom the sync is for that is under way. */
  #served: Writer[] = [];
  #isSyncing = false;
  #lastTook = Number.POSITIVE_INFINITY;
  #failure: unknown;

  constructor(path: string, disk: Disk) {
    this.#path = path;
    this.#disk = disk;
  }

  assertSound(): void {
    if (this.#failure) throw this.#failure;
  }

  whenStored(writer: Writer, isAlone: boolean): void {
    this.#waiting.push(writer);
    if (this.#isSyncing) return;
    if (isAlone && this.#lastTook < FAST) this.finish();
    else this.#begin();
  }

  finish(): void {
    this.#served.push(...this.#waiting.splice(0));
    if (this.#served.length === 0) return;
    const began = this.#disk.now();
    try {
      this.#disk.fdatasyncSync(this.#open());
      this.#end(began, null);
    } catch (error) {
      this.#end(began, error as Error);
    }
  }

  close(): void {
    if (this.#file !== undefined && !this.#isSyncing) closeSync(this.#file);
    this.#file = undefined;
  }

  #begin(): void {
    const began = this.#disk.now();
    this.#served = this.#waiting.splice(0);
    let file: number;
    try {
      file = this.#open();
    } catch (error) {
      this.#end(began, error as Error);
      return;
    }
    this.#isSyncing = true;
    this.#disk.fdatasync(file, (error) => {
      this.#isSyncing = false;
      this.#end(began, error);
      if (this.#file !== file) closeSync(file);
      else if (this.#waiting.length > 0 && !this.#isSyncing) this.#begin();
    });
  }

  /** @param error that of the sync; the writers of a sync that {@link finish} overtook are told already */
  #end(began: number, error: NodeJS.ErrnoException | null): void {
    this.#lastTook = this.#disk.now() - began;
    if (error) this.#failure ??= failed(this.#path, notSynced(error));
    for (const writer of this.#served.splice(0)) {
      if (this.#failure) writer.failed(this.#failure);
      else writer.stored();
    }
  }

  /** The log is there from the first commit on, and stays while a connection is open. */
  #open(): number {
    this.#file ??= openSync(locateLog(this.#path), 'r+');
    return this.#file;
  }
}

function notSynced({ code }: NodeJS.ErrnoException): string {
  return `the disk did not confirm what was written (${code}), so it may be lost when the machine loses power. Check the disk, close the store and open it again`;
}
