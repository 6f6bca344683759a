import type { ColumnDataType } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTableWithColumns } from 'drizzle-orm/sqlite-core';

/**
 * The type of a table with such rows, whose `Given` column SQLite fills. It is written out because declarations of this package are
 * generated file by file. A table that contradicts its rows does not compile.
 */
export type TableOf<Row extends object, Given extends keyof Row> = SQLiteTableWithColumns<{
  name: string;
  schema: undefined;
  dialect: 'sqlite';
  columns: { [Name in keyof Row & string]: ColumnOf<Row[Name], Name extends Given ? true : false> };
}>;

type ColumnOf<Value, Given extends boolean> = SQLiteColumn<ColumnFacts<Value, Given>>;

interface ColumnFacts<Value, Given extends boolean> {
  name: string;
  tableName: string;
  dataType: ColumnDataType;
  columnType: string;
  data: NonNullable<Value>;
  driverParam: unknown;
  notNull: null extends Value ? false : true;
  hasDefault: Given;
  isPrimaryKey: Given;
  isAutoincrement: boolean;
  hasRuntimeDefault: false;
  enumValues: string[] | undefined;
  generated: undefined;
  identity: undefined;
}
