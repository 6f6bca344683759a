import { DefinitionError, findUnknownOption, type OptionNames } from '@spec/hooks';
import { type OnUnreadable, warnOnce } from '../../rows/damaged.ts';

/** Options of {@link sqliteStore}. */
export interface SqliteOptions {
  /** The file. It is created if missing, but its folder is not. `':memory:'` keeps everything in memory. */
  path: string;
  /**
   * `FULL`, the default: stored data survives a loss of power. `NORMAL`: it survives the end of the process, but a loss of power may
   * lose the newest commits, always whole ones.
   */
  synchronous?: 'FULL' | 'NORMAL';
  /** How long to wait for another process that writes to the file, in milliseconds (5,000). Meanwhile the event loop goes on. */
  busyTimeoutMs?: number;
  /**
   * Default true: deleted and edited text is overwritten with zeros and the write-ahead log is emptied before the promise resolves.
   * `false` leaves the old bytes until SQLite reuses their place.
   */
  secureDelete?: boolean;
  /**
   * Called with a damaged row that `listThreads()` or `listRuns()` leaves out (`store_unreadable`, with its table, id and column, never
   * data). Default: a process warning, once for each row.
   */
  onUnreadable?: OnUnreadable;
}

/** Checked options with their defaults. */
export type SqliteSettings = Required<SqliteOptions>;

const optionNames: OptionNames<SqliteOptions> = {
  path: true,
  synchronous: true,
  busyTimeoutMs: true,
  secureDelete: true,
  onUnreadable: true,
};

/** @throws DefinitionError `bad_option`, naming the option. */
export function checkSqliteOptions(options: SqliteOptions): SqliteSettings {
  if (typeof options !== 'object' || options === null) throw bad('needs', 'options, such as { path }');
  const unknown = findUnknownOption(options, optionNames);
  if (unknown !== undefined) throw new DefinitionError('bad_option', `sqliteStore: ${unknown}`);
  const { path, synchronous = 'FULL', busyTimeoutMs = 5_000, secureDelete = true } = options;
  const { onUnreadable = warnOnce(path) } = options;
  if (typeof path !== 'string' || path === '' || path.includes('\0') || path !== path.trim()) {
    throw bad('path', 'must be the path of a file, without white space around it');
  }
  if (synchronous !== 'FULL' && synchronous !== 'NORMAL')
    throw bad('synchronous', "must be 'FULL' or 'NORMAL'");
  if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0 || busyTimeoutMs > 2 ** 31 - 1) {
    throw bad('busyTimeoutMs', 'must be a whole number of milliseconds, 0 or more');
  }
  if (typeof secureDelete !== 'boolean') throw bad('secureDelete', 'must be true or false');
  if (typeof onUnreadable !== 'function') throw bad('onUnreadable', 'must be a function');
  return { path, synchronous, busyTimeoutMs, secureDelete, onUnreadable };
}

function bad(option: string, rule: string): DefinitionError {
  return new DefinitionError('bad_option', `sqliteStore: ${option} ${rule}`);
}
