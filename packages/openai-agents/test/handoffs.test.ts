// Handoffs, and what is sent again.
import {
  Agent,
  type HandoffInputData,
  handoff,
  setTraceProcessors,
  setTracingDisabled,
} from '@openai/agents';
import { assistantMessage, functionCall, modelError, ScriptedModel } from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { beforeAll, expect, test } from 'vitest';
import { createHooks } from '../src/index.ts';

beforeAll(() => {
  setTraceProcessors([]);
  setTracingDisabled(true);
});

const dropItems = (data: HandoffInputData): HandoffInputData => ({
  ...data,
  preHandoffItems: [],
  newItems: [],
});

test.each([
  ['as the SDK gives it', [], '{"assistant":"desk"}'],
  ['also where a filter takes it out', [dropItems], 'Handed off.'],
] as const)('the call that hands off has a row of its result, %s', async (_, [inputFilter], text) => {
  const store = memoryStore();
  const failed: string[] = [];
  const fail = defineHook({
    hook: 'after_tool_call_failure',
    id: 'fail',
    execute: async (_state, { function: { name } }, result) => {
      failed.push(name);
      return result;
    },
  });
  const model = new ScriptedModel([
    [functionCall('transfer_to_desk', {}, { callId: 'h1' })],
    [assistantMessage('At your service.')],
  ]);
  const desk = new Agent({ name: 'desk', model });
  const clerk = new Agent({
    name: 'clerk',
    model,
    handoffs: [handoff(desk, inputFilter === undefined ? {} : { inputFilter })],
  });
  const hooks = createHooks({ hooks: [fail], allowPartial: ['fail'], store });
  const { finalOutput } = await hooks.inTurn({ threadId: 't' }).run(clerk, 'go');
  const rows = (await store.listMessages('t')).map(({ role, content, name }) => [
    role,
    content,
    name ?? null,
  ]);
  expect([finalOutput, failed]).toEqual(['At your service.', []]);
  expect(rows).toEqual([
    ['user', 'go', null],
    ['assistant', null, null],
    ['tool', text, 'transfer_to_desk'],
    ['assistant', 'At your service.', null],
  ]);
});

test('a message that is sent again because no model had answered is received once', async () => {
  const store = memoryStore();
  const shout = defineHook({
    hook: 'before_user_message',
    id: 'shout',
    execute: async (_state, { content }) => ({ input: `${content}!` }),
  });
  const failing = new Agent({ name: 'clerk', model: new ScriptedModel([modelError(new Error('down'))]) });
  const model = new ScriptedModel([[assistantMessage('Paid.')], [assistantMessage('Paid again.')]]);
  const hooks = createHooks({ hooks: [shout], store });
  const { run } = hooks.inTurn({ threadId: 't' });
  await expect(run(failing, 'pay')).rejects.toThrow('down');
  const agent = new Agent({ name: 'clerk', model });
  await run(agent, 'pay');
  expect(JSON.stringify(model.calls[0]?.request.input)).toContain('pay!');
  await run(agent, 'pay');
  const rows = (await store.listMessages('t')).map(({ content }) => content);
  expect(rows).toEqual(['pay!', 'Paid.', 'pay!', 'Paid again.']);
});
