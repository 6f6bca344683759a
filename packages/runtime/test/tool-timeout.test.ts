import { setTimeout as sleep } from 'node:timers/promises';
import { defineHook, type ThreadState } from '@spec/hooks';
import { expect, test } from 'vitest';
import { type AnyTool, createRuntime, defineAgent, definePrompt, defineTool } from '../src/index.ts';
import { lines, onBothStores } from './kit.ts';

const forever = (): Promise<never> => new Promise(() => {});
const LATE = 'This tool did not end within 20 ms; whether the call took effect is unknown.';

onBothStores(
  'a tool whose time is up is left behind: the turn goes on, and it writes nothing more',
  async (kit) => {
    let left: { state: ThreadState; signal: AbortSignal } | undefined;
    const hang = defineTool({
      name: 'hang',
      timeout: 20,
      execute(_input, { state, abortSignal: signal }) {
        left = { state, signal };
        return forever();
      },
    });
    const heard: unknown[] = [];
    const hear = defineHook({
      hook: 'after_tool_call_failure',
      id: 'hear_failure',
      execute: async (_state, _call, result) => {
        heard.push(result);
        return null;
      },
    });
    const quick = defineTool({ name: 'quick', timeout: '1m', execute: () => 'quick' });
    const { thread } = await kit.thread({
      tools: [hang, quick],
      policies: [hear],
      script: [{ toolCalls: [{ name: 'hang' }, { name: 'quick' }] }, 'ok'],
    });
    await thread.send('Go');
    expect((await lines(thread)).slice(2)).toEqual([`tool: ${LATE}`, 'tool: quick', 'assistant: ok']);
    expect(heard).toEqual([{ status: 'error', error: LATE, code: 'tool_timed_out' }]);
    expect((await thread.messages())[2]).toMatchObject({ status: 'error', code: 'tool_timed_out' });
    expect(left?.signal.reason).toMatchObject({ code: 'tool_timed_out' });
    await expect(left?.state.setValue('late', 1)).rejects.toMatchObject({ code: 'late_write' });
  },
);

onBothStores('toolTimeout holds for tools that set none, and for those that a tool invokes', async (kit) => {
  const inner = defineTool({ name: 'inner', execute: forever });
  const outer = defineTool({
    name: 'outer',
    timeout: '1m',
    execute: async (_input, { state }) => (await state.invokeTool('inner', {})).error,
  });
  const { thread } = await kit.thread({
    toolTimeout: 20,
    tools: [inner, outer],
    script: [{ toolCalls: [{ name: 'inner' }, { name: 'outer' }] }, 'ok'],
  });
  await thread.send('Go');
  expect((await lines(thread)).slice(2, 4)).toEqual([`tool: ${LATE}`, `tool: ${LATE}`]);
});

onBothStores('the time stands still while a person is asked, also by a tool within', async (kit) => {
  const pay = defineTool({ name: 'pay', permission: 'ask', execute: () => 'paid' });
  const outer = defineTool({
    name: 'outer',
    timeout: 200,
    execute: async (_input, { state }) => (await state.invokeTool('pay', {})).result,
  });
  const { thread } = await kit.thread({
    tools: [pay, outer],
    onAsk: async () => {
      await sleep(300);
      return true;
    },
    script: [{ toolCalls: [{ name: 'outer' }] }, 'ok'],
  });
  await thread.send('Go');
  expect((await lines(thread))[2]).toBe('tool: paid');
});

test('a wrong timeout is refused where it is set', () => {
  const tool = (options: object) =>
    defineTool({ name: 'x', execute: () => 'x', ...options } as AnyTool as never);
  expect(() => tool({ timeout: '5 sec' })).toThrow(
    /The tool "x": timeout must be a duration .* Did you mean "5s"/,
  );
  expect(() => defineTool({ name: 'x', agent: 'a', timeout: 5 } as never)).toThrow(
    /only tools that are functions/,
  );
  const definitions = {
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
    prompts: [definePrompt({ name: 'p' })],
    models: {},
  };
  expect(() => createRuntime({ ...definitions, toolTimeout: 0 })).toThrow(
    /createRuntime: toolTimeout must be a duration/,
  );
});
