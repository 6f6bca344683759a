import type { Store } from '@spec/runtime';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { serverTest as test, testDatabase, urlWith, urlWithOptions } from '../test/database.ts';
import { item, message, run, thread, thrownBy } from '../test/samples.ts';
import { serverUrl } from '../test/server.ts';
import type { PostgresPool } from './index.ts';

const { open, schemaOf, sql } = testDatabase();

const t = 'thread-1';
const texts = [
  'a\0b',
  '\ud83d',
  '\udc00\ud83d',
  '\u0001',
  '\u0001"\u0001"',
  '\u0001"a"',
  '"a"',
  '',
  '\ufeff',
  '\u0000',
];

async function withThread(options?: Parameters<typeof open>[0]): Promise<Store> {
  const store = await open(options);
  await store.createThread(thread());
  return store;
}

async function twoStores(): Promise<[Store, Store]> {
  const store = await withThread();
  return [store, await open({ schema: schemaOf(store) })];
}

describe('texts', () => {
  test('that PostgreSQL does not keep are kept wherever a text may stand, and no two become one', async () => {
    const store = await open();
    for (const [index, text] of texts.entries()) {
      const id = `${text}${index}`;
      await store.createThread(
        thread({
          id,
          agentId: text,
          userId: text,
          terminated: text,
          turn: { id: text },
          metadata: { [text]: text },
        }),
      );
      const stored = {
        ...message(`m${text}`),
        content: text,
        name: text,
        tool_calls: text,
        metadata: text,
        [`x${text}`]: text,
      };
      await store.append(id, 0, {
        messages: [stored],
        toolCalls: [{ id: text, messageId: `m${text}`, position: 0, name: text, status: 'done' }],
        enqueue: [item(`q${text}`, { payload: { [text]: text } })],
        runs: [run({ threadId: id, id: text, turnId: text, why: `w${text}` })],
      });
      for (const [number, key] of texts.entries()) await store.setValue(id, 0, { key, value: [number, key] });
      const data = new Uint8Array([index]);
      const file = { type: 'file' as const, path: text, name: text, mimeType: text, size: 1, data };
      await store.writeFile(id, 0, file);

      expect(await store.getThread(id)).toMatchObject({
        id,
        agentId: text,
        turn: { id: text },
        metadata: { [text]: text },
      });
      expect(await store.listMessages(id)).toEqual([stored]);
      expect(await store.getMessage(id, `m${text}`)).toEqual(stored);
      expect(await store.listToolCalls(id, { messageId: `m${text}` })).toMatchObject([
        { id: text, name: text },
      ]);
      expect(await store.listQueue(id)).toEqual([item(`q${text}`, { payload: { [text]: text } })]);
      expect(await store.listRuns({ threadId: id, turnId: text })).toMatchObject([
        { id: text, turnId: text, why: `w${text}` },
      ]);
      expect((await store.listValues(id)).length).toBe(new Set(texts).size);
      expect(await store.getValue(id, text)).toEqual([texts.lastIndexOf(text), text]);
      expect(await store.readFile(id, text)).toEqual(file);
      expect(
        await store.acquireLease({ threadId: id, owner: text, ttlMs: 1000, turnId: `t${text}` }),
      ).toMatchObject({
        owner: text,
        turnId: `t${text}`,
      });
    }
    expect((await store.listThreads()).length).toBe(texts.length);
    await store.close();
  });

  test('too long for an index are refused by name, and the longest that fit are kept', async () => {
    const store = await withThread();
    const random = (bytes: number) =>
      Array.from({ length: bytes }, () => String.fromCharCode(33 + Math.random() * 90)).join('');
    const long = random(2001);
    const fits = random(2000);
    const file = { type: 'file' as const, name: '', mimeType: '', size: 0, data: new Uint8Array() };
    const refusals: [string, () => Promise<unknown>, string][] = [
      ['the id of a thread', () => store.createThread(thread({ id: long })), 'invalid_input'],
      [
        'the parent of a thread',
        () => store.createThread(thread({ id: 'c', parentId: long })),
        'invalid_input',
      ],
      ['the id of a message', () => store.append(t, 0, { messages: [message(long)] }), 'invalid_message'],
      ['the id of a queue item', () => store.append(t, 0, { enqueue: [item(long)] }), 'invalid_message'],
      ['the id of a queue item', () => store.post(t, item(long)), 'invalid_message'],
      ['the key of a value', () => store.setValue(t, 0, { key: long, value: 1 }), 'invalid_input'],
      [
        'the path of a file',
        () => store.writeFile(t, 0, { ...file, path: `${'ü'.repeat(1001)}` }),
        'invalid_input',
      ],
    ];
    for (const [name, write, code] of refusals) {
      const error = await thrownBy(write());
      expect(error).toMatchObject({ code, message: expect.stringMatching(`${name}.*2000 bytes`) });
      expect(error.message).not.toContain(long);
    }
    expect(await store.getMessage(t, long)).toBe(null);
    await store.createThread(thread({ id: fits, parentId: fits }));
    await store.append(fits, 0, {
      messages: [message(fits)],
      enqueue: [item(`${fits.slice(1)}q`)],
      values: [{ key: fits, value: 1 }],
    });
    await store.writeFile(fits, 0, { ...file, path: fits });
    expect(await store.getMessage(fits, fits)).toEqual(message(fits));
    await store.close();
  });

  test('and numbers come back to the last bit', async () => {
    const store = await withThread();
    const numbers = [1.5, 0.1 + 0.2, 2 ** 53 + 2, 5e-324, 1.7976931348623157e308, -1e-7];
    const messages = numbers.map((at, index) =>
      message(`m${index}`, { created_at: at, depth: at, more: at }),
    );
    await store.append(t, 0, { messages });
    expect(await store.listMessages(t)).toEqual(messages);
    await store.close();
  });
});

