import { realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { eq, type SQL, sql } from 'drizzle-orm';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { OnUnreadable } from '../../rows/damaged.ts';

/** An open file: the driver's handle, and drizzle over the same handle. */
export interface Connection {
  readonly client: Database.Database;
  readonly orm: BetterSQLite3Database;
  readonly path: string;
  /** Called with rows that lists leave out. */
  readonly onUnreadable: OnUnreadable;
}

/** A connection on an open handle. */
export function connect(
  client: Database.Database,
  { path, onUnreadable }: Pick<Connection, 'path' | 'onUnreadable'>,
): Connection {
  return { client, orm: drizzle(client), path, onUnreadable };
}

/** The path of an open file's write-ahead log. It lies beside the real file, after links are followed. */
export function locateLog(path: string): string {
  return `${realpathSync(path)}-wal`;
}

/**
 * Prepares a drizzle query as a statement of the driver, without drizzle's mapping: for the most frequent queries. Values are
 * bound in the order of the placeholders. Rows are arrays in the order of the columns. Both have SQLite's form.
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
 * Binds a statement's methods. Each time V8 looks up a method of a native object, it takes its slow path: a third of the cost of
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

/** A placeholder whose value is encoded like the column's. */
export function bound(column: SQLiteColumn, name: string): SQL {
  return sql`${sql.param(sql.placeholder(name), column)}`;
}

/** The condition that a column equals a placeholder's value, encoded like the column's (drizzle's `eq` does not encode placeholders). */
export function equals(column: SQLiteColumn, name: string): SQL {
  return eq(column, bound(column, name));
}
