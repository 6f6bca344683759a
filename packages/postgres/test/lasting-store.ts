import { createHash, randomUUID } from 'node:crypto';
import { memoryStore, type Store } from '@spec/runtime';
import pg from 'pg';
import { postgresStore } from '../src/index.ts';
import { serverUrl } from './server.ts';

// Stands in the place of the file of the same name in the tests of the runtime, which then run over PostgreSQL.

/** What the stores are called in the names of tests. */
export const kindOfStore: string = 'postgres';

/** Opens, or makes, the store in the schema that stands for a file. */
export function openLasting(path: string, synchronous: 'FULL' | 'NORMAL' = 'NORMAL'): Store {
  return openedLater(postgresStore({ url: serverUrl(), schema: nameSchema(path), synchronous }));
}

/** A new store for a test that needs many, one after another. */
export function openQuick(): Store {
  return openLasting(randomUUID());
}

/** Of the points of a turn at which its process dies, one of so many is tried. */
export const deathShares: number = 4;

/** All that the tables have in the files of the server, deleted rows included, as text. */
export async function readAtRest(path: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  await client.query('checkpoint');
  const { rows } = await client.query<{ bytes: Buffer }>(
    `select pg_read_binary_file(pg_relation_filepath(c.oid)) as bytes from pg_class c
      where c.relkind in ('r', 'i', 't') and (c.relnamespace = $1::text::regnamespace or c.oid in (
        select o.reltoastrelid from pg_class o where o.relnamespace = $1::text::regnamespace))`,
    [nameSchema(path)],
  );
  await client.end();
  return rows.map(({ bytes }) => bytes.toString('latin1')).join('');
}

function nameSchema(path: string): string {
  const { LASTING_SCHEMAS = 'spec_hooks_test_' } = process.env;
  return `${LASTING_SCHEMAS}${createHash('sha1').update(path).digest('hex').slice(0, 20)}`;
}

/** Tests of the runtime open their stores at once. */
function openedLater(opening: Promise<Store>): Store {
  opening.catch(() => {});
  const call =
    (name: string) =>
    async (...given: unknown[]): Promise<unknown> => {
      const store = (await opening) as unknown as Record<string, (...given: unknown[]) => unknown>;
      return store[name]?.(...given);
    };
  return Object.fromEntries(Object.keys(memoryStore()).map((name) => [name, call(name)])) as unknown as Store;
}
