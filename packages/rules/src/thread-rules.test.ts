import { join } from 'node:path';
import type { AnyHook } from '@spec/hooks';
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
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderWith } from '../test/temporary-folder.ts';
import { type ThreadRules, threadRules } from './thread-rules.ts';

const bash = { toolCalls: [{ name: 'bash' }] };

function runtimeWith(store: Store, hooks: readonly AnyHook[], script: readonly ScriptedStep[]): Runtime {
  const runtime = createRuntime({
    store,
    policies: hooks,
    models: { scripted: scriptedModel(script) },
    tools: [
      defineTool({ name: 'bash', execute: () => 'bash ran' }),
      defineTool({ name: 'helper', agent: 'helper' }),
    ],
    prompts: [
      definePrompt({ name: 'worker', tools: ['bash', 'helper'] }),
      definePrompt({ name: 'helper', tools: ['bash'] }),
    ],
    agents: [
      defineAgent({ name: 'worker', prompt: 'worker' }),
      defineAgent({ name: 'helper', prompt: 'helper' }),
    ],
  });
  onTestFinished(() => runtime.close());
  return runtime;
}

function ownRules(): ThreadRules {
  const rules = threadRules();
  onTestFinished(() => rules.close());
  return rules;
}

const toolLines = async (runtime: Runtime, id: string): Promise<(string | null)[]> => {
  const messages = await (await runtime.openThread(id)).messages();
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
};

describe('rules of a thread', () => {
  test('are set by no tool, which a model could lead', async () => {
    const rules = ownRules();
    let refused: unknown;
    const remember = defineTool({
      name: 'bash',
      execute: async (_input, { state }) => {
        refused = await state.setValue('rules/thread', []).catch((error: unknown) => error);
        return 'bash ran';
      },
    });
    const runtime = createRuntime({
      policies: rules.hooks,
      models: { scripted: scriptedModel([bash, 'ok']) },
      tools: [remember],
      prompts: [definePrompt({ name: 'worker', tools: ['bash'] })],
      agents: [defineAgent({ name: 'worker', prompt: 'worker' })],
    });
    onTestFinished(() => runtime.close());
    const thread = await runtime.createThread({ agent: 'worker' });
    await rules.set(thread.state, [{ action: 'deny', matcher: '^other$' }]);
    await thread.send('Go');
    expect(refused).toMatchObject({ code: 'invalid_input' });
    expect(await rules.get(thread.state)).toHaveLength(1);
  });

  test('are there after its process has ended and it is opened again, from a real file', async () => {
    const path = join(folderWith(), 'threads.db');
    const [first, second] = [ownRules(), ownRules()];
    const before = runtimeWith(sqliteStore({ path }), first.hooks, [bash, 'ok', bash, 'ok']);
    const created = await before.createThread({ agent: 'worker' });
    const { id, state } = created;
    await created.send('Go');
    const notes = await first.set(state, [
      { action: 'deny', matcher: '^bash$', reason: 'Kept.' },
      { action: 'script', event: 'UserPromptSubmit', script: "return { context: 'Also kept.' };" },
    ]);
    expect(notes).toEqual([]);
    await created.send('Go');
    await before.close();

    const after = runtimeWith(sqliteStore({ path }), second.hooks, [bash, 'ok']);
    const thread = await after.openThread(id);
    expect((await second.get(thread.state)).map(({ id }) => id)).toEqual(['rule_1', 'rule_2']);
    await thread.send('Go');
    expect(await toolLines(after, id)).toEqual([
      'bash ran',
      expect.stringContaining('Kept.'),
      expect.stringContaining('Kept.'),
    ]);
    expect((await thread.messages()).filter(({ content }) => content === 'Also kept.')).toHaveLength(2);
    expect((await thread.runs({ id: 'rule_1' })).map(({ outcome }) => outcome)).toEqual(['denied', 'denied']);
  });

  test('hold for its subagents, and for no other thread', async () => {
    const rules = ownRules();
    const script = [{ toolCalls: [{ name: 'helper' }] }, bash, 'I could not.', 'ok', bash, 'ok'];
    const runtime = runtimeWith(memoryStore(), rules.hooks, script);
    const thread = await runtime.createThread({ agent: 'worker' });
    await rules.set(thread.state, [{ action: 'deny', matcher: '^bash$', reason: 'Nor you.' }]);
    await thread.send('Go');
    expect(await toolLines(runtime, thread.state.children[0]!)).toEqual([
      expect.stringContaining('Nor you.'),
    ]);
    const other = await runtime.createThread({ agent: 'worker' });
    await other.send('Go');
    expect(await toolLines(runtime, other.id)).toEqual(['bash ran']);
  });

  test('that are wrong are refused, and the thread keeps those it has', async () => {
    const rules = ownRules();
    const runtime = runtimeWith(memoryStore(), rules.hooks, [bash, 'ok']);
    const thread = await runtime.createThread({ agent: 'worker' });
    const { id, state } = thread;
    await rules.set(state, [{ action: 'deny', matcher: 'bash' }]);
    for (const rule of [
      { action: 'deny', matcher: '(' },
      { action: 'script', script: 'let a = ;' },
      { action: 'refuse' as 'deny' },
    ] as const)
      await expect(rules.set(state, [rule])).rejects.toMatchObject({ code: 'bad_definition' });
    await thread.send('Go');
    expect(await toolLines(runtime, id)).toEqual([expect.stringContaining('does not allow this')]);
    await rules.set(state, []);
    expect(await rules.get(state)).toEqual([]);
  });

  test('that were damaged where they are stored let nothing pass', async () => {
    const rules = ownRules();
    const runtime = runtimeWith(memoryStore(), rules.hooks, [bash, 'ok']);
    const thread = await runtime.createThread({ agent: 'worker' });
    const { id, state } = thread;
    await thread.send('hello').catch(() => undefined);
    await state.setValue('rules/thread', [{ action: 'dany', matcher: 'bash' }]);
    expect(await state.invokeTool('bash', {})).toMatchObject({ status: 'error' });
    expect(await toolLines(runtime, id)).toEqual(['bash ran']);
  });

  test('are in quarantine until they are set again', async () => {
    const rules = ownRules();
    const runtime = runtimeWith(memoryStore(), rules.hooks, []);
    const { state } = await runtime.createThread({ agent: 'worker' });
    const deny = [{ action: 'deny', inputMatchers: { command: '^(a+)+$' } }] as const;
    const run = async (command: string): Promise<string> =>
      (await state.invokeTool('bash', { command })).status;
    await rules.set(state, deny);
    expect(await run('b')).toBe('success');
    expect(await run(`${'a'.repeat(40)}!`)).toBe('error');
    expect(await run('b')).toBe('error');
    await rules.set(state, deny);
    expect(await run('b')).toBe('success');
  });
});
