import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { locateLog } from './connection.ts';
import { failed } from './failures.ts';
import type { SqliteSettings } from './options.ts';

// Under FULL, every commit is on disk before its promise resolves. SQLite would make the commit, and so the event loop, wait for the disk.
// So its connection runs under NORMAL, and the log is synced separately (bench `turn-timer`).
// F1: a commit is acknowledged by a sync that began after it. Commits made during a sync share the next one.
// F2: if a commit is alone and the disk answers faster than a pool thread wakes up, the event loop waits for it (bench `turn-full-1000`).
// F3: the log is one file, written from start to end, so a sync covers all earlier commits, those of other processes too.
//     So what a reader writes is never on disk without the data that the reader based it on.
// F4: after a failed sync nothing is acknowledged until the store is opened again. The system forgets which pages it could not write, so
//     the next sync would succeed without them.

/** Tells when a commit is on disk. */
export interface LogSync {
  /** Throws if an earlier sync failed (F4). Call it before a commit. */
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

/** Whoever made a commit. */
export interface Writer {
  stored(): void;
  failed(error: unknown): void;
}

/**
 * A disk is fast if its last sync took at most this long, in milliseconds. A sync in a thread includes some 0.3 ms to wake it up. With a lower
 * limit, one slow sync would keep all later syncs in the thread.
 */
const FAST = 1;

/** The functions of the file system that it needs. */
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
  /** The writers of commits made since the running sync began. */
  #waiting: Writer[] = [];
  /** The writers that the running sync is for. */
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

  /** @param error the sync's error; {@link finish} may already have told these writers */
  #end(began: number, error: NodeJS.ErrnoException | null): void {
    this.#lastTook = this.#disk.now() - began;
    if (error) this.#failure ??= failed(this.#path, notSynced(error));
    for (const writer of this.#served.splice(0)) {
      if (this.#failure) writer.failed(this.#failure);
      else writer.stored();
    }
  }

  /** The log exists from the first commit on, and stays while a connection is open. */
  #open(): number {
    this.#file ??= openSync(locateLog(this.#path), 'r+');
    return this.#file;
  }
}

function notSynced({ code }: NodeJS.ErrnoException): string {
  return `the disk did not confirm what was written (${code}), so it may be lost when the machine loses power. Check the disk, close the store and open it again`;
}
