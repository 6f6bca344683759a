import pg from 'pg';
import { serverUrl } from './server.ts';

const prefix = `spec_hooks_test_${process.pid}_`;

/** Gives the schemas of a run a name of their own. */
export function setup(): void {
  process.env.LASTING_SCHEMAS = prefix;
}

/** Removes them. */
export async function teardown(): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  const { rows } = await client.query<{ nspname: string }>(
    'select nspname from pg_namespace where starts_with(nspname, $1)',
    [prefix],
  );
  for (const { nspname } of rows) await client.query(`drop schema ${nspname} cascade`);
  await client.end();
}
