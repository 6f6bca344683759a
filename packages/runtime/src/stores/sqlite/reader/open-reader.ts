// Reader: reads a file for people, in pages. Applications and the command call it; it never writes, and keeps no statement open.

import { statSync } from 'node:fs';
import { RunError } from '@spec/hooks';
import type Database from 'better-sqlite3';
import { warnOnce } from '../../rows/damaged.ts';
import { type Connection, connect } from '../file/connection.ts';
import { failed, isLocked, unreadable } from '../file/failures.ts';
import { checkIdentity, openFailure, openHandle, schemaVersion } from '../file/open.ts';
import { migrations } from '../schema/migrations.ts';
import { checkReaderOptions, type ReaderOptions } from './options.ts';

/** How long SQLite waits for a process that has locked the whole file, in milliseconds. Nobody can lock it again while it is open here. */
const PATIENCE = 5_000;

/** What SQLite keeps of the file in memory. Pages that people read are seldom read again soon, and the system keeps them anyway. */
const cacheKibibytes = 2_048;

/**
 * Opens a file for reading only: any write to it fails.
 * @throws DefinitionError `bad_option`, or `missing_dependency` if better-sqlite3 is not built for this Node.
 * @throws RunError `store_unreadable`, `store_older`, `store_newer` or `store_failed`
 */
export function openToRead(options: ReaderOptions, patienceMs: number = PATIENCE): Connection {
  const { path, onUnreadable = warnOnce(options.path) } = checkReaderOptions(options);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) {
    const what = stat === undefined ? 'there is no such file' : 'it is no file';
    throw unreadable(path, `${what}; give the path of a store`);
  }
  const client = openHandle(path, { readonly: true, fileMustExist: true, timeout: patienceMs });
  try {
    client.pragma('query_only = ON');
    client.pragma(`cache_size = ${-cacheKibibytes}`);
    checkIdentity(client, path);
    refuseOlder(client, path);
    return connect(client, { path, onUnreadable });
  } catch (error) {
    client.close();
    throw withoutLog(error, path) ?? whileLocked(error, path) ?? openFailure(error, path);
  }
}

function refuseOlder(client: Database.Database, path: string): void {
  const version = schemaVersion(client);
  if (version === migrations.length) return;
  const message = `store ${path}: it was written by an older version (schema ${version}, this one reads ${migrations.length}); open it once with sqliteStore, which brings it to the newest schema`;
  throw new RunError('store_older', message);
}

/** The error if another process has the whole file to itself. */
function whileLocked(error: unknown, path: string): RunError | undefined {
  const { code = '' } = error as { code?: string };
  if (!isLocked(code)) return undefined;
  const message = `another process has it to itself (${code}), so it cannot be read; wait until that is done, or end it`;
  return failed(path, message);
}

/** The error if SQLite could not create, open or share the log beside the file. */
function withoutLog(error: unknown, path: string): RunError | undefined {
  const { code = '' } = error as { code?: string };
  if (!/^SQLITE_(?:CANTOPEN|READONLY)/.test(code)) return undefined;
  const remedy = 'let this process write to the folder, or read a backup in a folder of its own';
  return unreadable(path, `its log (-wal and -shm, beside the file) cannot be used (${code}); ${remedy}`);
}
