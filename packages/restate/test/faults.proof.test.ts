import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, SCHEMA, startCluster } from './cluster.ts';
import { faults } from './faults.ts';
import { startLoad } from './load.ts';
import { findWrongs } from './verify-tables.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(2);
}, 180_000);

afterAll(() => cluster?.stop());

test('whatever is killed, each message is stored once and has one answer', { timeout: 180_000 }, async () => {
  const load = await startLoad(cluster, 3);
  let killed = 0;
  for (const [name, fault] of Object.entries(faults)) {
    const before = load.turns();
    const count = await fault(cluster);
    expect(count, name).toBeGreaterThan(0);
    killed += count;
    await expect.poll(load.turns, { timeout: 60_000, message: name }).toBeGreaterThan(before + 2);
  }
  await load.end();
  expect(await findWrongs({ url: cluster.postgres.url, schema: SCHEMA }, load.sent)).toEqual([]);
  expect(killed).toBeGreaterThan(8);
  const again = cluster.attempts().filter(({ state }) => state === 'begun');
  expect(again.length).toBeGreaterThan(load.turns()); // Some turns were taken over.
});
