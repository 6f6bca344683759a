// File: opens, locks, copies and shrinks the file, and commits to it. Only the SQLite store calls it; it does not know what a message is.

import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DefinitionError, RunError } from '@spec/hooks';
import Database from 'better-sqlite3';
import { migrations } from '../schema/migrations.ts';
import { bindMethods, type Connection, connect } from './connection.ts';
import { failed, storeFailure, unreadable } from './failures.ts';
import type { SqliteSettings } from './options.ts';
import { patiently } from './patience.ts';

/** The application id in the header of all our files: "spec" in ASCII. */
const applicationId = 0x73706563;

/**
 * Opens a file, creates a missing one, and brings it to the newest schema.
 * @throws RunError `store_unreadable`, `store_newer` or `store_failed`; DefinitionError `missing_dependency` if the native part of
 * better-sqlite3 is not built for this Node.
 */
export function openConnection(settings: SqliteSettings): Connection {
  const { path } = settings;
  if (path !== ':memory:') checkPath(path);
  const client = openHandle(path, { timeout: settings.busyTimeoutMs });
  try {
    checkIdentity(client, path);
    configure(client, settings);
    migrate(client, path);
    return connect(client, settings);
  } catch (error) {
    client.close();
    throw openFailure(error, path);
  }
}

/** The error of a file that cannot be opened, for any reason. Messages of SQLite or the system may quote data. */
export function openFailure(error: unknown, path: string): unknown {
  const failure = storeFailure(error, path);
  if (failure instanceof RunError || failure instanceof DefinitionError) return failure;
  return unreadable(path, 'it cannot be read; restore a copy of it');
}

function checkPath(path: string): void {
  const folder = dirname(resolve(path));
  const folderStat = lookAt(path, folder);
  if (!folderStat?.isDirectory())
    throw unreadable(path, `the folder ${folder} does not exist; create it first`);
  const file = lookAt(path, path);
  if (file?.isDirectory()) throw unreadable(path, 'it is a folder; give the path of a file');
  checkAccess(path, folder, 'the folder may not be written, and SQLite keeps its log beside the file');
  if (file) checkAccess(path, path, 'the file may not be read and written');
}

/** @throws RunError `store_unreadable` with the system's code, such as ELOOP for links in a circle */
function lookAt(path: string, target: string): Stats | undefined {
  try {
    return statSync(target, { throwIfNoEntry: false });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw unreadable(path, `its path cannot be followed (${code}); check its folders and links`);
  }
}

function checkAccess(path: string, target: string, problem: string): void {
  try {
    accessSync(target, constants.R_OK | constants.W_OK);
  } catch {
    throw unreadable(path, `${problem}; check the permissions, and that its disk is not mounted read-only`);
  }
}

/** The driver's handle of a file. @throws DefinitionError `missing_dependency`, and as {@link openConnection} */
export function openHandle(path: string, options: Database.Options): Database.Database {
  try {
    return new Database(path === ':memory:' ? path : resolve(path), options);
  } catch (error) {
    if (error instanceof Database.SqliteError) throw storeFailure(error, path);
    throw new DefinitionError(
      'missing_dependency',
      'the native part of better-sqlite3 is missing or was built for another Node; run `npm rebuild better-sqlite3`',
    );
  }
}

/** Refuses files of other applications and newer versions before anything in them changes. */
export function checkIdentity(client: Database.Database, path: string): void {
  const { version, application, tables } = identity(client);
  if (application === applicationId) refuseNewer(version, path);
  else if (version !== 0 || tables !== 0) {
    throw unreadable(path, 'it is a database of another application; give a path of its own');
  }
}

/** Reads in one transaction, because another process may be creating the file right now. */
function identity(client: Database.Database): { version: number; application: unknown; tables: unknown } {
  return client.transaction(() => ({
    version: schemaVersion(client),
    application: client.pragma('application_id', { simple: true }),
    tables: client.prepare('select count(*) from sqlite_master').pluck().get(),
  }))();
}

/**
 * What to ask before each look at an open file: another process may bring it to a newer schema meanwhile, in which rows may mean something else.
 *
 * @throws RunError `store_newer`
 */
export function refuseNewerMeanwhile(client: Database.Database, path: string): () => void {
  const version = bindMethods(client.prepare<[], number>('pragma user_version').pluck());
  return () => refuseNewer(version.get() ?? 0, path);
}

function refuseNewer(version: number, path: string): void {
  if (version <= migrations.length) return;
  const message = `store ${path}: it was written by a newer version (schema ${version}, this one knows ${migrations.length}); update @spec/runtime`;
  throw new RunError('store_newer', message);
}

function configure(client: Database.Database, settings: SqliteSettings): void {
  enableWal(client, settings);
  client.pragma('synchronous = NORMAL'); // log-sync.ts does the rest of FULL
  client.pragma(`secure_delete = ${settings.secureDelete ? 'ON' : 'OFF'}`);
  client.pragma('foreign_keys = ON');
  client.pragma('temp_store = MEMORY');
}

/** SQLite does not wait for its lock when two connections switch a file to WAL at the same time, so this waits. */
function enableWal(client: Database.Database, { path, busyTimeoutMs }: SqliteSettings): void {
  const mode = patiently(busyTimeoutMs, () => client.pragma('journal_mode = WAL', { simple: true }));
  if (mode === 'wal' || client.memory) return;
  throw failed(
    path,
    `its file system allows no write-ahead log (mode ${String(mode)}); put it on a local disk`,
  );
}

function migrate(client: Database.Database, path: string): void {
  if (schemaVersion(client) === migrations.length) return;
  const step = client.transaction(() => {
    const version = schemaVersion(client);
    refuseNewer(version, path);
    for (const sql of migrations.slice(version)) client.exec(sql);
    client.pragma(`application_id = ${applicationId}`);
    client.pragma(`user_version = ${migrations.length}`);
  });
  step.immediate();
  client.pragma('wal_checkpoint(TRUNCATE)'); // Without a sync at each commit, what is only in the log can be lost with the power.
}

/** The number of migrations that a file has seen. */
export function schemaVersion(client: Database.Database): number {
  return client.pragma('user_version', { simple: true }) as number;
}
