import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts, type PostgresServer, startPostgres, startReplica } from '@spec/local-services';
import { postgresStore } from '@spec/postgres';
import { createRuntime } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import pg from 'pg';
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest';
import { type CliResult, runCliApart } from './run-cli.ts';

/** Servers of its own, where the tests over PostgreSQL run. */
const hasServers = process.env.SPEC_POSTGRES_URL !== undefined;
const test = anyTest.skipIf(!hasServers);

const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-database-'));
const SECRET = 'hunter2-4111';
let server: PostgresServer;
let replica: PostgresServer;

async function sql(text: string, url = server.url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function backUp(copy: () => void): Promise<string> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`select pg_backup_start('replica', true)`);
  copy();
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
  await client.end();
  return rows[0].labelfile;
}

/** A turn in a thread `t1`, with a hook that changes the message. */
async function fill(): Promise<void> {
  const store = await postgresStore({ url: server.url });
  const runtime = createRuntime({
    agents: [{ name: 'support', prompt: 'support' }],
    prompts: [{ name: 'support' }],
    models: { scripted: scriptedModel([{ text: 'Gladly.' }]) },
    policies: [],
    store,
  });
  await (await runtime.createThread({ agent: 'support', id: 't1', userId: 'ann' })).send('Please help');
  await runtime.close();
}

beforeAll(async () => {
  if (!hasServers) return;
  chmodSync(folder, 0o755); // PostgreSQL may run as another user.
  const [first = 0, second = 0] = await findFreePorts(2);
  const primaryFolder = join(folder, 'primary');
  server = await startPostgres({ folder: primaryFolder, port: first, isDurable: false });
  await fill();
  const own = { folder: join(folder, 'replica'), port: second, isDurable: false };
  replica = await startReplica({ ...own, primary: server, primaryFolder, backUp });
  await sql(`create role guest login password '${SECRET}'`);
}, 120_000);

afterAll(async () => {
  if (!hasServers) return;
  await replica.stop();
  await server.stop();
});

/** Runs the command, and holds it to tell no password. */
async function cli(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Promise<CliResult> {
  const result = await runCliApart(args, {
    env: { PGPASSWORD: undefined, ...env } as NodeJS.ProcessEnv,
    input,
    cwd: folder,
  });
  for (const text of [result.stdout, result.stderr])
    for (const secret of [SECRET, server.password]) expect(text).not.toContain(secret);
  return result;
}

const withPassword = (): NodeJS.ProcessEnv => ({ PGPASSWORD: server.password });

describe('a database', () => {
  test('takes the place of a file: threads, export, import, log and stats', async () => {
    const db = server.address;
    const threads = await cli(['threads', '--db', db, '--json'], withPassword());
    expect(JSON.parse(threads.stdout).threads).toMatchObject([{ id: 't1', userId: 'ann', messages: 2 }]);
    const exported = await cli(['export', 't1', '--db', db], withPassword());
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('Please help') });
    const copy = `${db}?schema=copy`;
    const imported = await cli(['import', '-', '--db', copy], withPassword(), exported.stdout);
    expect(imported).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^t1 is in 127\.0\.0\.1:\d+\/postgres copy\.\n$/),
    });
    expect((await cli(['export', 't1', '--db', copy], withPassword())).stdout).toBe(exported.stdout);
    const file = join(folder, 'copy.db');
    expect(await cli(['import', '-', '--db', file], {}, exported.stdout)).toMatchObject({ code: 0 });
    expect((await cli(['export', 't1', '--db', file])).stdout).toBe(exported.stdout);
    for (const command of ['log', 'stats'])
      expect(await cli([command, '--db', db], withPassword())).toMatchObject({ code: 0, stderr: '' });
  });

  test('that hooks.config.ts names is used', async () => {
    const project = mkdtempSync(join(folder, 'project-'));
    writeFileSync(join(project, 'hooks.config.mjs'), `export default { store: '${server.address}' };`);
    const { stdout } = await runCliApart(['threads'], { env: withPassword(), cwd: project });
    expect(stdout).toContain('t1');
    expect(existsSync(join(project, 'postgres:'))).toBe(false);
  });

  test('is read on a replica, which takes no import', async () => {
    const db = replica.address;
    expect(await sql('select pg_is_in_recovery() as is', replica.url)).toEqual([{ is: true }]);
    await expect
      .poll(async () => (await cli(['threads', '--db', db], withPassword())).stdout)
      .toContain('t1');
    const exported = await cli(['export', 't1', '--db', db], withPassword());
    expect(exported.stdout).toContain('Please help');
    for (const command of ['log', 'stats'])
      expect(await cli([command, '--db', db], withPassword())).toMatchObject({ code: 0, stderr: '' });
    const refused = await cli(['import', '-', '--db', db], withPassword(), exported.stdout);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/takes no writes.*connect to the primary/),
    });
  });

  test('takes its password from the environment, from a file, and from the address, and never tells it', async () => {
    const { hostname, port } = new URL(server.address);
    const file = join(folder, 'pgpass');
    writeFileSync(file, `${hostname}:${port}:*:spec:${server.password}\n`, { mode: 0o600 });
    expect(await cli(['threads', '--db', server.address], { PGPASSFILE: file })).toMatchObject({ code: 0 });
    for (const command of ['threads', 'log', 'stats', 'export', 'backup', 'vacuum'])
      await cli([
        command,
        ...(command === 'export' || command === 'backup' ? ['t1'] : []),
        '--db',
        server.url,
      ]);
    const withSecret = server.address.replace('@', `:${SECRET}@`);
    for (const debug of [[], ['--debug']]) {
      const { code, stderr } = await cli([...debug, 'threads', '--db', withSecret]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/does not let this user in.*PGPASSWORD/)]);
    }
  });

  test('is not copied to a file, and needs no vacuum: what to do is said', async () => {
    const backup = await cli(
      ['backup', 'copy-of-it.db', '--db', `${server.address}?schema=copy`],
      withPassword(),
    );
    expect(backup).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is a database.*pg_dump -Fc -n copy/),
    });
    expect(existsSync(join(folder, 'copy-of-it.db'))).toBe(false);
    const vacuum = await cli(['vacuum', '--db', server.address], withPassword());
    expect(vacuum).toMatchObject({ code: 1, stderr: expect.stringMatching(/autovacuum/) });
  });
});

