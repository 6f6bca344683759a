import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { message, run, t, thread } from '../../src/testing/store-suite-samples.ts';
import { tempFiles } from './temp-files.ts';

const newFile = tempFiles();

test('a vacuum gives the room of deleted threads back and keeps the others', async () => {
  const path = newFile();
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await store.createThread(thread());
  await store.append(t, 0, { messages: [message('kept')], runs: [run('kept')] });
  const big = thread({ id: 'big' });
  await store.createThread(big);
  const messages = Array.from({ length: 300 }, (_, n) =>
    message(`m${n}`, { content: 'long '.repeat(1_000) }),
  );
  await store.append('big', 0, { messages });
  await store.deleteThread('big', 0);
  const before = statSync(path).size;
  const late = store.append(t, 0, { messages: [message('late')] });
  await store.vacuum();
  await late;
  expect(statSync(path).size).toBeLessThan(before / 5);
  expect((await store.listMessages(t)).map(({ id }) => id)).toEqual(['kept', 'late']);
  expect(await store.listRuns()).toHaveLength(1);
  await store.append(t, 0, { messages: [message('after')] });
  await store.close();
  await expect(store.vacuum()).rejects.toMatchObject({ code: 'closed' });
  const client = new Database(path, { readonly: true });
  expect(client.pragma('integrity_check', { simple: true })).toBe('ok');
  client.close();
});

test('where another process writes, it is refused and nothing is lost', async () => {
  const path = newFile();
  const store = sqliteStore({ path, busyTimeoutMs: 20 });
  await store.createThread(thread());
  const other = new Database(path);
  other.exec('begin immediate');
  await expect(store.vacuum()).rejects.toMatchObject({ code: 'store_failed' });
  other.exec('rollback');
  other.close();
  await store.vacuum();
  expect(await store.getThread(t)).toEqual(thread());
  await store.close();
});
