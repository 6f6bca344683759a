// Schema: the tables and functions in the database, and the migrations to them. The store applies them when it opens; they hold no data.

import { functions } from './functions.ts';
import { heads } from './heads.ts';
import { readerIndexes } from './reader-indexes.ts';
import { tables } from './tables.ts';

/** The SQL of every migration, oldest first; `meta.version` says how many a schema has seen. */
export const migrations: readonly string[] = [`${tables}${functions}`, readerIndexes, heads];

/** A statement in which `$schema` stands for the schema of the store. */
export function inSchema(sql: string, schema: string): string {
  return sql.replaceAll('$schema', `"${schema}"`);
}
