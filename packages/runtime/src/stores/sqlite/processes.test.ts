import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { idsOf, t, thread } from '../../testing/store-suite-samples.ts';
import { sqliteStore } from './index.ts';
import { spawnChild } from './testing/spawn-child.ts';
import { tempFiles } from './testing/temp-files.ts';

const newFile = tempFiles();
const timeout = 60_000;

test('processes that take turns by leases lose no update, and no fence is given twice', {
  timeout,
}, async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  await store.setValue(t, 0, { key: 'counter', value: 0 });
  const children = [1, 2, 3].map(() => spawnChild(['count', path, '40']));
  const fences = (await Promise.all(children.map(({ ended }) => ended))).map((lines) => lines.map(Number));
  expect(await store.getValue(t, 'counter')).toBe(120);
  const all = fences.flat();
  expect(new Set(all).size).toBe(120);
  for (const own of fences) expect(own).toEqual([...own].sort((a, b) => a - b));
  await store.close();
});

test('a stalled process cannot write once another took its lease over', { timeout }, async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  const go = `${path}-go`;
  const child = spawnChild(['stall', path, go]);
  await child.spoke;
  await new Promise((resolve) => setTimeout(resolve, 20));
  const lease = await store.acquireLease({ threadId: t, owner: 'next', ttlMs: 60_000 });
  writeFileSync(go, '');
  expect(await child.ended).toEqual(['leased', 'thread_busy']);
  expect(await idsOf(store)).toEqual([]);
  await store.append(t, lease.fence, {});
  await store.close();
});

test('processes that make the same files at once all open them', { timeout }, async () => {
  const path = newFile();
  const start = Date.now() + 2_000;
  const children = Array.from({ length: 3 }, () => spawnChild(['race', path, String(start)]));
  const said = await Promise.all(children.map(({ ended }) => ended));
  expect(said).toEqual(Array(3).fill(['made']));
  const store = sqliteStore({ path: `${path}-99` });
  expect(await store.listThreads()).toEqual([thread()]);
  await store.close();
});
