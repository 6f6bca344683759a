import { existsSync, readFileSync } from 'node:fs';
import { pickShare } from '@spec/test-helpers';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { tempFiles } from '../../../../test/sqlite/temp-files.ts';
import { call, file, item, message, run, t, thread } from '../../../testing/store-suite-samples.ts';
import type { Store } from '../../store.ts';
import { sqliteStore } from '../index.ts';

const newFile = tempFiles();

/** Everything that is on the disk of a store: the file, and its log. */
function readBytes(path: string): string {
  const log = `${path}-wal`;
  return readFileSync(path, 'latin1') + (existsSync(log) ? readFileSync(log, 'latin1') : '');
}

async function withThread(secureDelete = true): Promise<{ store: Store; path: string }> {
  const path = newFile();
  const store = sqliteStore({ path, synchronous: 'NORMAL', secureDelete });
  await store.createThread(thread());
  return { store, path };
}

test('a deleted thread leaves no byte of what was in it', async () => {
  const { store, path } = await withThread();
  const id = 'T0P-SECRET-thread';
  const secret = 'T0P-SECRET';
  const data = [...new TextEncoder().encode(secret)];
  await store.createThread(thread({ id, agentId: secret, metadata: { secret }, parentId: t }));
  const lease = await store.acquireLease({ threadId: id, owner: secret, ttlMs: 1 });
  const long = message(secret, {
    content: secret.repeat(10_000),
    metadata: secret,
    extra: { secret },
    name: `${secret}\ud800`,
  });
  const runs = [run(secret, { threadId: id, turnId: secret })];
  await store.append(id, lease.fence, {
    messages: [long],
    toolCalls: [call(secret)],
    runs,
    enqueue: [item(secret)],
  });
  await store.append(id, lease.fence, { dequeue: [secret], enqueue: [item('q', { payload: { secret } })] });
  await store.setValue(id, lease.fence, { key: secret, value: secret });
  await store.writeFile(id, lease.fence, { ...file('f', data), name: secret });
  expect(readBytes(path)).toContain(secret);
  await store.deleteThread(id, lease.fence);
  expect(readBytes(path)).not.toContain(secret);
  await store.close();
  expect(readBytes(path)).not.toContain(secret);
});

test('a deleted thread leaves no row in any table, and neither do its child threads', async () => {
  const { store, path } = await withThread();
  for (const [id, parentId] of [
    ['parent', null],
    ['child', 'parent'],
    ['grandchild', 'child'],
  ] as const) {
    await store.createThread(thread({ id, parentId }));
    const lease = await store.acquireLease({ threadId: id, owner: 'a', ttlMs: 1 });
    await store.append(id, lease.fence, {
      messages: [message('m1')],
      toolCalls: [call('m1')],
      runs: [run('r', { threadId: id })],
      enqueue: [item('q1')],
      values: [{ key: 'k', value: 1 }],
    });
    await store.append(id, lease.fence, {
      runs: [run('alone', { threadId: id })],
      thread: { turn: { id: 'turn-1' } },
    });
    await store.writeFile(id, lease.fence, file('f', [1]));
  }
  const filled = countRows(path);
  expect(Object.entries(filled).filter(([, rows]) => rows < 3)).toEqual([]); // every table has a row of each
  const fence = (await store.acquireLease({ threadId: 'parent', owner: 'a', ttlMs: 1 })).fence;
  await store.deleteThread('parent', fence);
  const none = Object.fromEntries(Object.keys(filled).map((table) => [table, 0]));
  expect(countRows(path)).toEqual({ ...none, threads: 1 });
  await store.close();
});

/** How many rows each table of a file has. */
function countRows(path: string): Record<string, number> {
  const client = new Database(path, { readonly: true });
  const tables = client.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite%'",
  );
  const names = tables.pluck().all() as string[];
  const rows = names.map((name) => [name, client.prepare(`select count(*) from "${name}"`).pluck().get()]);
  client.close();
  return Object.fromEntries(rows);
}

