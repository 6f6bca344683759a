import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { defineHook } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { bundleProgram } from '../../test/bundle-program.ts';
import { CANARY, canaries } from '../../test/canaries.ts';
import { lines, newFile, onBothStores, thrownBy } from '../../test/kit.ts';
import { openLasting, readAtRest } from '../../test/lasting-store.ts';
import { startRuntime } from '../../test/start-runtime.ts';
import { defineTool } from '../index.ts';
import { exportThread } from '../transfer/index.ts';

const program = await bundleProgram('canary-process');

/** The canaries in everything that a store has on the disk. */
async function readCanaries(path: string): Promise<string[]> {
  return (await readAtRest(path)).match(CANARY) ?? [];
}

test('what hooks say is written nowhere before it has passed before_create_message, also where the process is killed', async () => {
  const path = newFile();
  const child = spawn(process.execPath, [program, path], { stdio: 'inherit' });
  const store = openLasting(path, 'FULL');
  const results = async () =>
    (await store.listMessages('t').catch(() => [])).filter(({ role }) => role === 'tool');
  await expect.poll(results, { timeout: 60_000 }).toHaveLength(2);
  expect(await readCanaries(path)).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readCanaries(path)).toEqual([]);
  expect(await store.listValues('t')).toContainEqual({
    key: 'runtime/contexts/going.1.batch',
    value: expect.objectContaining({ content: 'on [X]\n\nyes [X]\n\nno [X]' }),
  });

  const { runtime, model } = startRuntime(store, { ...canaries(async () => 'CANARY-slow'), lease: 20 });
  const thread = await runtime.openThread('t');
  await expect.poll(() => thread.resume().then(() => 'resumed', String)).toBe('resumed');
  const denied = { turnId: 'denied', status: 'denied', steps: 0, text: null };
  const { usage: _, ...result } = await thread.send('Deny me.', { id: 'denied' });
  expect(result).toEqual({
    ...denied,
    reason: 'for [X]',
    userMessage: 'to [X]',
  });
  expect(await lines(thread)).toContain('user: on [X]\n\nyes [X]\n\nno [X]\n\n[X]');
  await thread.compact({ instructions: 'Keep CANARY-instructions.' });
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('Keep [X].');
  await thread.send('End');
  expect((await store.getThread('t'))?.terminated).toBe('[X]');
  let copy = '';
  for await (const line of exportThread(store, 't')) copy += JSON.stringify(line);
  expect(copy.match(CANARY)).toBeNull();
  expect(JSON.stringify(model.calls.map(({ prompt }) => prompt)).match(CANARY)).toBeNull();
  await runtime.close();
  expect(await readCanaries(path)).toEqual([]);
}, 120_000);

const refuses = (text: string) =>
  defineHook({
    hook: 'before_create_message',
    id: 'refuse',
    execute: async (_state, message) => {
      if (String(message.content).includes(text)) throw new Error('not this one');
      return message;
    },
  });

describe('a text that before_create_message refuses', () => {
  onBothStores('is no part of what is kept of a denied turn', async (kit) => {
    const deny = defineHook({
      hook: 'before_user_message',
      id: 'deny',
      execute: async (_state) => ({ decision: 'deny', reason: 'the secret', userMessage: 'no' }),
    });
    const { thread } = await kit.thread({ policies: [deny, refuses('secret')] });
    expect(await thread.send('Go', { id: 'one' })).toMatchObject({ status: 'denied', reason: 'the secret' });
    const again = await thread.send('Go', { id: 'one' });
    expect(again).toMatchObject({ status: 'denied', userMessage: 'no' });
    expect(again.reason).toBeUndefined();
  });

  onBothStores('fails the turn as a context, when the results of its batch are stored', async (kit) => {
    const tools = [defineTool({ name: 'act', execute: () => 'acted' })];
    const say = defineHook({
      hook: 'before_tool_call',
      id: 'say',
      execute: async (_state) => ({ context: 'the secret' }),
    });
    const { thread } = await kit.thread({
      tools,
      policies: [say, refuses('secret')],
      script: [{ toolCalls: [{ name: 'act' }, { name: 'act' }] }],
    });
    expect(await thrownBy(thread.send('Go'))).toMatchObject({ code: 'hook_failed' });
    expect(await lines(thread)).toEqual([
      'user: Go',
      'assistant: null',
      'tool: acted',
      'tool: acted',
      'assistant: The turn ended with an error: hook_failed.',
    ]);
    expect(await kit.store.listValues(thread.id)).toEqual([]);
  });
});
