import { checkOptionNames, DefinitionError, RunError } from '@spec/hooks';
import Database from 'better-sqlite3';
import {
  type Account,
  type CostStore,
  newAccount,
  type Reservation,
  reserveIn,
  settleIn,
} from './cost-store.ts';

/** What `sqliteCosts` takes. */
export interface SqliteCostsOptions {
  /** The file; it is made if it is not there. */
  readonly path: string;
  /** How many milliseconds to wait for another process that writes. Default 5000. */
  readonly busyTimeout?: number;
}

/** A store of what was spent, in a file that several processes may use at once. */
export interface SqliteCosts extends CostStore {
  /** What a key has spent, and what is reserved for it. */
  account(key: string): Promise<Account>;
  close(): void;
}

const SCHEMA = 'CREATE TABLE IF NOT EXISTS accounts (key TEXT PRIMARY KEY, account TEXT NOT NULL) STRICT';

/**
 * Keeps what `limitCost` counts in an SQLite file.
 *
 * @throws {DefinitionError} `bad_option`; `missing_dependency` where better-sqlite3 is not built for this Node
 * @throws {RunError} `store_failed` where the file cannot be opened
 */
export function sqliteCosts(options: SqliteCostsOptions): SqliteCosts {
  checkOptionNames('sqliteCosts', options, { path: true, busyTimeout: true });
  const { path, busyTimeout = 5_000 } = options;
  if (typeof path !== 'string' || path === '')
    throw new DefinitionError('bad_option', 'sqliteCosts: path must be the name of a file.');
  const database = open(path, busyTimeout);
  const read = database.prepare<[string], { account: string }>('SELECT account FROM accounts WHERE key = ?');
  const write = database.prepare<[string, string]>('INSERT OR REPLACE INTO accounts VALUES (?, ?)');
  const find = (key: string): Account => {
    const row = read.get(key);
    return row === undefined ? newAccount : (JSON.parse(row.account) as Account);
  };
  const reserve = database.transaction((reservation: Reservation) => {
    const { next, ...told } = reserveIn(find(reservation.key), reservation);
    write.run(reservation.key, JSON.stringify(next));
    return told;
  });
  const settle = database.transaction((key: string, callId: string, amount: number) =>
    write.run(key, JSON.stringify(settleIn(find(key), callId, amount))),
  );
  return {
    reserve: async (reservation) => reserve.immediate(reservation),
    settle: async (key, callId, amount) => void settle.immediate(key, callId, amount),
    account: async (key) => find(key),
    close: () => void database.close(),
  };
}

function open(path: string, timeout: number): Database.Database {
  try {
    const database = new Database(path, { timeout });
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec(SCHEMA);
    return database;
  } catch (error) {
    if (error instanceof Database.SqliteError)
      throw new RunError('store_failed', `The file ${path} cannot be used to keep costs in: ${error.code}.`);
    const remedy = 'run `npm rebuild better-sqlite3`';
    const message = `the native part of better-sqlite3 is missing or was built for another Node; ${remedy}`;
    throw new DefinitionError('missing_dependency', message);
  }
}
