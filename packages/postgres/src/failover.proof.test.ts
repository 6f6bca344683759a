import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findFreePorts,
  openWire,
  type PostgresServer,
  startPostgres,
  startReplica,
} from '@spec/local-services';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { serverTest as test } from '../test/database.ts';
import { message, run, thread } from '../test/samples.ts';
import { postgresRecords, postgresStore } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-failover-'));
const running: PostgresServer[] = [];
afterAll(() => Promise.all(running.map((server) => server.stop())));

async function ask(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let rows: Record<string, unknown>[] = [];
  for (const text of statements) rows = (await client.query(text)).rows;
  await client.end();
  return rows;
}

interface Pair {
  readonly primary: PostgresServer;
  readonly replica: PostgresServer;
}

/** Two servers, of which one follows the other, and commits wait for it. */
async function startPair(): Promise<Pair> {
  chmodSync(folder, 0o755); // PostgreSQL may run as another user.
  const [first = 0, second = 0] = await findFreePorts(2);
  const primaryFolder = join(folder, 'primary');
  const primary = await startPostgres({ folder: primaryFolder, port: first, isDurable: false });
  running.push(primary);
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  const replica = await startReplica({
    ...{ folder: join(folder, 'replica'), port: second, isDurable: false, primary, primaryFolder },
    async backUp(copy) {
      await client.query(`select pg_backup_start('replica', true)`);
      copy();
      return (await client.query('select labelfile from pg_backup_stop(false)')).rows[0].labelfile;
    },
  });
  running.push(replica);
  await client.query(`alter system set synchronous_standby_names = 'replica'`);
  await client.query('select pg_reload_conf()');
  const state = `select sync_state from pg_stat_replication where application_name = 'replica'`;
  await expect.poll(async () => (await client.query(state)).rows).toEqual([{ sync_state: 'sync' }]);
  await client.end();
  return { primary, replica };
}

test('when the primary dies, its synchronous replica goes on with every commit that was acknowledged, each once', {
  timeout: 180_000,
}, async () => {
  const { primary, replica } = await startPair();
  // The address that stays when the primary becomes another one, as a TCP balancer has it.
  const balancer = await openWire(Number(new URL(primary.url).port));
  const url = Object.assign(new URL(primary.url), { port: `${balancer.port}` }).href;
  const store = await postgresStore({ url, patienceMs: 60_000 });
  const ids = ['a', 'b', 'c', 'd'];
  const fences: number[] = [];
  for (const id of ids) {
    await store.createThread(thread({ id }));
    fences.push((await store.acquireLease({ threadId: id, owner: 'one', ttlMs: 1 })).fence);
  }
  const acknowledged = new Map<string, string[]>(ids.map((id) => [id, []]));
  let isEnding = false;
  const writing = ids.map(async (id, at) => {
    for (let n = 0; !isEnding; n += 1) {
      await store.append(id, fences[at] ?? 0, {
        messages: [message(`m${n}`)],
        runs: [run({ threadId: id, id: `r${n}` })],
      });
      acknowledged.get(id)?.push(`m${n}`);
    }
  });
  const count = (): number => Math.min(...ids.map((id) => acknowledged.get(id)?.length ?? 0));
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(20);
  const records = await postgresRecords({ url: replica.url });
  const cursor = await records.cursorAt();

  primary.kill('SIGKILL');
  await primary.ended;
  const before = count();
  // The replica does not wait for one of its own.
  await ask(
    replica.url,
    'select pg_promote()',
    `alter system set synchronous_standby_names = ''`,
    'select pg_reload_conf()',
  );
  balancer.turnTo(Number(new URL(replica.url).port));
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(before + 20);
  isEnding = true;
  await Promise.all(writing);

  for (const id of ids)
    expect((await store.listMessages(id)).map((one) => one.id)).toEqual(acknowledged.get(id));
  const news = await records.since(cursor);
  expect(new Set(news.runs.map(({ threadId, id }) => `${threadId} ${id}`)).size).toBe(news.runs.length);
  const newest = ids.map((id) => `${id} r${(acknowledged.get(id)?.length ?? 0) - 1}`);
  expect(news.runs.map(({ threadId, id }) => `${threadId} ${id}`)).toEqual(expect.arrayContaining(newest));
  for (const id of ids) {
    const { lease } = await store.takeOver({ threadId: id, owner: 'two', ttlMs: 1_000 });
    expect(lease.fence).toBeGreaterThan(Math.max(...fences)); // No fence of before is given again.
  }
  await records.close();
  await store.close();
  balancer.close();
});
