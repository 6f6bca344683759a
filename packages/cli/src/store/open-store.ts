import { existsSync, statSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { DefinitionError, type Records, RunError } from '@spec/hooks';
import type { Store } from '@spec/runtime';
import type { SqliteStore } from '@spec/runtime/sqlite';
import { findConfig } from '../project/config.ts';
import { openAgentStore, takeAgentRuns } from './agent-runs.ts';
import { findPostgres, openPostgresRecords, openPostgresStore, type PostgresPlace } from './postgres.ts';

/** Where records come from. */
export interface RecordSource {
  /** The file of the store; of a database, its name. */
  readonly db: string;
  /** Brings into it what coding agents have told of since. */
  takeNews(): Promise<void>;
}

/** The option that says which store a command is about. */
export interface StoreFlags {
  readonly db?: string;
  readonly json?: boolean;
}

/** A store that is open, with its file as a person calls it; of a database, its name. */
export interface OpenStore<Kind extends Store = Store> {
  readonly store: Kind;
  readonly db: string;
}

/** What a command does with a store: one that may `make` it makes the file or the tables where there are none. */
export type StoreUse = 'read' | 'make';

/**
 * Works with the store of `--db`, else of the configuration: a file or a database.
 *
 * @param use `read` opens a database so that nothing can be written, a replica too; where the work on a file that was made fails, none is left
 * @throws {DefinitionError} `bad_option` where nobody names a store, or its file is not there or empty
 */
export async function withStore<T>(
  { db: given }: StoreFlags,
  work: (open: OpenStore) => Promise<T>,
  use: StoreUse = 'read',
): Promise<T> {
  const db = given ?? (await configuredStore());
  const database = findPostgres(db);
  if (database === undefined) return withFile(db, work, use);
  const store = await openPostgresStore(database, use);
  try {
    return await work({ store, db: database.name });
  } finally {
    await store.close();
  }
}

/**
 * Works with the SQLite file of `--db`, else of the configuration.
 *
 * @param instead what to do about a database, such as `copy it with pg_dump`
 * @throws {DefinitionError} `bad_option` as {@link withStore}, and for a database
 */
export async function withStoreFile<T>(
  { db: given }: StoreFlags,
  instead: (database: PostgresPlace) => string,
  work: (open: OpenStore<SqliteStore>) => Promise<T>,
): Promise<T> {
  const db = given ?? (await configuredStore());
  const database = findPostgres(db);
  if (database === undefined) return withFile(db, work);
  const message = `${database.name} is a database, and this command is for SQLite files: ${instead(database)}.`;
  throw new DefinitionError('bad_option', message);
}

async function withFile<T>(
  db: string,
  work: (open: OpenStore<SqliteStore>) => Promise<T>,
  use: StoreUse = 'read',
): Promise<T> {
  const isNew = !existsSync(db);
  if (use === 'read') await checkStoreFile(db);
  const { sqliteStore } = await loadSqlite();
  const store = sqliteStore({ path: db });
  let isEmpty = false;
  try {
    return await work({ store, db });
  } catch (error) {
    isEmpty = isNew && db !== ':memory:' && (await store.listThreads()).length === 0;
    throw error;
  } finally {
    const file = isEmpty ? await realpath(db) : db; // Of a link the file is new, not the link.
    await store.close();
    if (isEmpty) await removeStore(file);
  }
}

/**
 * Reads the records in the store of `--db`, else of the configuration. A file of an older version is brought to the newest schema first.
 *
 * @throws {DefinitionError} `bad_option` where nobody names a store, or its file is not there or empty
 */
export async function withRecords<T>(
  { db: given }: StoreFlags,
  work: (records: Records, source: RecordSource) => Promise<T>,
): Promise<T> {
  const source = given === undefined ? await findRecords() : { db: given, takeNews: async () => {} };
  await source.takeNews();
  const database = findPostgres(source.db);
  if (database === undefined) await checkStoreFile(source.db);
  const records = await (database === undefined ? openRecords(source.db) : openPostgresRecords(database));
  try {
    return await work(records, { ...source, db: database?.name ?? source.db });
  } finally {
    await records.close();
  }
}

/** Loaded once it is known that there is a store: better-sqlite3 is not installed everywhere, and takes minutes where it is compiled. */
function loadSqlite(): Promise<typeof import('@spec/runtime/sqlite')> {
  return import('@spec/runtime/sqlite');
}

async function openRecords(path: string): Promise<Records> {
  const { sqliteReader, sqliteStore } = await loadSqlite();
  try {
    return sqliteReader({ path });
  } catch (error) {
    if (!(error instanceof RunError) || error.code !== 'store_older') throw error;
    await sqliteStore({ path }).close();
    return sqliteReader({ path });
  }
}

/** Works with the store of a file or an address, to write answers to it. */
export async function withAnswers<T>(db: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openToWrite(db);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function openToWrite(db: string): Promise<Store> {
  const database = findPostgres(db);
  if (database !== undefined) return openPostgresStore(database, 'write');
  const { sqliteStore } = await loadSqlite();
  return sqliteStore({ path: db });
}

/** @throws {DefinitionError} `bad_option` */
async function checkStoreFile(db: string): Promise<void> {
  if (!existsSync(db)) throw new DefinitionError('bad_option', await describeMissing(db));
  if (isEmptyFile(db))
    throw new DefinitionError('bad_option', `${db} is empty, and no store: name another file with --db.`);
}

async function describeMissing(db: string): Promise<string> {
  const { config, folder, file } = await findConfig();
  const isConfigured = config.store !== undefined && resolve(folder, config.store) === resolve(db);
  return isConfigured
    ? `There is no store ${db} yet, which ${file} names: the first program that opens it makes it. Name another file with --db.`
    : `There is no store ${db}: name another file with --db.`;
}

/** SQLite would make a store of it, though all that is asked for is to read one. */
function isEmptyFile(db: string): boolean {
  return statSync(db).size === 0 && !existsSync(`${db}-wal`);
}

/** SQLite's log outlives the last who closes the file where somebody else has opened it meanwhile: then it is theirs. */
async function removeStore(file: string): Promise<void> {
  if (!existsSync(`${file}-wal`)) await rm(file, { force: true });
}

/** The store of the configuration, else the one for what coding agents tell of. */
async function findRecords(): Promise<RecordSource> {
  const { config, folder } = await findConfig();
  const own = config.store === undefined ? await openAgentStore(folder) : undefined;
  const db = own ?? (await configuredStore());
  return { db, takeNews: () => takeAgentRuns(folder, () => openToWrite(db)) };
}

async function configuredStore(): Promise<string> {
  const { config, folder, file } = await findConfig();
  if (config.store !== undefined && findPostgres(config.store) !== undefined) return config.store;
  if (config.store !== undefined) return relative(process.cwd(), resolve(folder, config.store));
  const [where, how] =
    file === undefined
      ? ['There is no hooks.config.ts here', 'with --db']
      : [`${file} names no store`, `with --db, or as its "store"`];
  throw new DefinitionError(
    'bad_option',
    `${where}: name the SQLite file of your threads, or the address of your database, ${how}.`,
  );
}
