import type { Records } from '@spec/hooks';
import pg from 'pg';
import { afterAll, describe, expect } from 'vitest';
import { serverTest as test, testDatabase } from '../../test/database.ts';
import { message, run, thread, thrownBy } from '../../test/samples.ts';
import { serverUrl } from '../../test/server.ts';
import { type PostgresPool, postgresRecords } from '../index.ts';

const { open, schemaOf, sql } = testDatabase();
const pool = new pg.Pool({ connectionString: serverUrl() });
afterAll(() => pool.end());

type Asked = Parameters<PostgresPool['query']>[0];

/** Records over a pool that remembers what it was asked. */
async function openWatched(schema: string): Promise<{ records: Records; asked: Asked[] }> {
  const asked: Asked[] = [];
  const watched: PostgresPool = {
    query(query) {
      asked.push(query);
      return pool.query(query);
    },
  };
  return { records: await postgresRecords({ pool: watched, schema }), asked };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The most rows that one node of the plan of a statement passed, and the tables that it read from end to end. */
async function readPlan({ text, values }: Asked): Promise<{ passed: number; whole: string[] }> {
  const { rows } = await pool.query({ text: `explain (analyze, format json) ${text}`, values });
  const nodes: PlanNode[] = [];
  const collect = (node: PlanNode): void => {
    nodes.push(node);
    node.Plans?.forEach(collect);
  };
  collect(rows[0]['QUERY PLAN'][0].Plan);
  const passed = nodes.map((node) => {
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    return (node['Actual Rows'] + removed) * node['Actual Loops'];
  });
  const whole = nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'] ?? '');
  return { passed: Math.max(...passed), whole };
}

const minute = 60_000_000;
const start = 1_760_000_000_000_000;
const count = 200_000;

/** 4,000 threads with 200,000 messages and rows of runs, one a minute. */
async function fillLarge(): Promise<string> {
  const store = await open();
  const schema = schemaOf(store);
  await store.createThread(thread({ id: 't0' }));
  await store.append('t0', 0, {
    messages: [message('m')],
    runs: [run({ threadId: 't0', turnId: 'turn-0', at: start })],
  });
  await sql(
    `insert into $schema.threads (id, agent_id, parent_id, depth, created_at, current_side, metadata)
      select 't' || i, case when i = 77 then 'rare' else 'agent' end, case when i % 1000 = 5 then 't0' end, 0, i, 'a', '{}'
      from generate_series(1, 3999) i;
    insert into $schema.leases (thread, last_commit) select t.key, '' from $schema.threads t where t.id <> 't0';
    insert into $schema.messages (thread, seq, id, role, flags, created_at, content)
      select 1 + i % 4000, 10 + i / 4000, 'm' || i, 'user', m.flags, ${start}::float8 + i * ${minute}::float8, 'word ' || i
      from generate_series(1, ${count}) i, (select flags from $schema.messages limit 1) m;
    insert into $schema.hook_runs (thread, turn_id, step, oldest, youngest, runs)
      select 1 + i % 4000, 'turn-' || i, 1, ${start}::float8 + i * ${minute}::float8, ${start}::float8 + i * ${minute}::float8,
        replace(replace(r.runs, '${start}', (${start}::bigint + i * ${minute}::bigint)::text), '"redact"', case when i = 500 then '"rare"' else '"redact"' end)
      from generate_series(1, ${count}) i, (select runs from $schema.hook_runs limit 1) r;`,
    schema,
  );
  for (const table of ['threads', 'messages', 'hook_runs'])
    await sql(`vacuum analyze $schema.${table}`, schema);
  await store.close();
  return schema;
}

describe('a large database', () => {
  test('is read in bounded pieces, by indexes', { timeout: 300_000 }, async () => {
    const schema = await fillLarge();
    const { records, asked } = await openWatched(schema);
    const late = start + (count - 20) * minute;
    const now = await records.cursorAt();
    const store = await open({ schema });
    await store.append('t0', 0, { runs: [run({ threadId: 't0', id: 'new', at: start })] });
    await store.close();
    const page = { size: 20 };
    const list = { ...page, order: 'newest' } as const;
    const wanted: Readonly<Record<string, () => Promise<unknown>>> = {
      threads: () => records.threads(page),
      'threads after a cursor': () => records.threads({ ...page, cursor: '2000' }),
      'threads of a rare agent': () => records.threads({ ...page, agentId: 'rare' }),
      'child threads': () => records.threads({ ...page, parentId: 't0' }),
      'threads without a parent': () => records.threads({ ...page, parentId: null }),
      messages: () => records.messages('t9', { size: 5, clip: 9 }),
      'a text that is there': () => records.search({ ...page, clip: 20, text: 'word' }),
      'a text that is nowhere': () => records.search({ ...page, clip: 20, text: 'nothing' }),
      'a text in one thread': () => records.search({ ...page, clip: 20, text: 'word', threadId: 't9' }),
      runs: () => records.runs(list),
      'the oldest runs': () => records.runs({ ...list, order: 'oldest' }),
      'rare runs': () => records.runs({ ...list, id: 'rare' }),
      'runs of a thread': () => records.runs({ ...list, threadId: 't9' }),
      'runs of a time': () => records.runs({ ...list, since: late }),
      'runs at a time': () => records.runsAt(late),
      'sums of a time': () => records.stats({ since: late }),
      'sums of a thread': () => records.stats({ threadId: 't9' }),
      'a series': () => records.series({ since: late, until: late + 10 * minute, buckets: 5 }),
      turns: () => records.turns('t9', page),
      'a turn': () => records.turn('t9', 'turn-8'),
      news: () => records.since(now),
    };
    for (const [name, ask] of Object.entries(wanted)) {
      asked.length = 0;
      await ask();
      for (const query of asked) {
        const { passed, whole } = await readPlan(query);
        expect(passed, `${name}: ${query.text}`).toBeLessThan(25_000);
        expect(whole, `${name}: ${query.text}`).toEqual([]);
      }
    }
    await records.close();
  });

  test('gives every match, however few there are', { timeout: 300_000 }, async () => {
    const schema = await fillLarge();
    const records = await postgresRecords({ url: serverUrl(), schema });
    const readAll = async <T>(
      read: (cursor?: string) => Promise<{ items: readonly T[]; next: string | null }>,
    ) => {
      const all: T[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page: { items: readonly T[]; next: string | null } = await read(cursor);
        all.push(...page.items);
        cursor = page.next;
      }
      return all;
    };
    const order = 'newest' as const;
    const rare = await readAll((cursor) =>
      records.runs({ id: 'rare', order, size: 10, ...(cursor && { cursor }) }),
    );
    expect(rare.map(({ turnId }) => turnId)).toEqual(['turn-500']);
    const hits = await readAll((cursor) =>
      records.search({ text: 'WORD 123', size: 30, clip: 9, ...(cursor && { cursor }) }),
    );
    const expected = Array.from({ length: count }, (_, i) => `m${count - i}`).filter((id) =>
      id.startsWith('m123'),
    );
    expect(hits.map(({ messageId }) => messageId)).toEqual(expected);
    const [sums] = await records.stats({ hook: 'before_create_message', id: 'redact' });
    expect(sums?.runs).toBe(count); // One of them is the rare one, and one was there before.
    let news = await records.since(await records.cursorAt(start + 150_000 * minute));
    let told = news.runs.length;
    while (news.hasMore) {
      news = await records.since(news.cursor);
      told += news.runs.length;
    }
    expect(told).toBe(50_001);
    expect((await records.since(news.cursor)).runs).toEqual([]);
    await records.close();
  });
});

describe('news', () => {
  test('come once, whichever of two transactions ends first', async () => {
    const store = await open();
    const schema = schemaOf(store);
    for (const id of ['a', 'b']) await store.createThread(thread({ id }));
    await store.append('a', 0, { runs: [run({ threadId: 'a', id: 'first' })] });
    const records = await postgresRecords({ url: serverUrl(), schema });
    const begin = await records.cursorAt();
    await records.stats();

    const slow = await pool.connect();
    await slow.query('begin');
    await slow.query(`insert into ${schema}.hook_runs (thread, step, oldest, youngest, runs)
      select thread, step, oldest, youngest, replace(runs, '"first"', '"slow"') from ${schema}.hook_runs`);
    await store.append('b', 0, { runs: [run({ threadId: 'b', id: 'quick' })] });
    const quick = await records.since(begin);
    expect(quick.runs.map(({ id }) => id)).toEqual(['quick']);
    const sums = async () => (await records.stats()).map(({ id }) => id).sort();
    expect(await sums()).toEqual(['first', 'quick']);
    await slow.query('commit');
    slow.release();
    const late = await records.since(quick.cursor);
    expect(late.runs.map(({ id }) => id)).toEqual(['slow']);
    expect((await records.since(late.cursor)).runs).toEqual([]);
    expect(await sums()).toEqual(['first', 'quick', 'slow']);
    await records.close();
    await store.close();
  });

  test('are refused after a cursor that the server would not take', async () => {
    const store = await open();
    const records = await postgresRecords({ url: serverUrl(), schema: schemaOf(store) });
    for (const cursor of [
      '5:3:/',
      '3:9:7,4/',
      '3:9:9/',
      '3:9:4,/',
      '3:9:/x',
      '3:9://3:9:',
      '3:9://3:9:/1/1',
      '1:1:/'.repeat(9),
    ])
      expect(await thrownBy(records.since(cursor)), cursor).toMatchObject({ code: 'invalid_input' });
    for (const cursor of ['1_2', '_1_2', '1_x_2', 'NaN_1_1', '1_-1_1'])
      expect(await thrownBy(records.search({ text: 'a', size: 1, clip: 1, cursor }))).toMatchObject({
        code: 'invalid_input',
      });
    await records.close();
    await store.close();
  });
});

test('a dump of another server is refused until a store has opened it, and then read in whole', async () => {
  const store = await open();
  const schema = schemaOf(store);
  await store.createThread(thread());
  await store.append('thread-1', 0, { runs: [run()] });
  await store.close();
  await sql(
    'update $schema.hook_runs set stored_in = (pg_current_xact_id()::text::bigint + 1000000)::text::xid8',
    schema,
  );
  const error = await thrownBy(postgresRecords({ url: serverUrl(), schema }));
  expect(error).toMatchObject({
    code: 'store_unreadable',
    message: expect.stringMatching(/restored from a dump/),
  });
  await (await open({ schema })).close();
  const records = await postgresRecords({ url: serverUrl(), schema });
  expect((await records.stats()).map(({ runs }) => runs)).toEqual([1]);
  await records.close();
});

test('texts that no column takes are found', async () => {
  const store = await open();
  await store.createThread(thread());
  const texts = ['plain Word', 'a \0 Word', '\ud800 Word', '\u0001Word'];
  await store.append('thread-1', 0, {
    messages: texts.map((content, i) => message(`m${i}`, { content })),
  });
  const records = await postgresRecords({ url: serverUrl(), schema: schemaOf(store) });
  const find = async (text: string) =>
    (await records.search({ text, size: 9, clip: 9 })).items.map(({ messageId }) => messageId);
  expect(await find('wORD')).toEqual(['m3', 'm2', 'm1', 'm0']);
  expect(await find('\0')).toEqual(['m1']);
  expect(await find('\ud800')).toEqual(['m2']);
  expect(await find('\u0001')).toEqual(['m3']);
  await records.close();
  await store.close();
});
