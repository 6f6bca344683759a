import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { RunError } from '@spec/hooks';
import Database from 'better-sqlite3';
import { nothingToBackUp } from '../../refusals.ts';
import { failed, storeFailure, unreadable } from './failures.ts';

// B1: VACUUM INTO copies the file as of one moment while others write. It leaves out the remains of deleted rows.
// B2: it runs in its own thread, because it would stop the event loop for the whole copy.
// B3: the leases in the copy are free, because their owners write to the original file.
// B4: a copy gets its name only when it is complete and on disk, and never replaces a file.

/**
 * Copies a file to a new place.
 * @throws RunError `invalid_input` if the target exists or there is nothing to copy, `store_unreadable`, `store_failed`
 */
export async function backUp(source: string, target: string): Promise<void> {
  if (source === ':memory:') throw nothingToBackUp();
  if (isNameOfSqlite(source, target)) throw refuseSqliteName(target);
  await checkTarget(target);
  const partial = `${resolve(target)}.partial-${crypto.randomUUID()}`;
  try {
    await copyInThread({ driver, source: resolve(source), partial });
    await toDisk(partial);
    await giveName(partial, target);
  } catch (error) {
    throw backupFailure(error, target);
  } finally {
    await rm(partial, { force: true });
    await rm(`${partial}-journal`, { force: true });
  }
  await toDisk(dirname(resolve(target)));
}

const driver = createRequire(import.meta.url).resolve('better-sqlite3');

const copying = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.driver);
function using(path, options, work) {
  const client = new Database(path, options);
  try {
    work(client);
  } finally {
    client.close();
  }
}
try {
  const { source, partial } = workerData;
  using(source, { readonly: true }, (client) => client.prepare('vacuum into ?').run(partial));
  using(partial, {}, (client) => client.exec('update leases set owner = null, expires_at = 0'));
  parentPort.postMessage(null);
} catch (error) {
  parentPort.postMessage(error.code ?? 'SQLITE_ERROR');
}
`;

function copyInThread(workerData: { driver: string; source: string; partial: string }): Promise<void> {
  return new Promise((done, fail) => {
    const worker = new Worker(copying, { eval: true, workerData });
    worker.once('message', (code: string | null) => {
      if (code === null) done();
      else fail(new Database.SqliteError(code, code));
    });
    worker.once('error', fail);
    worker.once('exit', () => fail(new Error('the copying thread ended early'))); // after a message it changes nothing
  });
}

/** A hard link cannot replace an existing file. File systems without links get a check and a rename. */
async function giveName(partial: string, target: string): Promise<void> {
  try {
    await link(partial, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw targetExists(target);
    await checkTarget(target);
    await rename(partial, target);
  }
}

async function checkTarget(target: string): Promise<void> {
  if (await stat(target).catch(() => null)) throw targetExists(target);
  const folder = dirname(resolve(target));
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw unreadable(target, `the folder ${folder} does not exist; create it first`);
}

async function toDisk(path: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    await handle.sync();
  } finally {
    await handle?.close();
  }
}

function backupFailure(error: unknown, target: string): unknown {
  if (error instanceof RunError || error instanceof Database.SqliteError) return storeFailure(error, target);
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return failed(target, `the copy could not be made (${code}); check the folder and its disk, and try again`);
}

/** Whether SQLite would take a file of this name for a part of the source: it would undo "transactions" that a copy beside it seems to hold. */
function isNameOfSqlite(source: string, target: string): boolean {
  const names = new Set(['-journal', '-wal', '-shm'].map((ending) => resolve(source) + ending));
  return names.has(resolve(target));
}

function refuseSqliteName(target: string): RunError {
  return new RunError(
    'invalid_input',
    `backup ${target}: SQLite keeps a file of its own there; give another path`,
  );
}

function targetExists(target: string): RunError {
  return new RunError('invalid_input', `backup ${target}: there is a file already; give a new path`);
}
