import pg from 'pg';
import { afterAll, describe, expect } from 'vitest';
import { serverTest as test, testDatabase, urlWith, urlWithOptions } from '../test/database.ts';
import { item, message, run, thread, thrownBy } from '../test/samples.ts';
import { serverUrl } from '../test/server.ts';
import { type PostgresOptions, postgresStore } from './index.ts';
import { findServerProblem } from './open-schema.ts';
import { migrations } from './schema/migrations.ts';

const { open, newSchema, schemaOf, sql } = testDatabase();

const SECRET = 's3cret-4111';
const role = `guest_${process.pid}`;
const latin = `latin_${process.pid}`;

let isMade = false;

afterAll(async () => {
  if (!isMade) return;
  const pool = new pg.Pool({ connectionString: serverUrl(), max: 1 });
  await pool.query(`drop database if exists ${latin}`);
  await pool.query(`do $$ begin drop owned by ${role}; exception when undefined_object then null; end $$`);
  await pool.query(`drop role if exists ${role}`);
  await pool.end();
});

describe('an address', () => {
  const wrong: [string, PostgresOptions | undefined, RegExp][] = [
    ['none at all', undefined, /needs options, such as \{ url \}/],
    ['neither url nor pool', {}, /url or pool, one of the two/],
    ['both', { url: 'postgres://host/db', pool: new pg.Pool() }, /url or pool, one of the two/],
    ['no address', { url: SECRET }, /url must be such as postgres:\/\/user@host:5432\/database/],
    ['another protocol', { url: `mysql://user:${SECRET}@host/db` }, /url must be such as/],
    ['a password that is not escaped', { url: `postgres://user:${SECRET}/x@host/db` }, /%2F/],
    ['no pool', { pool: {} as never }, /pool must be a Pool of pg/],
    ['a schema that is no name', { url: 'postgres://host/db', schema: 'a"; drop' }, /schema must be a name/],
    ['an unknown option', { url: 'postgres://host/db', patience: 1 } as never, /Did you mean "patienceMs"/],
    ['no number', { url: 'postgres://host/db', patienceMs: Number.NaN }, /patienceMs must be a whole number/],
  ];
  test.each(wrong)('that is wrong is refused and not repeated: %s', async (_, options, text) => {
    const error = await thrownBy(postgresStore(options as PostgresOptions));
    expect(error).toMatchObject({ code: 'bad_option', message: expect.stringMatching(text) });
    expect(error.message).not.toContain(SECRET);
  });
});

/** The error of opening, which holds nothing of the address. */
async function refuseToOpen(options: Partial<PostgresOptions>): Promise<Error & { code?: string }> {
  const error = await thrownBy(open({ patienceMs: 200, ...options }));
  expect(error.message).not.toMatch(new RegExp(`${SECRET}|nobody_|nowhere|127\\.0\\.0\\.1|localhost`));
  expect(error.cause).toBe(undefined);
  return error;
}

describe('a server', () => {
  test('that cannot be found is told', async () => {
    const error = await refuseToOpen({ url: `postgres://user:${SECRET}@nowhere.invalid/db` });
    expect(error).toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/cannot be reached|connection failed/),
    });
  });

  test('whose certificate cannot be checked is told', async () => {
    const error = await refuseToOpen({ url: `postgres://user@localhost/db?sslrootcert=/${SECRET}` });
    expect(error).toMatchObject({ code: 'store_failed', message: expect.stringMatching(/\(ENOENT\).*TLS/) });
  });

  test('that lets the user not in is told', async () => {
    const url = urlWith({ username: 'nobody_there', password: SECRET });
    const error = await refuseToOpen({ url });
    expect(error).toMatchObject({
      code: 'store_unreadable',
      message: expect.stringMatching(/user and the password.*\(28/),
    });
  });

  test('without the database is told', async () => {
    const error = await refuseToOpen({ url: urlWith({ pathname: '/nowhere' }) });
    expect(error).toMatchObject({
      code: 'store_unreadable',
      message: expect.stringMatching(/no such database.*3D000/),
    });
  });

  test('with another encoding is told', async () => {
    isMade = true;
    await sql(`create database ${latin} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`);
    const error = await refuseToOpen({ url: urlWith({ pathname: `/${latin}` }) });
    expect(error).toMatchObject({
      code: 'store_unreadable',
      message: expect.stringMatching(/UTF8.*TEMPLATE template0/),
    });
  });

  test('that takes no writes is told', async () => {
    const error = await refuseToOpen({ url: urlWithOptions('default_transaction_read_only=on') });
    expect(error).toMatchObject({
      code: 'store_unreadable',
      message: expect.stringMatching(/takes no writes/),
    });
  });

  test('that is too old is told', () => {
    const server = { version: 130_012, encoding: 'UTF8', isReadOnly: false };
    expect(findServerProblem(server)).toBe('the server is PostgreSQL 13; use 14 or newer');
    expect(findServerProblem({ ...server, version: 140_000 })).toBe(undefined);
  });
});

