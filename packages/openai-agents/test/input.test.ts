import { Agent, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, ScriptedModel } from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { hearUsers } from '@spec/test-helpers';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';

setTracingDisabled(true);

test('what the user says is heard, also where the application has the last word of the input', async () => {
  const { heard, listen } = hearUsers();
  const model = new ScriptedModel([[assistantMessage('{}')]]);
  const { run } = createHooks({ hooks: [defineHook(listen)] });
  const said = { role: 'user', content: 'hello' } as const;
  await run(new Agent({ name: 'clerk', model }), [said, { role: 'system', content: 'Answer in JSON.' }]);
  expect(heard).toEqual(['hello']);
  expect(model.calls[0]?.request.input).toMatchObject([said, { content: 'Answer in JSON.' }]);
});

test('every text in a message of the user is heard, whatever its part is called', async () => {
  const listen = defineHook({
    hook: 'before_user_message',
    id: 'listen',
    execute: async (_state, { content }) => ({ input: `${content}!` }),
  });
  const model = new ScriptedModel([[assistantMessage('Hi.')]]);
  const { run } = createHooks({ hooks: [listen] });
  const content = [{ type: 'output_text', text: 'hello' }] as never;
  await run(new Agent({ name: 'clerk', model }), [{ role: 'user', content }]);
  expect(model.calls[0]?.request.input).toMatchObject([
    { content: [{ type: 'input_text', text: 'hello!' }] },
  ]);
});

test('a tool that says in other words than true that it needs approval is asked about', async () => {
  const execute = vi.fn(() => 'paid');
  const needsApproval = (async () => 'over 50') as never;
  const pay = tool({ name: 'pay', description: 'Pays.', parameters: z.object({}), needsApproval, execute });
  const model = new ScriptedModel([
    [{ type: 'function_call', callId: 'call_1', name: 'pay', arguments: '{}', status: 'completed' }],
  ]);
  const look = defineHook({ hook: 'before_tool_call', id: 'look', execute: async () => null });
  const { interruptions } = await createHooks({ hooks: [look] }).run(
    new Agent({ name: 'clerk', model, tools: [pay] }),
    'pay',
  );
  expect([interruptions.length, execute.mock.calls.length]).toEqual([1, 0]);
});
