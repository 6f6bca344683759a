// SQLite: the store in a file. The application passes it to the runtime; nothing in this package calls it except through the store's port.

import { createStore } from '../derive/index.ts';
import type { Store } from '../store.ts';
import { backUp } from './file/backup.ts';
import { openCommits } from './file/commits.ts';
import type { Connection } from './file/connection.ts';
import { storeFailure, unreadable } from './file/failures.ts';
import { openConnection, openFailure } from './file/open.ts';
import { checkSqliteOptions, type SqliteOptions, type SqliteSettings } from './file/options.ts';
import { rowsDriver } from './methods/driver.ts';
import { type OpenFile, prepareTables } from './tables/tables.ts';

export type { SqliteOptions } from './file/options.ts';
export type { ReaderOptions } from './reader/options.ts';
export { sqliteReader } from './reader/reader.ts';

/** A store in a file, with the methods that only a file needs. */
export interface SqliteStore extends Store {
  /**
   * Rewrites the file without the space of deleted rows. Meanwhile nothing else is stored, and the event loop stands still.
   * @throws RunError `store_failed` if another process keeps the file locked or the disk is full; no data is lost.
   */
  vacuum(): Promise<void>;
}

/**
 * A store in one SQLite file. Opens or creates the file at once, and brings an older one to the newest schema.
 * @throws DefinitionError `bad_option`, or `missing_dependency` if better-sqlite3 is not built for this Node.
 * @throws RunError `store_unreadable`, `store_newer` or `store_failed` if the file cannot be used.
 */
export function sqliteStore(options: SqliteOptions): SqliteStore {
  const settings = checkSqliteOptions(options);
  const connection = openConnection(settings);
  const file = prepared(connection, settings);
  const store = createStore({
    ...rowsDriver(file),
    async backup(path) {
      await file.commits.write(() => {});
      await backUp(settings.path, path);
    },
  });
  return {
    ...store,
    vacuum: () =>
      file.commits.rewrite().catch((error: unknown) => {
        throw storeFailure(error, settings.path);
      }),
  };
}

/** @throws RunError `store_unreadable` if the file claims to be one of ours but has other tables. */
function prepared(connection: Connection, settings: SqliteSettings): OpenFile {
  try {
    return { tables: prepareTables(connection), commits: openCommits(connection, settings) };
  } catch (error) {
    connection.client.close();
    const { path } = settings;
    if ((error as { code?: unknown }).code === 'SQLITE_ERROR')
      throw unreadable(path, 'its tables are not those of its version; restore a copy of it');
    throw openFailure(error, path);
  }
}
