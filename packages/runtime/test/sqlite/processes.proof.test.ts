import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import type { Lease, Store } from '../../src/stores/store.ts';
import { call, item, listMessageIds, message, t, thread } from '../../src/testing/store-suite-samples.ts';
import { type Child, spawnChild } from './spawn-child.ts';
import { tempFiles } from './temp-files.ts';

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
  expect(await listMessageIds(store)).toEqual([]);
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

test('two processes on different threads of one file both go on', { timeout }, async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  const threads = ['left', 'right'];
  for (const id of threads) await store.createThread(thread({ id }));
  const children = threads.map((id) => spawnChild(['write', path, id]));
  await Promise.all(children.map(({ spoke }) => spoke));
  writeFileSync(`${path}-go`, '');
  const said = await Promise.all(children.map(({ ended }) => ended));
  const [left, right] = said.map((lines) => JSON.parse(lines[1] ?? '') as Writing) as [Writing, Writing];
  expect(Math.max(left.began, right.began)).toBeLessThan(Math.min(left.ended, right.ended)); // they wrote at the same time
  expect(left.longest).toBeLessThan(right.ended - right.began); // and none waited for the end of the other
  expect(right.longest).toBeLessThan(left.ended - left.began);
  for (const id of threads) {
    const ids = Array.from({ length: 150 }, (_, n) => `${id}-${n}`);
    expect(await listMessageIds(store, id)).toEqual(ids);
    expect(await store.listToolCalls(id)).toEqual(ids.map((one) => call(one)));
    expect(await store.listRuns({ threadId: id })).toHaveLength(150);
  }
  await store.close();
});

/** What a process says of its writing; in milliseconds. */
interface Writing {
  began: number;
  ended: number;
  longest: number;
}

test('a second process on a thread is told that it is busy', { timeout }, async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  const lease = await store.acquireLease({ threadId: t, owner: 'first', ttlMs: 60_000 });
  expect(await spawnChild(['ask', path, t]).ended).toEqual(['thread_busy', 'thread_busy']);
  await store.append(t, lease.fence, { messages: [message('m1')] });
  expect(await listMessageIds(store)).toEqual(['m1']);
  await store.close();
});

test('a process that was stopped cannot write when it goes on after its lease was taken', {
  timeout,
}, async () => {
  const path = newFile();
  const store = sqliteStore({ path, busyTimeoutMs: 500 });
  await store.createThread(thread());
  const child = spawnChild(['renew', path, t]);
  await child.spoke;
  const lease = await takeFromStopped(child, store);
  await store.append(t, lease.fence, { messages: [message('next')] });
  child.process.kill('SIGCONT');
  const said = await child.ended;
  expect(said.slice(-3)).toEqual(['thread_busy', 'thread_busy', 'thread_busy']);
  const theirs = said.slice(0, -3);
  expect(await listMessageIds(store)).toEqual([...theirs, 'next']);
  await store.append(t, lease.fence, { messages: [message('and more')] });
  await store.close();
});

/** Stops a process and takes its lease once that has run out; lets it go on for a moment where it was stopped in the middle of a commit. */
async function takeFromStopped(child: Child, store: Store): Promise<Lease> {
  for (;;) {
    child.process.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 400));
    try {
      return await store.acquireLease({ threadId: t, owner: 'next', ttlMs: 60_000 });
    } catch (error) {
      expect(error).toMatchObject({ code: 'store_failed' });
      child.process.kill('SIGCONT');
    }
  }
}

test('a process that hangs in a transaction is reported by the others, which go on once it is gone', {
  timeout,
}, async () => {
  const path = newFile();
  const store = sqliteStore({ path, busyTimeoutMs: 200 });
  await store.createThread(thread());
  const child = spawnChild(['lock', path]);
  await child.spoke;
  await expect(store.append(t, 0, { messages: [message('m1')] })).rejects.toMatchObject({
    code: 'store_failed',
    message: expect.stringMatching(
      /another process kept it locked .* Try again, .* or end the process that holds it/,
    ),
  });
  expect(await listMessageIds(store)).toEqual([]);
  const second = sqliteStore({ path, busyTimeoutMs: 200 });
  expect(await second.getThread(t)).toEqual(thread()); // a file that is locked can be opened and read
  child.process.kill('SIGKILL');
  await child.ended;
  await store.append(t, 0, { messages: [message('m1')] });
  expect(await listMessageIds(second)).toEqual(['m1']);
  await Promise.all([store.close(), second.close()]);
});

test('what another process posts reaches the writer that has the lease', { timeout }, async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  const lease = await store.acquireLease({ threadId: t, owner: 'writer', ttlMs: 60_000 });
  expect(await spawnChild(['post', path, t]).ended).toEqual(['posted', 'posted']);
  const stop = { id: 'stop', kind: 'stop', payload: {} };
  expect(await store.listQueue(t)).toEqual([item('q1'), stop]);
  await store.append(t, lease.fence, { messages: [message('q1')], dequeue: ['q1', 'stop'] });
  expect(await spawnChild(['post', path, t]).ended).toEqual(['posted', 'posted']);
  expect(await store.listQueue(t)).toEqual([stop]); // the message is in the thread
  await store.close();
});