describe('commits of several processes', () => {
  test('stand one after another in a thread, each whole', async () => {
    const [a, b] = await twoStores();
    const append = (store: Store, name: string, index: number) =>
      store.append(t, 0, { messages: [message(`${name}${index}.1`), message(`${name}${index}.2`)] });
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    await Promise.all(numbers.flatMap((index) => [append(a, 'a', index), append(b, 'b', index)]));
    const ids = (await a.listMessages(t)).map(({ id }) => id);
    expect(ids.length).toBe(160);
    for (let at = 0; at < ids.length; at += 2) expect(ids[at + 1]).toBe(`${ids[at]?.slice(0, -2)}.2`);
    await Promise.all([a.close(), b.close()]);
  });

  test('make of a new message and an item with its id one of the two', async () => {
    const [a, b] = await twoStores();
    const ids = Array.from({ length: 40 }, (_, index) => `m${index}`);
    await Promise.allSettled(
      ids.flatMap((id) => [a.append(t, 0, { messages: [message(id)], newIds: [id] }), b.post(t, item(id))]),
    );
    const there = [...(await a.listMessages(t)), ...(await b.listQueue(t))].map(({ id }) => id);
    expect(there.sort()).toEqual([...ids].sort());
    await Promise.all([a.close(), b.close()]);
  });

  test('change one message without losing each other’s fields', async () => {
    const [a, b] = await twoStores();
    await a.append(t, 0, { messages: [message('m')] });
    const update = (store: Store, name: string) =>
      store.updateMessage(t, 0, { id: 'm', fields: { [name]: name } });
    const names = Array.from({ length: 15 }, (_, index) => `f${index}`);
    await Promise.all(names.flatMap((name) => [update(a, `a${name}`), update(b, `b${name}`)]));
    const expected = Object.fromEntries(
      names.flatMap((name) => [
        [`a${name}`, `a${name}`],
        [`b${name}`, `b${name}`],
      ]),
    );
    expect(await a.getMessage(t, 'm')).toEqual({ ...message('m'), ...expected });
    await Promise.all([a.close(), b.close()]);
  });

  test('count a shared value up, each of them once', async () => {
    const [a, b] = await twoStores();
    async function countUp(store: Store): Promise<void> {
      for (;;) {
        const value = await store.getValue(t, 'n');
        if (await store.setValuesIf(t, { key: 'n', value }, [{ key: 'n', value: Number(value ?? 0) + 1 }]))
          return;
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, index) => countUp(index % 2 ? a : b)));
    expect(await a.getValue(t, 'n')).toBe(20);
    await Promise.all([a.close(), b.close()]);
  });

  test('in batches over the same threads, in whatever order, wait for each other and are all stored', async () => {
    const [a, b] = await twoStores();
    const ids = Array.from({ length: 20 }, (_, index) => `t${index}`);
    for (const id of ids) await a.createThread(thread({ id }));
    for (let round = 0; round < 10; round += 1)
      await Promise.all([
        ...ids.map((id) => a.append(id, 0, { messages: [message(`a${round}`)] })),
        ...ids.toReversed().map((id) => b.append(id, 0, { messages: [message(`b${round}`)] })),
      ]);
    for (const id of ids) expect(await a.countMessages(id)).toBe(20);
    await Promise.all([a.close(), b.close()]);
  });

  test('in a batch with one that is refused are stored, and it alone is refused', async () => {
    const store = await open();
    for (const id of ['a', 'b', 'c']) await store.createThread(thread({ id }));
    const lease = await store.acquireLease({ threadId: 'b', owner: 'x', ttlMs: 60_000 });
    const settled = await Promise.allSettled([
      store.append('a', 0, { messages: [message('m')] }),
      store.append('b', lease.fence - 1, { messages: [message('m')] }),
      store.append('none', 0, { messages: [message('m')] }),
      store.append('c', 0, { messages: [message('m')] }),
    ]);
    expect(settled.map((one) => (one.status === 'rejected' ? one.reason.code : 'stored'))).toEqual([
      ...['stored', 'thread_busy', 'not_found', 'stored'],
    ]);
    await store.close();
  });

  test('share statements where they are made at once, and take one each where they are made one after another', async () => {
    const pool = new pg.Pool({ connectionString: serverUrl() });
    let statements = 0;
    const counted: PostgresPool = {
      query(query) {
        statements += 1;
        return pool.query(query);
      },
    };
    const store = await open({ pool: counted });
    const ids = Array.from({ length: 32 }, (_, index) => `t${index}`);
    for (const id of ids) await store.createThread(thread({ id }));
    const append = (id: string, name: string) =>
      store.append(id, 0, {
        messages: [message(name)],
        runs: [run({ threadId: id })],
        values: [{ key: 'k', value: 1 }],
      });
    statements = 0;
    await Promise.all(ids.map((id) => append(id, 'm1')));
    expect(statements).toBe(1);
    for (const id of ids.slice(0, 8)) await append(id, 'm2');
    expect(statements).toBe(9);
    await store.append('t0', 0, { messages: [message('m2')] }); // Known: it is looked at, and nothing is unusual about what is left.
    expect(statements).toBe(12);
    await store.close();
    await pool.end();
  });

  test('are refused under a fence that was taken over, and what came after the takeover is the last', async () => {
    const [a, b] = await twoStores();
    for (let race = 0; race < 10; race += 1) {
      const old = await a.acquireLease({ threadId: t, owner: `a${race}`, ttlMs: 1 });
      const appends = Array.from({ length: 10 }, (_, index) =>
        a.append(t, old.fence, { messages: [message(`old${race}.${index}`)] }).catch((error) => error.code),
      );
      const takeOver = async () => {
        for (;;) {
          const lease = await b
            .acquireLease({ threadId: t, owner: `b${race}`, ttlMs: 1 })
            .catch(() => undefined);
          if (lease) return b.append(t, lease.fence, { messages: [message(`new${race}`)] });
        }
      };
      const [codes] = await Promise.all([Promise.all(appends), takeOver()]);
      const ids = (await a.listMessages(t)).map(({ id }) => id);
      expect(ids.at(-1)).toBe(`new${race}`);
      const stored = codes.filter((code) => typeof code !== 'string').length;
      expect(ids.filter((id) => id.startsWith(`old${race}.`)).length).toBe(stored);
    }
    await Promise.all([a.close(), b.close()]);
  });
});