describe('a schema', () => {
  test('of a newer version is refused, and left as it is', async () => {
    const store = await open();
    await store.close();
    const schema = schemaOf(store);
    await sql('update $schema.meta set version = version + 1', schema);
    const error = await refuseToOpen({ schema });
    expect(error).toMatchObject({
      code: 'store_newer',
      message: expect.stringMatching(/update @spec\/postgres/),
    });
    expect(await sql('select version from $schema.meta', schema)).toEqual([
      { version: migrations.length + 1 },
    ]);
    await sql('update $schema.meta set version = 0', schema);
    expect(await refuseToOpen({ schema, migrate: false })).toMatchObject({ code: 'store_unreadable' });
  });

  test('that is not there is refused with migrate: false', async () => {
    const error = await refuseToOpen({ migrate: false });
    expect(error).toMatchObject({
      code: 'store_unreadable',
      message: expect.stringMatching(/no tables; open it once/),
    });
  });

  test('is made once by many that open it at once', async () => {
    const schema = newSchema();
    const stores = await Promise.all(Array.from({ length: 6 }, () => open({ schema })));
    await stores[0]?.createThread(thread());
    expect(await sql('select version from $schema.meta', schema)).toEqual([{ version: migrations.length }]);
    expect(await stores[5]?.getThread('thread-1')).toEqual(thread());
    await Promise.all(stores.map((store) => store.close()));
  });

  test('needs rights, and with them another user may use it without those to change it', async () => {
    const schema = newSchema();
    isMade = true;
    await sql(`create role ${role} login password 'guest'`);
    const url = urlWith({ username: role, password: 'guest' });
    const forbidden = await refuseToOpen({ url, schema });
    expect(forbidden).toMatchObject({
      code: 'store_unreadable',
      message: expect.stringMatching(/lacks rights.*42501/),
    });
    const owner = await open({ schema });
    expect(await refuseToOpen({ url, schema, migrate: false })).toMatchObject({
      message: expect.stringMatching(/lacks rights/),
    });
    for (const right of [
      'usage on schema $schema',
      'all on all tables in schema $schema',
      'all on all sequences in schema $schema',
    ])
      await sql(`grant ${right} to ${role}`, schema);
    const guest = await open({ url, schema, migrate: false });
    await guest.createThread(thread());
    await guest.acquireLease({ threadId: 'thread-1', owner: 'a', ttlMs: 1_000 });
    await guest.append('thread-1', 1, { messages: [message('m')], runs: [run()] });
    expect(await owner.countMessages('thread-1')).toBe(1);
    await Promise.all([owner.close(), guest.close()]);
  });
});

describe('an error of the server', () => {
  test('says its code and nothing that was given', async () => {
    const store = await open();
    await store.createThread(thread());
    const hostile = {
      threadId: 'thread-1',
      id: SECRET,
      hook: SECRET,
      source: SECRET,
      why: SECRET,
      turnId: SECRET,
    };
    const append = {
      messages: [message('m', { content: SECRET, name: SECRET, [SECRET]: SECRET, metadata: { a: SECRET } })],
      toolCalls: [
        { id: SECRET, messageId: 'm', position: Number.NaN, name: SECRET, status: SECRET as never },
      ],
      runs: [run(hostile)],
      enqueue: [item('q', { payload: { a: SECRET } })],
      values: [{ key: 'k', value: SECRET }],
    };
    const schema = schemaOf(store);
    const errors = [await thrownBy(store.append('thread-1', 0, append))];
    expect(errors[0]).toMatchObject({ code: 'store_failed', message: expect.stringMatching(/\(23502\)/) });
    await sql('drop table $schema.hook_runs', schema);
    errors.push(await thrownBy(store.append('thread-1', 0, { ...append, toolCalls: [] })));
    errors.push(await thrownBy(store.listRuns({ turnId: SECRET })));
    await sql('drop schema $schema cascade', schema);
    errors.push(await thrownBy(store.setValue('thread-1', 0, { key: 'k', value: SECRET })));
    errors.push(await thrownBy(store.acquireLease({ threadId: 'thread-1', owner: SECRET, ttlMs: 1 })));
    for (const error of errors) {
      expect(error.code).toMatch(/^store_(?:failed|unreadable)$/);
      expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(SECRET);
    }
    await store.close();
  });

  test('about a damaged row names its place, and the rows beside it are read', async () => {
    const told: string[] = [];
    const store = await open({ onUnreadable: (error) => void told.push(error.message) });
    const schema = schemaOf(store);
    for (const id of ['a', 'b']) await store.createThread(thread({ id, metadata: { note: SECRET } }));
    await store.append('a', 0, {
      messages: [message('m', { more: SECRET })],
      enqueue: [item('q')],
      values: [{ key: 'k', value: SECRET }],
    });
    await sql(`update $schema.threads set metadata = '{"${SECRET}' where id = 'a'`, schema);
    await sql(`update $schema.messages set extra = '{"${SECRET}'`, schema);
    await sql(`update $schema.queue set payload = '"${SECRET}"'`, schema);
    await sql(`update $schema.kept_values set value = '${SECRET}'`, schema);
    const errors = await Promise.all(
      [store.getThread('a'), store.listMessages('a'), store.listQueue('a'), store.getValue('a', 'k')].map(
        thrownBy,
      ),
    );
    expect((await store.listThreads()).map(({ id }) => id)).toEqual(['b']);
    for (const text of [...errors.map(({ message }) => message), ...told]) {
      expect(text).toMatch(/column \w+ of .* in the table \w+ is damaged/);
      expect(text).not.toContain(SECRET);
    }
    expect(errors.map(({ code }) => code)).toEqual(Array(4).fill('store_unreadable'));
    await store.close();
  });
});

test('a pool of the application stays open, and keeps its settings', async () => {
  const pool = new pg.Pool({ connectionString: serverUrl() });
  const store = await open({ pool });
  await store.createThread(thread());
  expect(await store.getThread('thread-1')).toEqual(thread());
  await store.close();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});
