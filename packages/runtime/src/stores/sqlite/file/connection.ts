import { realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { eq, type SQL, sql } from 'drizzle-orm';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { OnUnreadable } from '../../rows/damaged.ts';

/** An open file: the driver's handle, and drizzle's over the same. */
export interface Connection {
  readonly client: Database.Database;
  readonly orm: BetterSQLite3Database;
  readonly path: string;
  /** Told of rows that lists leave out. */
  readonly onUnreadable: OnUnreadable;
}

/** A connection over an open handle. */
export function connect(
  client: Database.Database,
  { path, onUnreadable }: Pick<Connection, 'path' | 'onUnreadable'>,
): Connection {
  return { client, orm: drizzle(client), path, onUnreadable };
}

/** The path of an open file's write-ahead log: it stands beside the file to which links lead. */
export function locateLog(path: string): string {
  return `${realpathSync(path)}-wal`;
}

/**
 * The driver's statement for a query that drizzle wrote, for the hottest ones: without drizzle's mapping between. Its values are
 * bound in the order of the placeholders, rows come as arrays in the order of the columns asked for, both as SQLite has them.
 */
export function rawStatement<Values extends unknown[], Row = unknown>(
  { client }: Connection,
  query: { toSQL(): { sql: string } },
): RawStatement<Values, Row> {
  const statement = client.prepare<Values, Row>(query.toSQL().sql);
  return bindMethods(statement.reader ? statement.raw() : statement);
}

/** The methods of a statement. */
export type RawStatement<Values extends unknown[], Row> = Pick<
  Database.Statement<Values, Row>,
  'run' | 'get' | 'all'
>;

/**
 * Binds a statement's methods. V8 looks up a method of a native object on its slow path each time, which is a third of the cost of
 * a small statement (bench `inject-normal`).
 */
export function bindMethods<Values extends unknown[], Row>(
  statement: Database.Statement<Values, Row>,
): RawStatement<Values, Row> {
  return {
    run: statement.run.bind(statement),
    get: statement.get.bind(statement),
    all: statement.all.bind(statement),
  };
}

/** A placeholder whose value is encoded as a column's. */
export function bound(column: SQLiteColumn, name: string): SQL {
  return sql`${sql.param(sql.placeholder(name), column)}`;
}

/** The condition that a column holds a placeholder's value, encoded as the column's (drizzle's `eq` leaves placeholders as they are). */
export function equals(column: SQLiteColumn, name: string): SQL {
  return eq(column, bound(column, name));
}