describe('leases', () => {
  test('live by the clock of the database, whatever the clocks of the processes say', async () => {
    const [a, b] = await twoStores();
    const now = Date.now;
    const from = now();
    const lease = await a.acquireLease({ threadId: t, owner: 'a', ttlMs: 60_000 });
    for (const ahead of [3_600_000, -3_600_000]) {
      Date.now = () => now() + ahead;
      try {
        const error = await thrownBy(b.acquireLease({ threadId: t, owner: 'b', ttlMs: 60_000 }));
        expect(error).toMatchObject({ code: 'thread_busy' });
        expect(await b.getLease(t)).toEqual(lease);
        expect(await a.renewLease(lease, 120_000)).toMatchObject({ fence: lease.fence });
        await a.renewLease(lease, 60_000);
      } finally {
        Date.now = now;
      }
      const kept = await b.getLease(t);
      expect(kept?.expiresAt).toBeGreaterThanOrEqual(from + 60_000);
      expect(kept?.expiresAt).toBeLessThanOrEqual(now() + 60_000);
      await a.renewLease(lease, 60_000).then((renewed) => Object.assign(lease, renewed));
    }
    await Promise.all([a.close(), b.close()]);
  });

  test('are given to one of many that ask two stores at once, and no fence comes twice', async () => {
    const [a, b] = await twoStores();
    const fences: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const asked = Array.from({ length: 16 }, (_, index) =>
        (index % 2 ? a : b).acquireLease({ threadId: t, owner: `${round}.${index}`, ttlMs: 60_000 }),
      );
      const given = (await Promise.allSettled(asked)).filter((one) => one.status === 'fulfilled');
      expect(given.length).toBe(1);
      for (const { value } of given) {
        fences.push(value.fence);
        await a.releaseLease(value);
      }
    }
    expect(fences).toEqual([...new Set(fences)].sort((x, y) => x - y));
    await Promise.all([a.close(), b.close()]);
  });

  test('and the inbox are on the disk at once where appends are not', async () => {
    const store = await withThread({ synchronous: 'NORMAL' });
    const schema = schemaOf(store);
    await sql('create table $schema.seen (sync text)', schema);
    await sql(
      `create function $schema.see() returns trigger language plpgsql as $$begin insert into $schema.seen values (current_setting('synchronous_commit')); return new; end$$`,
      schema,
    );
    await sql(
      'create trigger see before update on $schema.leases for each row execute function $schema.see()',
      schema,
    );
    const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 60_000 });
    await store.append(t, lease.fence, { messages: [message('m1')] });
    await store.post(t, item('q1'));
    await store.updateMessage(t, lease.fence, { id: 'm1', fields: { content: 'new' } });
    await store.releaseLease(lease);
    expect((await sql('select sync from $schema.seen', schema)).map(({ sync }) => sync)).toEqual([
      ...['on', 'off', 'on', 'off', 'on'],
    ]);
    await store.close();
  });
});

