import { type Column, getTableColumns, type Table } from 'drizzle-orm';
import { damaged } from '../../rows/damaged.ts';
import { isStoredText } from '../schema/text.ts';

/**
 * A column of SQLite holds whatever was written to it, and a damaged file may hold more than any version of this package wrote. So each row
 * that is read is checked against the schema. An error names only the place of the damage.
 */

/** Checks a row by its column names; `rowName` identifies it, such as `item q1 of thread t1`. @throws RunError `store_unreadable` */
export type RowCheck = (row: object, rowName: () => string) => void;

/** The check for a table's rows. It covers the columns that a row has. */
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

/** The same for rows as lists in the order of these fields, so that no object is made first (bench `long-thread`). */
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
