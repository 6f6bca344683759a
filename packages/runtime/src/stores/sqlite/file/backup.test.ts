import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RunError } from '@spec/hooks';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { spawnChild } from '../../../../test/sqlite/spawn-child.ts';
import { tempFiles } from '../../../../test/sqlite/temp-files.ts';
import { file, listMessageIds, message, run, t, thread } from '../../../testing/store-suite-samples.ts';
import { memoryStore } from '../../memory/index.ts';
import type { Store } from '../../store.ts';
import { sqliteStore } from '../index.ts';

const newFile = tempFiles();
const timeout = 60_000;

/** @param words of each message: few long messages fill a file as well as many short ones, and sooner */
async function filled(path: string, messages: number, words = 300): Promise<Store> {
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await store.createThread(thread());
  for (let from = 0; from < messages; from += 500) {
    const ids = Array.from({ length: 500 }, (_, n) => `m${from + n}`);
    await store.append(t, 0, {
      messages: ids.map((id) => message(id, { content: `${id} `.repeat(words) })),
      runs: ids.map((id) => run(id)),
    });
  }
  return store;
}

function checkIntegrity(path: string): void {
  const client = new Database(path, { readonly: true });
  expect(client.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(client.pragma('foreign_key_check')).toEqual([]);
  client.close();
}

async function readCode(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('was not refused'),
    (reason: RunError) => reason,
  );
  return error instanceof RunError ? error.code : String(error);
}

test('a backup holds what was stored before the call, and can be written to like the first file', {
  timeout,
}, async () => {
  const path = newFile();
  const store = await filled(path, 500);
  await store.writeFile(t, 0, file('f1', [1, 2, 3]));
  const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 60_000 });
  const last = store.append(t, lease.fence, { messages: [message('last')] });
  const copy = `${path}.backup`;
  await store.backup(copy);
  await last;
  checkIntegrity(copy);
  const restored = sqliteStore({ path: copy });
  expect(await restored.listMessages(t)).toEqual(await store.listMessages(t));
  expect(await restored.listRuns()).toEqual(await store.listRuns());
  expect(await restored.readFile(t, 'f1')).toEqual(file('f1', [1, 2, 3]));
  await restored.append(t, lease.fence, { messages: [message('in the copy')] });
  expect((await listMessageIds(restored)).slice(-2)).toEqual(['last', 'in the copy']);
  const next = await restored.acquireLease({ threadId: t, owner: 'b', ttlMs: 1 }); // nobody has it there
  expect(next.fence).toBeGreaterThan(lease.fence);
  await Promise.all([restored.close(), store.close()]);
  expect(readdirSync(dirname(copy)).filter((name) => name.includes('.partial-'))).toEqual([]);
});

test('a backup is one moment of the file while this and another process write', { timeout }, async () => {
  const path = newFile();
  const store = await filled(path, 1_000, 9_000);
  await store.createThread(thread({ id: 'here' }));
  const child = spawnChild(['append', path, '1000000']);
  await child.spoke;
  let going = true;
  const own = (async () => {
    let n = 0;
    for (; going; n += 1) {
      await store.append('here', 0, { messages: [message(`h${n}`)], values: [{ key: 'last', value: n }] });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return n;
  })();
  const before = await store.countMessages('here');
  const theirsBefore = child.lines.length;
  const copy = `${path}.backup`;
  await store.backup(copy);
  const after = await store.countMessages('here');
  const theirsUntilThen = child.lines.length;
  going = false;
  expect(await own).toBeGreaterThanOrEqual(after);
  expect(after).toBeGreaterThan(before); // writing went on meanwhile, here and there
  expect(theirsUntilThen).toBeGreaterThan(theirsBefore);
  child.process.kill('SIGKILL');
  await child.ended;

  checkIntegrity(copy);
  const restored = sqliteStore({ path: copy });
  const here = await listMessageIds(restored, 'here');
  expect(here).toEqual(Array.from({ length: here.length }, (_, n) => `h${n}`));
  expect(await restored.getValue('here', 'last')).toBe(here.length - 1);
  expect(here.length).toBeGreaterThanOrEqual(before);
  const theirs = (await listMessageIds(restored)).length;
  expect((await restored.listToolCalls(t)).length).toBe(theirs - 1_000); // a message and its call came in one commit
  await Promise.all([restored.close(), store.close()]);
});

test('a backup lets the event loop go on', { timeout }, async () => {
  const path = newFile();
  const store = await filled(path, 1_500, 12_000);
  const sizes = new Set<number>();
  let isDone = false;
  const look = (): void => {
    if (isDone) return;
    const partial = readdirSync(dirname(path)).find((name) => /\.partial-[\w-]+$/.test(name));
    const found = partial && statSync(join(dirname(path), partial), { throwIfNoEntry: false });
    if (found) sizes.add(found.size);
    setImmediate(look);
  };
  look();
  await store.backup(`${path}.backup`);
  isDone = true;
  const whole = statSync(`${path}.backup`).size;
  expect([...sizes].some((size) => size < whole)).toBe(true); // The loop went round while the copy was written.
  await store.close();
});

test('a backup holds no bytes of what was deleted', { timeout }, async () => {
  const path = newFile();
  const store = sqliteStore({ path, secureDelete: false });
  await store.createThread(thread());
  await store.append(t, 0, { messages: [message('m1', { content: 'T0P-SECRET' }), message('m2')] });
  await store.deleteMessage(t, 0, 'm1');
  await store.backup(`${path}.backup`);
  expect(readFileSync(`${path}.backup`, 'latin1')).not.toContain('T0P-SECRET');
  expect(readFileSync(`${path}.backup`, 'latin1')).toContain('text of m2');
  await store.close();
});

test('a backup overwrites nothing, and leaves nothing behind where it is refused', { timeout }, async () => {
  const path = newFile();
  const store = await filled(path, 500);
  const taken = `${path}.taken`;
  writeFileSync(taken, 'precious');
  expect(await readCode(store.backup(taken))).toBe('invalid_input');
  expect(await readCode(store.backup(path))).toBe('invalid_input');
  expect(readFileSync(taken, 'utf8')).toBe('precious');
  const meanwhile = store.backup(`${path}.late`);
  await new Promise((resolve) => setImmediate(resolve));
  writeFileSync(`${path}.late`, 'precious');
  expect(await readCode(meanwhile)).toBe('invalid_input');
  expect(readFileSync(`${path}.late`, 'utf8')).toBe('precious');

  for (const ending of ['-journal', '-wal', '-shm'])
    expect(await readCode(store.backup(path + ending))).toBe('invalid_input');
  expect(existsSync(`${path}-journal`)).toBe(false);
  expect(await readCode(store.backup(join(dirname(path), 'no', 'copy.db')))).toBe('store_unreadable');
  expect(await readCode(memoryStore().backup('copy.db'))).toBe('invalid_input');
  const inMemory = sqliteStore({ path: ':memory:' });
  expect(await readCode(inMemory.backup(`${path}.memory`))).toBe('invalid_input');
  expect(existsSync(`${path}.memory`)).toBe(false);
  expect(readdirSync(dirname(path)).filter((name) => name.includes('.partial-'))).toEqual([]);
  expect(await store.countMessages(t)).toBe(500);
  await Promise.all([store.close(), inMemory.close()]);
});
