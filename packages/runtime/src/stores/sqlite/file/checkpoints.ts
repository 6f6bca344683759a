import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { locateLog } from './connection.ts';
import type { SqliteSettings } from './options.ts';

// A checkpoint moves the write-ahead log into the file. It takes 10 ms or more, so the event loop does not wait for it (bench `turn-timer`).
// K1: a thread with its own connection does it when the log has grown. By the time writers must wait for the last part, that part is
//     small. Writers of the same store wait for it as long as it takes, however short their patience with other processes is.
// K2: the thread keeps the file open only while it works. So an idle store has one connection, and closing it closes the file.
// K3: SQLite itself does the checkpoints again if the thread cannot start, dies or falls far behind.
// K4: code that empties the log at once waits for the thread first.
// K5: SQLite reuses the log from its start and cuts the file to just below the length that calls for a checkpoint. So the length tells when
//     the next one is due, and syncing overwritten parts costs a third less than syncing a growing file (bench `turn-full-1000`).
// K6: a reader of an old state keeps the log from starting over. The thread never holds the writers' lock while it waits for readers:
//     it looks a few times, gives up, and tries again when the log has grown by another sixteenth.

/** The checkpoints of one open file. */
export interface Checkpoints {
  /** Call after each transaction. */
  committed(): void;
  /** Whether a lock may be the thread's. Call it before a transaction, because only transactions start the thread. */
  mayLock(): boolean;
  /** Waits until the thread is idle. The event loop waits too. */
  settle(): void;
  end(): void;
}

export interface CheckpointSettings extends Pick<SqliteSettings, 'path' | 'synchronous'> {
  /** The log's target length in bytes. Turns rewrite the same pages, so the longer the log, the fewer times each page goes into the file. */
  readonly logBytes?: number;
  /** The path of better-sqlite3. */
  readonly driver?: string;
}

const LOG_BYTES = 16 * 1024 * 1024;

/** How many times this length the log may reach before SQLite itself does a checkpoint (K3). */
const FAR_BEHIND = 4;

/** The number of transactions between two looks at the log's length. */
const LOOK_EVERY = 16;

/** After a checkpoint that could not finish, the next one is due when the log has grown by this part of its length (K6). */
const PARTS = 16;

/** How often the thread looks for a moment without writers and readers of an old state, and its pause between two looks in milliseconds. */
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

/** Whether a checkpoint is due: when the log is long, and again after each further part until the log starts over (K5, K6). */
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

  /** @param lost called when the thread can no longer be used */
  constructor(options: object, lost: () => void) {
    this.#options = options;
    this.#lost = lost;
  }

  get isFree(): boolean {
    return !this.#isLost && Atomics.load(this.#working, 0) === 0;
  }

  /** Nobody waits for a thread that takes longer than {@link LONGEST}. */
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

/** A checkpoint that takes longer, in milliseconds, has met a disk that does not answer. */
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
// A passive checkpoint locks nobody out. The rest is moved under the writers' lock when no reader is in the way.
function moveLog(client) {
  for (let look = 0; look < looks; look++) {
    if (look > 0) Atomics.wait(never, 0, 0, pause);
    const [{ busy, log, checkpointed }] = client.pragma('wal_checkpoint(passive)');
    if (busy === 0 && checkpointed === log && client.pragma('wal_checkpoint(restart)')[0].busy === 0) return;
  }
}
`;
