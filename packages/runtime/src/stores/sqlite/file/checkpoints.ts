import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { locateLog } from './connection.ts';
import type { SqliteSettings } from './options.ts';

// A checkpoint moves the write-ahead log into the file. It takes 10 ms and more, so the event loop does not wait for it (bench `turn-timer`).
// K1: a thread with a connection of its own does it when the log has grown; the last part of it, for which writers have to wait, is small
//     by then. For their own store's thread they wait as long as it takes, however short their patience with other processes is.
// K2: the thread has the file open only while it works: a store at rest has one connection, and closing it is closing the file.
// K3: where the thread cannot start or dies, SQLite does it by itself again, and so it does where the thread falls far behind.
// K4: what empties the log at once waits for the thread first.
// K5: SQLite begins the log again from its start, and cuts the file to just below the length that calls for a checkpoint: its length tells when
//     the next one is due, and what it writes over costs a third less to sync than what makes a file longer (bench `turn-full-1000`).
// K6: whoever still reads an old state keeps the log from beginning again. The thread never waits for readers with the lock that writers need:
//     it looks a few times, gives up, and tries again when the log has grown by a sixteenth more.

/** The checkpoints of one open file. */
export interface Checkpoints {
  /** Call after each transaction. */
  committed(): void;
  /** Whether a lock that somebody else has may be the thread's; ask before a transaction, which is the only one to start the thread. */
  mayLock(): boolean;
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

/** Of how many parts of the log one is added to it between two checkpoints that do not come to their end (K6). */
const PARTS = 16;

/** How often the thread looks for the moment in which nobody writes or reads an old state, and how long it waits between two looks, in milliseconds. */
const LOOKS = 10;
const PAUSE = 10;

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
  const isDue = dueBySize(() => statSync(log, { throwIfNoEntry: false })?.size ?? 0, logBytes);
  const thread = new CheckpointThread(
    { driver, path: resolve(path), synchronous, looks: LOOKS, pause: PAUSE },
    () => {
      if (client.open) client.pragma(`wal_autocheckpoint = ${pages}`);
    },
  );
  let commits = 0;
  return {
    committed() {
      if (++commits < LOOK_EVERY) return;
      commits = 0;
      if (thread.isFree && isDue()) thread.start();
    },
    mayLock: () => thread.isAtWork,
    settle: () => thread.settle(),
    end: () => thread.end(),
  };
}

/** Whether the log calls for a checkpoint: where it is long, and again with each part by which it grows until it begins anew (K5, K6). */
function dueBySize(measure: () => number, logBytes: number): () => boolean {
  let due = logBytes;
  return () => {
    const size = measure();
    if (size < logBytes) due = logBytes;
    if (size < due) return false;
    due = size + logBytes / PARTS;
    return true;
  };
}

/** The thread of one store. */
class CheckpointThread {
  readonly #working = new Int32Array(new SharedArrayBuffer(4));
  readonly #options: object;
  readonly #lost: () => void;
  #worker: Worker | undefined;
  #isLost = false;
  #began = 0;

  /** @param lost called when the thread cannot be used any more */
  constructor(options: object, lost: () => void) {
    this.#options = options;
    this.#lost = lost;
  }

  get isFree(): boolean {
    return !this.#isLost && Atomics.load(this.#working, 0) === 0;
  }

  /** A thread that takes longer than {@link LONGEST} is nobody's to wait for. */
  get isAtWork(): boolean {
    return Atomics.load(this.#working, 0) === 1 && performance.now() - this.#began < LONGEST;
  }

  start(): void {
    this.#began = performance.now();
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

const none: Checkpoints = { committed() {}, mayLock: () => false, settle() {}, end() {} };

const checkpointing = `
const { parentPort, workerData } = require('node:worker_threads');
const { driver, path, synchronous, looks, pause, working } = workerData;
const Database = require(driver);
const never = new Int32Array(new SharedArrayBuffer(4));
parentPort.on('message', () => {
  try {
    const client = new Database(path, { fileMustExist: true, timeout: 0 });
    try {
      client.pragma('synchronous = ' + synchronous);
      moveLog(client);
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
// A passive checkpoint locks nobody out; what it leaves is moved under the lock of writers, where no reader is in the way.
function moveLog(client) {
  for (let look = 0; look < looks; look++) {
    if (look > 0) Atomics.wait(never, 0, 0, pause);
    const [{ busy, log, checkpointed }] = client.pragma('wal_checkpoint(passive)');
    if (busy === 0 && checkpointed === log && client.pragma('wal_checkpoint(restart)')[0].busy === 0) return;
  }
}
`;
