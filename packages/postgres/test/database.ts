import type { Store } from '@spec/runtime';
import pg from 'pg';
import { afterAll, test } from 'vitest';
import { type PostgresOptions, postgresStore } from '../src/index.ts';
import { hasServer, serverUrl } from './server.ts';

/** Runs where `SPEC_POSTGRES_URL` names a server. */
export const serverTest: typeof test = test.skipIf(!hasServer) as typeof test;

/** The same server with another user, password, database or parameter. */
export function urlWith(
  changes: Partial<Pick<URL, 'username' | 'password' | 'pathname' | 'port' | 'search'>>,
): string {
  return Object.assign(new URL(serverUrl()), changes).href;
}

/** The server with settings of its own for a connection, such as `lock_timeout=100`. */
export function urlWithOptions(...options: string[]): string {
  return urlWith({ search: `options=${encodeURIComponent(options.map((one) => `-c ${one}`).join(' '))}` });
}

let made = 0;

/** What one file of tests works with. */
export interface TestDatabase {
  /** The name of a schema that nobody else has. */
  newSchema(): string;
  /** Opens a store in a schema, else in a new one. */
  open(options?: Partial<PostgresOptions>): Promise<Store>;
  /** The schema of a store that `open` gave. */
  schemaOf(store: Store): string;
  /** Asks the server itself; `$schema` stands for the schema. */
  sql(text: string, schema?: string): Promise<Record<string, unknown>[]>;
}

/** Schemas of its own for one file, which go with its end. */
export function testDatabase(): TestDatabase {
  const pool = new pg.Pool({ connectionString: serverUrl(), max: 2 });
  pool.on('error', () => {});
  const schemas: string[] = [];
  const opened = new WeakMap<Store, string>();

  function newSchema(): string {
    made += 1;
    const schema = `t${process.pid}_${made}_${Math.random().toString(36).slice(2, 8)}`;
    schemas.push(schema);
    return schema;
  }

  afterAll(async () => {
    for (const schema of schemas) await pool.query(`drop schema if exists ${schema} cascade`);
    await pool.end();
  });

  return {
    newSchema,
    async open(options = {}) {
      const { schema = newSchema() } = options;
      const place = options.pool === undefined ? { url: serverUrl() } : {};
      const store = await postgresStore({ ...place, ...options, schema });
      opened.set(store, schema);
      return store;
    },
    schemaOf: (store) => opened.get(store) ?? '',
    sql: async (text, schema = '') => (await pool.query(text.replaceAll('$schema', schema))).rows,
  };
}
