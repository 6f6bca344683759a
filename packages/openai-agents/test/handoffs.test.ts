// Handoffs, and what is sent again.
import {
  Agent,
  type HandoffInputData,
  handoff,
  setTraceProcessors,
  setTracingDisabled,
} from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
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
