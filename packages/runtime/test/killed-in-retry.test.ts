import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { bundleProgram } from './bundle-program.ts';
import { lines, newFile } from './kit.ts';
import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';

const program = await bundleProgram('retrying-process');

test('a turn that is killed while it waits for a retry is finished once by another process', async () => {
  const path = newFile();
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(String(await once(child.stdout, 'data'))).toContain('model_failed');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const store = openLasting(path);
  const { runtime, model } = startRuntime(store, { script: ['Here.'], lease: '300ms' });
  await expect.poll(() => store.getLease('t')).toBeNull();
  await runtime.resumeAll();
  const thread = await runtime.openThread('t');
  expect(await thread.send('Hello', { id: 'one' })).toMatchObject({ status: 'completed', text: 'Here.' });
  expect(await lines(thread)).toEqual(['user: Hello', 'assistant: Here.']);
  expect(model.calls).toHaveLength(1);
  await runtime.close();
});
