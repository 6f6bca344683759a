import { defineHook } from '@spec/hooks';
import { expect, test } from 'vitest';
import { calledTool, defineTool, saidText } from '../src/index.ts';
import { memoryStore } from '../src/stores/memory/index.ts';
import type { ScriptedStep } from '../src/testing/index.ts';
import { createKit, lines, onBothStores, thrownBy } from './kit.ts';

const finish = defineTool({ name: 'finish', execute: () => 'finished' });
const search = defineTool({ name: 'search', execute: () => 'found' });
const call = (name: string, text: string | null = null): ScriptedStep => ({ text, toolCalls: [{ name }] });

test('a turn has 50 steps where its agent names no limit', async () => {
  const kit = createKit(memoryStore());
  const { thread } = await kit.thread({ tools: [search], script: Array(60).fill(call('search')) });
  expect(await thread.send('Go')).toMatchObject({ status: 'limit', steps: 50 });
  await kit.close();
});

onBothStores('calledTool ends a turn when the results are stored', async (kit) => {
  const { thread } = await kit.thread({
    tools: [finish, search],
    agent: { stopWhen: calledTool('finish') },
    script: [call('search'), call('finish', 'There.'), 'never'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed', text: 'There.', steps: 2 });
  expect((await lines(thread)).slice(-2)).toEqual(['assistant: There.', 'tool: finished']);
});

onBothStores('a call that was denied ends nothing', async (kit) => {
  const deny = defineHook({
    hook: 'before_tool_call',
    id: 'deny',
    execute: async (state) =>
      state.execution.stepCount === 1 ? { decision: 'deny', reason: 'not yet' } : null,
  });
  const { thread } = await kit.thread({
    tools: [finish],
    policies: [deny],
    agent: { stopWhen: calledTool('finish') },
    script: [call('finish'), call('finish'), 'never'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed', steps: 2 });
});

onBothStores('saidText ends a turn although the model called a tool', async (kit) => {
  const { thread } = await kit.thread({
    tools: [search],
    agent: { stopWhen: [saidText('nothing'), saidText(/^final/i)] },
    script: [call('search', 'more'), call('search', 'Final: 7'), 'never'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed', text: 'Final: 7', steps: 2 });
});

onBothStores('before_stop is asked before a stop condition ends a turn', async (kit) => {
  const keep = defineHook({
    hook: 'before_stop',
    id: 'keep',
    execute: async (_, { keptGoing }) => (keptGoing === 0 ? { keepGoing: 'Check it.' } : null),
  });
  const { thread } = await kit.thread({
    tools: [finish],
    policies: [keep],
    agent: { stopWhen: calledTool('finish') },
    script: [call('finish'), call('finish'), 'never'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed', steps: 2 });
  expect(await lines(thread)).toContain('user: Check it.');
});

onBothStores('a condition that gives no answer fails the turn, loudly', async (kit) => {
  const { thread } = await kit.thread({
    tools: [search],
    agent: { stopWhen: (() => undefined) as never },
    script: [call('search'), 'never'],
  });
  expect(await thrownBy(thread.send('Go'))).toMatchObject({
    code: 'invalid_result',
    message: 'A stop condition of the agent "agent" gave neither true nor false.',
  });
});

onBothStores('the model is told whether it may, must or must not call tools', async (kit) => {
  const choices = [
    [undefined, undefined],
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'required' }],
    [{ tool: 'finish' }, { type: 'tool', toolName: 'finish' }],
  ] as const;
  for (const [toolChoice, told] of choices) {
    const { thread, model } = await kit.thread({
      tools: [finish, search],
      prompt: toolChoice === undefined ? {} : { toolChoice },
      script: ['ok'],
    });
    await thread.send('Go');
    expect(model.calls[0]?.toolChoice).toEqual(told);
  }
});
