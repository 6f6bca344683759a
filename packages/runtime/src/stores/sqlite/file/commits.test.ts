import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { tempFiles } from '../../../../test/sqlite/temp-files.ts';
import { listMessageIds, message, t, thread } from '../../../testing/store-suite-samples.ts';
import { sqliteStore } from '../index.ts';

const newFile = tempFiles();

test('calls take effect in their order, awaited or not', async () => {
  const store = sqliteStore({ path: newFile() });
  const created = store.createThread(thread());
  const first = store.append(t, 0, { messages: [message('m1')] });
  const between = store.countMessages(t);
  const second = store.append(t, 0, { messages: [message('m2')] });
  const after = listMessageIds(store);
  await Promise.all([created, first, second]);
  expect(await between).toBe(1);
  expect(await after).toEqual(['m1', 'm2']);
  await store.close();
});

test('writes of one tick share a commit, a dozen at most', async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  const before = countCommits(path);
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => store.append(t, 0, { messages: [message(`m${n}`)] })),
  );
  expect(countCommits(path) - before).toBe(5);
  expect(await listMessageIds(store)).toEqual(Array.from({ length: 50 }, (_, n) => `m${n}`));
  for (let n = 50; n < 53; n += 1) await store.append(t, 0, { messages: [message(`m${n}`)] });
  expect(countCommits(path) - before).toBe(8);
  await store.close();
});

test('edits and leases of one tick share a commit too, in their order', async () => {
  const path = newFile();
  const store = sqliteStore({ path, secureDelete: false });
  await store.createThread(thread());
  await store.append(t, 0, { messages: [message('m1')] });
  const before = countCommits(path);
  const update = (content: string) => store.updateMessage(t, 0, { id: 'm1', fields: { content } });
  const lease = { threadId: t, owner: 'o', ttlMs: 60_000 };
  const read = () => store.getMessage(t, 'm1');
  const asked = [update('first'), read(), update('second'), store.acquireLease(lease), read()] as const;
  const [first, then, second, taken, last] = await Promise.all(asked);
  const contents = [first, then, second, last].map((found) => found?.content);
  expect(contents).toEqual(['first', 'first', 'second', 'second']);
  expect(taken.fence).toBeGreaterThan(0);
  expect(countCommits(path) - before).toBe(1);
  await store.close();
});

test('a refused write takes none of its neighbours with it', async () => {
  const store = sqliteStore({ path: newFile() });
  await store.createThread(thread());
  const settled = await Promise.allSettled([
    store.append(t, 0, { messages: [message('m1')] }),
    store.append(t, 0, {
      messages: [message('m2')],
      toolCalls: [{ id: 'c', messageId: 'no', position: 0, name: 'n', status: 'done' }],
    }),
    store.append('missing', 0, { messages: [message('m3')] }),
    store.append(t, 0, { messages: [message('m4')] }),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(await listMessageIds(store)).toEqual(['m1', 'm4']);
  await store.close();
});

test('close stores what was not awaited', async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  const pending = [store.createThread(thread()), store.append(t, 0, { messages: [message('m1')] })];
  await store.close();
  await Promise.all(pending);
  const again = sqliteStore({ path });
  expect(await listMessageIds(again)).toEqual(['m1']);
  await again.close();
});

/** How many commits a file's log holds: the last frame of each says how big the file is then (https://sqlite.org/walformat.html). */
function countCommits(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const frame = 24 + 4096;
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  return commits;
}

test('the event loop goes on while another process writes, and calls keep their order', async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  const other = new Database(path);
  other.exec('begin immediate');
  const first = store.append(t, 0, { messages: [message('m1')] });
  const between = store.countMessages(t);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const second = store.append(t, 0, { messages: [message('m2')] });
  expect(ticks).toBeGreaterThan(3); // A store that waits by itself lets none through.
  clearInterval(timer);
  other.exec('rollback');
  other.close();
  await Promise.all([first, second]);
  expect(await between).toBe(1);
  expect(await listMessageIds(store)).toEqual(['m1', 'm2']);
  await store.close();
});

test('close waits for another process that writes, and refuses what it could not store', async () => {
  const path = newFile();
  const store = sqliteStore({ path, busyTimeoutMs: 50 });
  await store.createThread(thread());
  const other = new Database(path);
  other.exec('begin immediate');
  const pending = Array.from({ length: 50 }, (_, n) => store.append(t, 0, { messages: [message(`m${n}`)] }));
  const refused = pending.map((write) => expect(write).rejects.toMatchObject({ code: 'store_failed' }));
  await Promise.all([store.close(), ...refused]);
  other.exec('rollback');
  other.close();
  const again = sqliteStore({ path });
  expect(await listMessageIds(again)).toEqual([]);
  await again.close();
});

test('close stores all writes that were asked for, more than share a commit', async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  const writes = Array.from({ length: 50 }, (_, n) => store.append(t, 0, { messages: [message(`m${n}`)] }));
  await store.close();
  await Promise.all(writes);
  const again = sqliteStore({ path });
  expect(await again.countMessages(t)).toBe(50);
  await again.close();
});

test.each(['NORMAL', 'FULL'] as const)(
  'a store under %s that waits for no other process is not refused a write by its own checkpoints',
  async (synchronous) => {
    const store = sqliteStore({ path: newFile(), synchronous, busyTimeoutMs: 0 });
    await store.createThread(thread());
    const content = 'x'.repeat(20_000);
    for (let n = 0; n < 3_000; n += 1) {
      await store.append(t, 0, { messages: [{ ...message(`m${n}`), content }] });
      if (n % 10 === 0) await new Promise(setImmediate);
    }
    await store.close();
  },
);

test('commits that follow each other without an end leave room for timers', async () => {
  const store = sqliteStore({ path: newFile(), synchronous: 'NORMAL' });
  await store.createThread(thread());
  const { fence } = await store.acquireLease({ threadId: t, owner: 'o', ttlMs: 60_000 });
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  const until = performance.now() + 400;
  while (performance.now() < until) await store.setValue(t, fence, { key: 'k', value: 1 });
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3); // Starved, there is none before the end.
  await store.close();
});
