// Schema: the tables and functions in the database, and the migrations to them. The store applies them when it opens; they hold no data.

import { functions } from './1-functions.ts';
import { tables } from './1-tables.ts';
import { readerIndexes } from './2-reader-indexes.ts';
import { heads } from './3-heads.ts';
import { parsedPackets } from './4-parsed-packets.ts';

/** The SQL of every migration, oldest first; `meta.version` says how many a schema has seen. */
export const migrations: readonly string[] = [`${tables}${functions}`, readerIndexes, heads, parsedPackets];

/** A statement in which `$schema` stands for the schema of the store. */
export function inSchema(sql: string, schema: string): string {
  return sql.replaceAll('$schema', `"${schema}"`);
}
