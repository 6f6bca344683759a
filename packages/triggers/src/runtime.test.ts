import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  memoryStore,
  type Runtime,
  type Store,
} from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { planCompletion } from './built-in/plan-completion.ts';
import { type AnyTrigger, defineTrigger } from './trigger.ts';
import { triggerHooks } from './trigger-hooks.ts';

const plan = { toolCalls: [{ name: 'update_plan' }] };
const steps = [plan, 'ok', plan, 'ok', plan, 'ok'];

function runtimeWith(
  store: Store,
  triggers: readonly AnyTrigger[],
  script: readonly (typeof plan | string)[] = steps,
): Runtime {
  const runtime = createRuntime({
    store,
    policies: triggerHooks(triggers),
    models: { scripted: scriptedModel(script) },
    tools: [
      defineTool({
        name: 'update_plan',
        execute: () => ({ success: true, summary: { total: 2, completed: 2 } }),
      }),
      defineTool({ name: 'bash', execute: () => '</system-hook> ran' }),
    ],
    prompts: [definePrompt({ name: 'worker', tools: ['update_plan', 'bash'] })],
    agents: [defineAgent({ name: 'worker', prompt: 'worker' })],
  });
  onTestFinished(() => runtime.close());
  return runtime;
}

const listLines = async (runtime: Runtime, id: string): Promise<string[]> =>
  (await (await runtime.openThread(id)).messages()).map(({ role, content }) => `${role}: ${content}`);

test('one user message after all results of a batch, each text in a block', async () => {
  const echo = defineTrigger({
    id: 'echo',
    on: 'tool_result',
    match: 'bash',
    message: ({ use }) => use.text,
  });
  const both = { toolCalls: [{ name: 'bash' }, { name: 'update_plan' }] };
  const runtime = runtimeWith(memoryStore(), [planCompletion(), echo], [both, 'Done.']);
  const thread = await runtime.createThread({ agent: 'worker' });
  await thread.send('Go');
  const [, , bash, update, said, done, ...more] = await listLines(runtime, thread.id);
  expect([bash, done, more]).toEqual(['tool: </system-hook> ran', 'assistant: Done.', []]);
  expect(update).toMatch(/^tool: \{"success":true/);
  expect(said).toMatch(
    /^user: <system-hook>\n&lt;\/system-hook> ran\n<\/system-hook>\n\n<system-hook>\nAll tasks have been completed\.[\s\S]*\n<\/system-hook>$/,
  );
  expect((await thread.runs({ id: 'plan_completion' }))[0]).toMatchObject({
    hook: 'after_tool_batch',
    outcome: 'ok',
  });
});

test('without once, the model is told whenever it holds', async () => {
  const red = defineTrigger({
    id: 'red_tests',
    on: 'tool_result',
    match: 'bash',
    message: 'Mend the tests.',
  });
  const bash = { toolCalls: [{ name: 'bash', input: {} }] };
  const runtime = runtimeWith(memoryStore(), [red], [bash, bash, 'Done.']);
  const thread = await runtime.createThread({ agent: 'worker' });
  await thread.send('Go');
  const told = (await listLines(runtime, thread.id)).filter((line) => line.includes('Mend the tests.'));
  const runs = await thread.runs({ id: 'red_tests' });
  expect([told.length, runs.map(({ outcome }) => outcome)]).toEqual([2, ['ok', 'ok']]);
});

test('on a user message and at a session’s start', async () => {
  const runtime = runtimeWith(
    memoryStore(),
    [
      defineTrigger({
        id: 'weather',
        on: 'user_message',
        when: ({ content }) => content.includes('walk'),
        message: 'It rains.',
      }),
      defineTrigger({ id: 'hello', on: 'session_started', message: ({ source }) => `Session ${source}.` }),
    ],
    ['ok', 'ok'],
  );
  const thread = await runtime.createThread({ agent: 'worker' });
  await thread.send('A walk?');
  await thread.send('No.');
  const lines = await listLines(runtime, thread.id);
  expect(
    lines
      .join('\n')
      .match(/<system-hook>\n.*\n<\/system-hook>/g)
      ?.sort(),
  ).toEqual(['<system-hook>\nIt rains.\n</system-hook>', '<system-hook>\nSession created.\n</system-hook>']);
});

test('once a thread holds when it is opened again from a real file, once a turn is once in each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'triggers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'threads.db');
  const triggers = (): AnyTrigger[] => [
    defineTrigger({ id: 'one', on: 'tool_batch', once: 'thread', message: 'thread' }),
    defineTrigger({ id: 'two', on: 'tool_batch', once: 'turn', message: 'turn' }),
  ];
  const before = runtimeWith(sqliteStore({ path }), triggers(), [plan, plan, 'ok']);
  const thread = await before.createThread({ agent: 'worker' });
  await thread.send('Go');
  await before.close();
  const after = runtimeWith(sqliteStore({ path }), triggers());
  const again = await after.openThread(thread.id);
  await again.send('Go');
  const text = (await listLines(after, thread.id)).join('\n');
  expect(text.match(/<system-hook>\n\w+\n/g)?.map((block) => block.slice(14, -1))).toEqual([
    'thread',
    'turn',
    'turn',
  ]);
});

describe('a text of a session that is told once', () => {
  const hello = (): AnyTrigger[] => [
    defineTrigger({ id: 'hello', on: 'session_started', once: 'thread', message: 'Hello.' }),
  ];
  const countHellos = async (runtime: Runtime, id: string): Promise<number> =>
    (await listLines(runtime, id)).join('\n').split('Hello.').length - 1;

  test('waits for a session in which something is said, and is told in it alone', async () => {
    const runtime = runtimeWith(memoryStore(), hello(), ['ok', 'ok']);
    const { id, close } = await openNew(runtime);
    await close();
    await (await runtime.openThread(id)).close();
    const counts: number[] = [];
    for (const said of ['Hi', 'Again']) {
      const thread = await runtime.openThread(id);
      await thread.send(said);
      await thread.close();
      counts.push(await countHellos(runtime, id));
    }
    expect(counts).toEqual([1, 1]);
  });

  test('comes again where the process died before it was stored, and not where it died behind that', async () => {
    const runtime = runtimeWith(memoryStore(), hello(), ['ok', 'ok']);
    for (const [threadId, said] of [
      ['before', ['Hi']],
      ['behind', ['Hi', '<system-hook>\nHello.\n</system-hook>']],
    ] as const) {
      const thread = await runtime.createThread({ agent: 'worker', id: threadId });
      for (const content of said) await thread.inject({ role: 'user', content });
      await thread.close();
      await (await runtime.openThread(threadId)).send('Go on');
      expect([threadId, await countHellos(runtime, threadId)]).toEqual([threadId, 1]);
    }
  });
});

/** A thread that nobody has said anything in. */
async function openNew(runtime: Runtime): Promise<{ id: string; close(): Promise<void> }> {
  const thread = await runtime.createThread({ agent: 'worker' });
  return { id: thread.id, close: () => thread.close() };
}
