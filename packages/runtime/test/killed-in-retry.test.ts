import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sqliteStore } from '../src/stores/sqlite/index.ts';
import { lines, newFile } from './kit.ts';
import { startRuntime } from './start-runtime.ts';

const script = fileURLToPath(new URL('./retrying-process.ts', import.meta.url));

test('a turn that is killed while it waits for a retry is finished once by another process', async () => {
  const path = newFile();
  const flags = ['--conditions=@spec/source', '--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...flags, script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(String(await once(child.stdout, 'data'))).toContain('model_failed');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  const { runtime, model } = startRuntime(store, { script: ['Here.'], lease: '300ms' });
  await expect.poll(() => store.getLease('t')).toBeNull();
  await runtime.resumeAll();
  const thread = await runtime.openThread('t');
  expect(await thread.send('Hello', { id: 'one' })).toMatchObject({ status: 'completed', text: 'Here.' });
  expect(await lines(thread)).toEqual(['user: Hello', 'assistant: Here.']);
  expect(model.calls).toHaveLength(1);
  await runtime.close();
});
