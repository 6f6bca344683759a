import { Agent, setTracingDisabled, tool } from '@openai/agents';
import { RealtimeAgent } from '@openai/agents/realtime';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';

beforeAll(() => setTracingDisabled(true));

const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: async () => 'seen' });
const looks = (callId: string) => [functionCall('look', {}, { callId })];

test('what hooks add is sent once where the provider keeps the conversation', async () => {
  const remark = defineHook({
    hook: 'after_tool_batch',
    id: 'remark',
    execute: async (_state, results) => `${results.length} seen`,
  });
  const model = new ScriptedModel([looks('call_1'), looks('call_2'), [assistantMessage('Done.')]]);
  const agent = new Agent({ name: 'clerk', model, tools: [look] });
  await createHooks({ hooks: [remark] }).run(agent, 'Look.', { conversationId: 'c1' });
  const counts = model.calls.map(({ request }) => JSON.stringify(request.input).split('1 seen').length - 1);
  expect(counts).toEqual([0, 1, 1]);
});

test('a call that a person rejected has its row where the provider keeps the conversation', async () => {
  const asks = defineHook({
    hook: 'before_tool_call',
    id: 'asks',
    execute: async () => ({ decision: 'ask', reason: 'Look?' }),
  });
  const store = memoryStore();
  const { run } = createHooks({ hooks: [asks], store }).inTurn({ threadId: 'chat-1' });
  const model = new ScriptedModel([looks('call_1'), [assistantMessage('Well.')]]);
  const agent = new Agent({ name: 'clerk', model, tools: [look] });
  const given = { conversationId: 'c1' };
  const { state, interruptions } = await run(agent, 'Look.', given);
  for (const one of interruptions) state.reject(one, { message: 'Not now.' });
  await run(agent, state, given);
  const rows = await store.listMessages('chat-1');
  expect(rows.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    ...['user: Look.', 'assistant: null', 'tool: Not now.', 'assistant: Well.'],
  ]);
});

test('a realtime agent is refused, whose session no hook hears', () => {
  const { hooked } = createHooks({ hooks: [], store: memoryStore() });
  const agent = new RealtimeAgent({ name: 'voice', instructions: 'Talk.' });
  expect(() => hooked(agent)).toThrow('The realtime agent "voice" talks in a session of its own');
});