describe('a database that cannot be used is told in one sentence, with what to do', () => {
  const cases: readonly (readonly [string, () => string | Promise<string>, RegExp])[] = [
    [
      'no address',
      () => `postgres://user:${SECRET}/x@host:y/db`,
      /no address of a database: write postgres:/,
    ],
    ['a schema that is no name', () => `${server.address}?schema=A-B`, /schema must be a name/],
    [
      'no server',
      () => `postgres://spec:${SECRET}@127.0.0.1:1/postgres`,
      /cannot be reached.*Check that it runs/,
    ],
    ['no host', () => `postgres://spec:${SECRET}@nowhere.invalid/postgres`, /cannot be reached/],
    [
      'an unknown user',
      () => server.address.replace('spec@', `nobody:${SECRET}@`),
      /check the user and the password/,
    ],
    ['a wrong password', () => server.address.replace('@', `:${SECRET}@`), /check the user and the password/],
    [
      'no database',
      () => server.url.replace('/postgres', '/nowhere').replace('nowhere:', 'postgres:'),
      /no such database; create it/,
    ],
    ['no tables', () => `${server.url}?schema=empty`, /no tables; name the schema/],
    [
      'another encoding',
      async () => {
        await sql(`create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`);
        return server.url.replace(/\/postgres$/, '/latin');
      },
      /another encoding than UTF8; create one/,
    ],
    [
      'missing rights',
      () => server.address.replace('spec@', `guest:${SECRET}@`),
      /lacks rights; grant it usage/,
    ],
    [
      'a newer schema',
      async () => {
        await (await postgresStore({ url: server.url, schema: 'newer' })).close();
        await sql('update newer.meta set version = 99');
        return `${server.url}?schema=newer`;
      },
      /newer version.*update @spec\/postgres/,
    ],
  ];
  test.each(cases)('%s', async (_, makeUrl, text) => {
    const url = await makeUrl();
    for (const args of [['threads'], ['export', 't1'], ['log'], ['stats'], ['inspect']]) {
      const { code, stdout, stderr } = await cli([...args, '--db', url]);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr).toMatch(text);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      if (/user|password|rights|database/.test(stderr)) expect(stderr).not.toMatch(/nobody|guest|nowhere/);
    }
  });
});
