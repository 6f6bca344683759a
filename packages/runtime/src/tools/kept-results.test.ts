import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { asking, firstReply } from '../../test/asking-first.ts';
import { bundleProgram } from '../../test/bundle-program.ts';
import { lines, newFile, onBothStores } from '../../test/kit.ts';
import { openLasting } from '../../test/lasting-store.ts';
import { startRuntime } from '../../test/start-runtime.ts';

const program = await bundleProgram('kept-process');

test('a call that has ended is known to have run, where the process dies while an earlier one waits for a person', async () => {
  const path = newFile();
  const child = spawn(process.execPath, [program, path], { stdio: 'inherit' });
  const store = openLasting(path, 'FULL');
  const kept = async () =>
    (await store.listValues('t')).filter(({ key }) => key.startsWith('runtime/results/'));
  await expect.poll(kept, { timeout: 60_000 }).toHaveLength(2);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const { runtime } = startRuntime(store, { ...asking(() => true, 'after'), lease: 20 });
  const thread = await runtime.openThread('t');
  await expect.poll(() => thread.resume().then(() => 'resumed', String)).toBe('resumed');
  expect(await lines(thread)).toEqual([
    'user: Go',
    'assistant: null',
    'tool: careful after',
    'tool: quick 1 before',
    'tool: quick 2 before',
    'assistant: Done.',
  ]);
  expect(await kept()).toEqual([]);
  await runtime.close();
}, 120_000);

onBothStores(
  'where nothing goes wrong, results are stored in call order, and nothing is left of them',
  async (kit) => {
    const store = kit.store;
    let answer = (_: boolean): void => {};
    const { thread } = await kit.thread({
      ...asking(() => new Promise((resolve) => (answer = resolve)), 'before'),
      script: [firstReply, 'Done.'],
    });
    const sent = thread.send('Go');
    const kept = async () =>
      (await store.listValues(thread.id)).filter(({ key }) => key.startsWith('runtime/results/'));
    await expect.poll(kept).toHaveLength(2);
    answer(true);
    await sent;
    expect((await lines(thread)).slice(2, 5)).toEqual([
      'tool: careful before',
      'tool: quick 1 before',
      'tool: quick 2 before',
    ]);
    expect(await kept()).toEqual([]);
  },
);