test('what was deleted, edited away or removed leaves no byte', async () => {
  const { store, path } = await withThread();
  await store.append(t, 0, {
    messages: [message('m1', { content: 'T0P-SECRET-1' }), message('m2', { content: 'T0P-SECRET-2' })],
  });
  await store.setValue(t, 0, { key: 'k', value: 'T0P-SECRET-3' });
  await store.writeFile(t, 0, file('f', [...new TextEncoder().encode('T0P-SECRET-4')]));
  await store.deleteMessage(t, 0, 'm1');
  expect(readBytes(path)).not.toContain('T0P-SECRET-1');
  await store.updateMessage(t, 0, { id: 'm2', fields: { content: 'harmless' } });
  expect(readBytes(path)).not.toContain('T0P-SECRET-2');
  await store.setValue(t, 0, { key: 'k', value: undefined });
  expect(readBytes(path)).not.toContain('T0P-SECRET-3');
  await store.deleteFile(t, 0, 'f');
  expect(readBytes(path)).not.toContain('T0P-SECRET-4');
  await store.close();
});

test('without secureDelete the bytes stay, so the tests above can fail', async () => {
  const { store, path } = await withThread(false);
  await store.append(t, 0, { messages: [message('m1', { content: 'T0P-SECRET' })] });
  await store.deleteMessage(t, 0, 'm1');
  expect(readBytes(path)).toContain('T0P-SECRET');
  await store.close();
});

test('many deletes and edits among messages that stay leave no byte', { timeout: 120_000 }, async () => {
  // Runs in which SQLite's secure_delete alone leaves a copy of a moved row in a page.
  for (const seed of pickShare([3, 9, 37], 3)) {
    const { store, path } = await withThread();
    const { gone, kept } = await churn(store, random(seed));
    const found = new Set(readBytes(path).match(/secret-\d+-/g));
    expect([...gone].filter((text) => found.has(text))).toEqual([]);
    expect([...kept].filter((text) => !found.has(text))).toEqual([]);
    await store.close();
  }
});

test('a reader in another process puts erasing off, and the next write catches up', async () => {
  const { store, path } = await withThread();
  await store.append(t, 0, { messages: [message('m1', { content: 'T0P-SECRET' })] });
  const reader = new Database(path);
  reader.exec('begin');
  reader.prepare('select count(*) from messages').get();
  expect(await store.deleteMessage(t, 0, 'm1')).toBe(true);
  expect(readBytes(path)).toContain('T0P-SECRET');
  reader.close();
  await store.append(t, 0, { messages: [message('m2')] });
  expect(readBytes(path)).not.toContain('T0P-SECRET');
  await store.close();
});

/** Appends, edits and deletes at random; gives the texts that must be gone and those that must be there. */
async function churn(store: Store, next: () => number): Promise<{ gone: Set<string>; kept: Set<string> }> {
  const texts = new Map<string, string>();
  const gone = new Set<string>();
  for (let n = 0; n < 500; n += 1) {
    const name = `secret-${n}-`;
    const text = `${name}${'x'.repeat(1 + Math.floor(next() * 60))}`;
    const ids = [...texts.keys()];
    const id = ids[Math.floor(next() * ids.length)];
    if (id === undefined || next() < 0.6) {
      texts.set(`m${n}`, name);
      await store.append(t, 0, { messages: [message(`m${n}`, { content: text.repeat(3) })] });
      continue;
    }
    gone.add(texts.get(id) ?? '');
    if (next() < 0.3) {
      texts.set(id, name);
      await store.updateMessage(t, 0, { id, fields: { content: text.repeat(3), extra: [text] } });
    } else {
      texts.delete(id);
      await store.deleteMessage(t, 0, id);
    }
  }
  return { gone, kept: new Set(texts.values()) };
}

/** Numbers from 0 to 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
