import { type Column, getTableColumns, type Table } from 'drizzle-orm';
import { damaged } from '../../rows/damaged.ts';
import { isStoredText } from '../schema/text.ts';

/**
 * SQLite keeps in a column whatever is written there, and a damaged file has more than any version of this package wrote. So each row
 * that is read is checked against the schema: of what is wrong, its place is told and nothing else.
 */

/** Checks a row by the names of its columns; `rowName` tells it from others, such as `item q1 of thread t1`. @throws RunError `store_unreadable` */
export type RowCheck = (row: object, rowName: () => string) => void;

/** The check of a table's rows, for as many of its columns as a row has. */
export function makeRowCheck(table: Table, tableName: string): RowCheck {
  const columns = makeColumnChecks(table);
  return (row, rowName) => {
    for (const [field, value] of Object.entries(row)) {
      const check = columns.get(field);
      if (check !== undefined && !check.holds(value))
        throw damaged({ table: tableName, row: rowName(), column: check.name });
    }
  };
}

/** The same for rows that come as lists, in the order of these fields: no row becomes an object first (bench `long-thread`). */
export function makeListCheck(
  table: Table,
  tableName: string,
  fields: readonly string[],
): (row: readonly unknown[], rowName: () => string) => void {
  const columns = makeColumnChecks(table);
  const checks = fields.map((field) => columns.get(field) as ColumnCheck);
  return (row, rowName) => {
    for (let at = 0; at < checks.length; at++) {
      const { holds, name } = checks[at] as ColumnCheck;
      if (!holds(row[at])) throw damaged({ table: tableName, row: rowName(), column: name });
    }
  };
}

interface ColumnCheck {
  readonly name: string;
  holds(value: unknown): boolean;
}

function makeColumnChecks(table: Table): ReadonlyMap<string, ColumnCheck> {
  const columns = Object.entries(getTableColumns(table));
  return new Map(columns.map(([field, column]) => [field, makeColumnCheck(column)]));
}

function makeColumnCheck(column: Column): ColumnCheck {
  const { name, notNull, primary } = column;
  const typed = valueCheck(column);
  return { name, holds: notNull || primary ? typed : (value) => value === null || typed(value) };
}

function valueCheck(column: Column): (value: unknown) => boolean {
  const { enumValues: allowed = [], columnType } = column;
  if (allowed.length > 0) return (value) => (allowed as readonly unknown[]).includes(value);
  const kind = column.getSQLType();
  if (kind === 'integer') return Number.isFinite;
  if (kind === 'blob') return Buffer.isBuffer;
  return columnType === 'SQLiteText' ? (value) => typeof value === 'string' : isStoredText;
}
