import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { bundleProgram } from './bundle-program.ts';
import { newFile } from './kit.ts';
import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';
import { look, show } from './thinking-turn.ts';

const program = await bundleProgram('thinking-process');
const giving = await bundleProgram('given-process');

test('a turn that is killed while its tool runs goes on with the reasoning and the files that it had', async () => {
  const path = newFile();
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(String(await once(child.stdout, 'data'))).toContain('looking');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const store = openLasting(path);
  const { runtime, model } = startRuntime(store, {
    script: ['A pixel.'],
    tools: [look(() => 'One pixel.')],
    lease: '300ms',
  });
  await expect.poll(() => store.getLease('t')).toBeNull();
  await runtime.resumeAll();
  const thread = await runtime.openThread('t');
  expect(await thread.send('', { id: 'one' })).toMatchObject({ status: 'completed', text: 'A pixel.' });
  const [user, answer] = model.calls[0]?.prompt ?? [];
  expect(user?.content).toMatchObject([
    { type: 'text', text: 'What is this?' },
    { type: 'file', mediaType: 'image/png', data: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) },
  ]);
  expect(answer?.content).toMatchObject([
    { type: 'reasoning', text: 'I have to look.', providerOptions: { anthropic: { signature: 'c2ln' } } },
    { type: 'tool-call', toolName: 'look' },
  ]);
  expect(await thread.state.listFiles()).toHaveLength(1);
  await runtime.close();
});

test('images that a tool injected and queued before its process was killed are there once', async () => {
  const path = newFile();
  const child = spawn(process.execPath, [giving, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(String(await once(child.stdout, 'data'))).toContain('shown');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const store = openLasting(path);
  const { runtime, model } = startRuntime(store, {
    script: ['Two pixels.'],
    tools: [show(() => 'Shown.')],
    lease: '300ms',
  });
  await expect.poll(() => store.getLease('t')).toBeNull();
  await runtime.resumeAll();
  const thread = await runtime.openThread('t');
  expect(await thread.send('', { id: 'one' })).toMatchObject({ status: 'completed', text: 'Two pixels.' });
  const users = model.calls.at(-1)?.prompt.filter(({ role }) => role === 'user') ?? [];
  expect(users.map(({ content }) => content)).toMatchObject([
    [{ text: 'Show it.' }],
    [{ type: 'file', data: Uint8Array.of(0) }],
    [{ type: 'file', data: Uint8Array.of(1) }],
  ]);
  expect(await thread.state.listFiles()).toHaveLength(2);
  await runtime.close();
});
