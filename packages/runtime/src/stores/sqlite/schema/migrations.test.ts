import { readFileSync } from 'node:fs';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { expect, test } from 'vitest';
import { migrations } from './migrations.ts';
import * as schema from './schema.ts';

const folder = new URL('../../../../drizzle/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const { entries } = JSON.parse(read('meta/_journal.json')) as { entries: { idx: number; tag: string }[] };
const remedy = 'run `npm run generate` in packages/runtime';

test('the embedded migrations are the generated ones', () => {
  const plain = (sql: string) =>
    sql.replaceAll('--> statement-breakpoint', '').replaceAll('`', '"').replace(/\s+/g, ' ').trim();
  expect(migrations.map(plain), remedy).toEqual(entries.map(({ tag }) => plain(read(`${tag}.sql`))));
});

test('the schema has no change without a migration', async () => {
  const last = JSON.parse(read(`meta/${String(entries.length - 1).padStart(4, '0')}_snapshot.json`));
  const now = await generateSQLiteDrizzleJson(schema, last.id);
  expect(await generateSQLiteMigration(last, now), remedy).toEqual([]);
});
