import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { locateLog } from './connection.ts';
import type { SqliteSettings } from './options.ts';

// A checkpoint moves the write-ahead log into the file. It takes 10 ms and more, so the event loop does not wait for it (bench `turn-timer`).
// K1: a thread with a connection of its own does it when the log has grown; the last part of it, for which writers have to wait, is small
//     by then, and they wait as for another process.
// K2: the thread has the file open only while it works: a store at rest has one connection, and closing it is closing the file.
// K3: where the thread cannot start or dies, SQLite does it by itself again, and so it does where the thread falls far behind.
// K4: what empties the log at once waits for the thread first.
// K5: SQLite begins the log again from its start, and cuts the file to just below the length that calls for a checkpoint: its length tells when
//     the next one is due, and what it writes over costs a third less to sync than what makes a file longer (bench `turn-full-1000`).

/** The checkpoints of one open file. */
export interface Checkpoints {
  /** Call after each transaction. */
  committed(): void;
  /** Waits until the thread does nothing. The event loop waits too. */
  settle(): void;
  end(): void;
}

export interface CheckpointSettings extends Pick<SqliteSettings, 'path' | 'synchronous'> {
  /** How long the log becomes, in bytes. Turns write the same pages over and over, and the longer it is, the fewer times each goes into the file. */
  readonly logBytes?: number;
  /** Where better-sqlite3 is. */
  readonly driver?: string;
}

const LOG_BYTES = 16 * 1024 * 1024;

/** So many times as long the log may become before SQLite itself does something (K3). */
const FAR_BEHIND = 4;

/** How many transactions there are between two looks at the log's length. */
const LOOK_EVERY = 16;

/** How long the thread waits for other writers and readers, in milliseconds. */
const PATIENCE = 200;

const ownDriver = createRequire(import.meta.url).resolve('better-sqlite3');

export function checkpointsOutside(
  client: Database.Database,
  { path, synchronous, logBytes = LOG_BYTES, driver = ownDriver }: CheckpointSettings,
): Checkpoints {
  if (path === ':memory:') return none;
  const pageSize = client.pragma('page_size', { simple: true }) as number;
  const pages = Math.ceil(logBytes / pageSize);
  client.pragma(`journal_size_limit = ${logBytes - pageSize}`); // K5
  client.pragma(`wal_autocheckpoint = ${FAR_BEHIND * pages}`);
  const log = locateLog(path);
  const isLong = (): boolean => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) >= logBytes;
  const thread = new CheckpointThread(
    { driver, path: resolve(path), synchronous, patience: PATIENCE },
    () => {
      if (client.open) client.pragma(`wal_autocheckpoint = ${pages}`);
    },
  );
  let commits = 0;
  return {
    committed() {
      if (++commits < LOOK_EVERY) return;
      commits = 0;
      if (thread.isFree && isLong()) thread.start();
    },
    settle: () => thread.settle(),
    end: () => thread.end(),
  };
}

/** The thread of one store. */
class CheckpointThread {
  readonly #working = new Int32Array(new SharedArrayBuffer(4));
  readonly #options: object;
  readonly #lost: () => void;
  #worker: Worker | undefined;
  #isLost = false;

  /** @param lost called when the thread cannot be used any more */
  constructor(options: object, lost: () => void) {
    this.#options = options;
    this.#lost = lost;
  }

  get isFree(): boolean {
    return !this.#isLost && Atomics.load(this.#working, 0) === 0;
  }

  start(): void {
    this.#worker ??= this.#launch();
    Atomics.store(this.#working, 0, 1);
    this.#worker.postMessage(null);
  }

  settle(): void {
    Atomics.wait(this.#working, 0, 1, LONGEST);
  }

  end(): void {
    this.#isLost = true;
    void this.#worker?.terminate();
  }

  #launch(): Worker {
    const workerData = { ...this.#options, working: this.#working };
    const worker = new Worker(checkpointing, { eval: true, workerData, execArgv: [] });
    const giveUp = (): void => this.#giveUp();
    worker.on('error', giveUp).on('exit', giveUp);
    worker.unref();
    return worker;
  }

  #giveUp(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    Atomics.store(this.#working, 0, 0);
    this.#lost();
  }
}

/** A checkpoint that takes longer than this has met a disk that does not answer, in milliseconds. */
const LONGEST = 10_000;

const none: Checkpoints = { committed() {}, settle() {}, end() {} };

const checkpointing = `
const { parentPort, workerData } = require('node:worker_threads');
const { driver, path, synchronous, patience, working } = workerData;
const Database = require(driver);
parentPort.on('message', () => {
  try {
    const client = new Database(path, { fileMustExist: true, timeout: patience });
    try {
      client.pragma('synchronous = ' + synchronous);
      client.pragma('wal_checkpoint(passive)');
      client.pragma('wal_checkpoint(restart)');
    } finally {
      client.close();
    }
  } catch (error) {
    if (!/^SQLITE_(BUSY|CANTOPEN)/.test(error.code)) throw error;
  } finally {
    Atomics.store(working, 0, 0);
    Atomics.notify(working, 0);
  }
});
`;
