import { expect } from 'vitest';
import { memoryStore } from '../src/index.ts';
import { sqliteStore } from '../src/stores/sqlite/index.ts';
import { lines, newFile, onBothStores, thrownBy } from './kit.ts';
import { startRuntime } from './start-runtime.ts';

onBothStores('an exported thread goes on in another runtime', async ({ thread: start }) => {
  const { runtime, thread } = await start({ script: ['one'] });
  await thread.send('first');
  const text: string[] = [];
  for await (const line of runtime.exportThread(thread.id)) text.push(line);

  const there = startRuntime(memoryStore(), { script: ['two'] });
  const moved = await there.runtime.openThread(await there.runtime.importThread(text));
  expect(moved.id).toBe(thread.id);
  expect(await moved.send('second')).toMatchObject({ status: 'completed', text: 'two' });
  expect(await lines(moved)).toEqual(['user: first', 'assistant: one', 'user: second', 'assistant: two']);
  expect(await lines(thread)).toEqual(['user: first', 'assistant: one']);
  expect(await thrownBy(there.runtime.importThread(text))).toMatchObject({ code: 'invalid_input' });
  await there.runtime.close();
});

onBothStores('a backup is a store to go on with, at once', async ({ store, thread: start }) => {
  const { runtime, thread } = await start({ script: ['one', 'later'] });
  await thread.send('first');
  const path = newFile();
  const failed = await runtime.backup(path).then(
    () => null,
    (error: { code: string }) => error.code,
  );
  if (failed !== null) {
    expect(failed).toBe('invalid_input'); // in memory
    return;
  }
  await thread.send('not in the backup');
  expect((await store.listThreads()).length).toBe(1);
  const there = startRuntime(sqliteStore({ path }), { script: ['two'] });
  const restored = await there.runtime.openThread(thread.id);
  expect(await restored.send('second')).toMatchObject({ status: 'completed', text: 'two' });
  expect(await lines(restored)).toEqual(['user: first', 'assistant: one', 'user: second', 'assistant: two']);
  await there.runtime.close();
});