describe('a connection that is lost', () => {
  test('loses and doubles nothing, whatever was under way', async () => {
    const store = await withThread({ patienceMs: 20_000 });
    const other = await open({ schema: schemaOf(store), patienceMs: 20_000 });
    const marker = schemaOf(store);
    let isDone = false;
    let cuts = 0;
    let begun = 0;
    const cutting = (async () => {
      while (!isDone) {
        const before = begun;
        const cut = await sql(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'spec-hooks' and query like '%"${marker}"%'`,
        );
        cuts += cut.length;
        // On a busy machine nothing would ever get through between two cuts.
        do await new Promise((resolve) => setTimeout(resolve, 30));
        while (!isDone && begun === before);
      }
    })();
    try {
      for (let n = 0; n < 120; n += 1) {
        begun++;
        await store.append(t, 0, {
          runs: [run({ id: `r${n}`, at: n })],
          values: [{ key: 'n', value: n }],
          ...(n % 2 === 0 && { messages: [message(`m${n}`)] }),
        });
        if (n % 10 === 0) {
          await store.createThread(thread({ id: `t${n}` }));
          await other.post(t, item(`q${n}`), [run({ id: `p${n}`, at: n })]);
          const lease = await store.acquireLease({ threadId: `t${n}`, owner: 'a', ttlMs: 60_000 });
          await store.renewLease(lease, 60_000);
          expect(await store.deleteThread(`t${n}`, lease.fence)).toBe(true);
        }
      }
    } finally {
      isDone = true;
      await cutting;
    }
    expect(cuts).toBeGreaterThan(0);
    const runs = (await store.listRuns()).map(({ id }) => id);
    expect(runs.filter((id) => id.startsWith('r'))).toEqual(Array.from({ length: 120 }, (_, n) => `r${n}`));
    expect(runs.filter((id) => id.startsWith('p'))).toEqual(
      Array.from({ length: 12 }, (_, n) => `p${n * 10}`),
    );
    expect((await store.listMessages(t)).map(({ id }) => id)).toEqual(
      Array.from({ length: 60 }, (_, n) => `m${n * 2}`),
    );
    expect((await store.listQueue(t)).map(({ id }) => id)).toEqual(
      Array.from({ length: 12 }, (_, n) => `q${n * 10}`),
    );
    expect((await store.listThreads()).length).toBe(1);
    await Promise.all([store.close(), other.close()]);
  });

  test('after a commit, before its answer, makes nothing happen twice', async () => {
    const pool = new pg.Pool({ connectionString: serverUrl() });
    let answers = 0;
    const forgetful: PostgresPool = {
      async query(query) {
        const answer = await pool.query(query);
        answers += 1;
        if (answers % 2 === 1) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
        return answer;
      },
    };
    const store = await open({ pool: forgetful });
    await store.createThread(thread());
    await store.createThread(thread({ id: 'other' }));
    const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 60_000 });
    await store.append(t, lease.fence, { runs: [run({ id: 'r1' })], enqueue: [item('q1')] });
    await store.append(t, lease.fence, {
      messages: [message('m1')],
      newIds: ['m1'],
      runs: [run({ id: 'r2' })],
    });
    await store.post(t, item('q2'), [run({ id: 'r3' })]);
    expect(await store.setValuesIf(t, { key: 'n', value: undefined }, [{ key: 'n', value: 1 }])).toBe(true);
    expect(await store.deleteMessage(t, lease.fence, 'm1')).toBe(true);
    expect((await store.renewLease(lease, 30_000)).fence).toBe(lease.fence);
    expect((await store.listRuns()).map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
    expect((await store.listQueue(t)).map(({ id }) => id)).toEqual(['q1', 'q2']);
    await store.releaseLease(lease);
    expect(await store.deleteThread('other', 0)).toBe(true);
    expect((await store.listThreads()).map(({ id }) => id)).toEqual([t]);
    await store.close();
    await pool.end();
  });

  test('is waited for as long as the patience of the store says, and then told without an address', async () => {
    const url = urlWith({ port: '1', password: 's3cret' });
    const error = await thrownBy(open({ url, patienceMs: 100 }));
    expect(error).toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/cannot be reached \(ECONNREFUSED\)/),
    });
    expect(error.message).not.toMatch(/s3cret|127\.0\.0\.1|localhost/);
  });
});

describe('a statement that the server ends', () => {
  test.each([
    ['lock_timeout=100', /locked for too long.*\(55P03\)/],
    ['statement_timeout=100', /took too long.*statement_timeout.*\(57014\)/],
  ])('under %s is told with what to do', async (option, text) => {
    const store = await withThread();
    const hasty = await open({ schema: schemaOf(store), url: urlWithOptions(option) });
    const holding = sql(
      `do $$ begin perform from ${schemaOf(store)}.leases for update; perform pg_sleep(1.5); end $$`,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    const error = await thrownBy(hasty.append(t, 0, { messages: [message('m')] }));
    expect(error).toMatchObject({ code: 'store_failed', message: expect.stringMatching(text) });
    await holding;
    await Promise.all([store.close(), hasty.close()]);
  });
});

test('a backup is refused with what to do', async () => {
  const store = await open();
  const error = await thrownBy(store.backup('/tmp/x'));
  expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/pg_dump -Fc -n/) });
  await store.close();
});

test('a call that waits for others is not taken for one that finds no server', async () => {
  const store = await withThread({ connections: 1, patienceMs: 100 });
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  await client.query('begin');
  await client.query(`select from ${schemaOf(store)}.leases for update`);
  const append = store.append(t, 0, { messages: [message('m')] });
  const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%${schemaOf(store)}%'`;
  await expect.poll(async () => (await client.query(waits)).rowCount).toBe(1);
  const look = store.getThread('thread-2');
  look.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 2_500)); // Longer than a connection may take.
  await client.query('commit');
  await client.end();
  await append;
  expect(await look).toBe(null);
  await store.close();
});
