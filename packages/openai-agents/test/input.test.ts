import { Agent, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { hearUsers } from '@spec/test-helpers';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';

/** A promise that the test settles. */
function defer<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

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

test('a message that says the same as one that is being answered is heard', async () => {
  let count = 0;
  const limit = defineHook({
    hook: 'before_user_message',
    id: 'limit',
    execute: async () => (++count > 1 ? { decision: 'deny', reason: 'Too many.' } : null),
  });
  const answer = defer<void>();
  const asked = defer<void>();
  const model = new ScriptedModel([[assistantMessage('Hi.')]]);
  const getResponse = model.getResponse.bind(model);
  model.getResponse = async (request) => {
    asked.resolve();
    await answer.promise;
    return getResponse(request);
  };
  const { run } = createHooks({ hooks: [limit] }).inTurn({ threadId: 'chat-1' });
  const agent = new Agent({ name: 'clerk', model });
  const first = run(agent, 'hello');
  await asked.promise;
  await expect(run(agent, 'hello')).rejects.toThrow('Too many.');
  answer.resolve();
  expect((await first).finalOutput).toBe('Hi.');
});

test('a reader who goes has stopped the turn: calls that nobody has come to have a result in the store', async () => {
  const store = memoryStore();
  const look = defineHook({ hook: 'after_model_call', id: 'look', execute: async () => {} });
  const held = tool({
    name: 'pay',
    description: 'Pays.',
    parameters: z.object({}),
    execute: () => new Promise<string>(() => {}),
  });
  const model = new ScriptedModel([
    [{ type: 'function_call', callId: 'call_1', name: 'pay', arguments: '{}', status: 'completed' }],
  ]);
  const { run } = createHooks({ hooks: [look], store }).inTurn({ threadId: 'chat-1' });
  const streamed = await run(new Agent({ name: 'clerk', model, tools: [held] }), 'pay', { stream: true });
  for await (const event of streamed) if (event.type === 'run_item_stream_event') break;
  const listRoles = async () => (await store.listMessages('chat-1')).map(({ role }) => role);
  await expect.poll(listRoles).toEqual(['user', 'assistant', 'tool']);
});

describe('what is said to a run that was interrupted', () => {
  const asking = defineHook({
    hook: 'before_tool_call',
    id: 'asking',
    execute: async () => ({ decision: 'ask', reason: 'Money.' }),
  });
  const polite = defineHook({
    hook: 'before_user_message',
    id: 'polite',
    execute: async (_state, { content }) =>
      content === 'Damn.' ? { decision: 'deny', reason: 'Be polite.' } : { input: `${content} Please.` },
  });

  async function interrupt() {
    const store = memoryStore();
    const hooks = createHooks({ hooks: [asking, polite], store });
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      parameters: z.object({}),
      execute: async () => 'paid',
    });
    const model = new ScriptedModel([
      [functionCall('pay', {}, { callId: 'c1' })],
      [assistantMessage('Done.')],
    ]);
    const agent = new Agent({ name: 'clerk', model, tools: [pay] });
    const { run } = hooks.inTurn({ threadId: 'chat-1' });
    const { state, interruptions } = await run(agent, 'Pay.');
    return { store, model, agent, run, state, interruptions };
  }

  test.each([false, true])('passes the hooks, and is stored (stream: %s)', async (stream) => {
    const { store, model, agent, run, state, interruptions } = await interrupt();
    for (const interruption of interruptions) state.approve(interruption);
    state.addInput('Be quick.');
    if (stream) await (await run(agent, state, { stream: true })).completed;
    else await run(agent, state);
    expect(JSON.stringify(model.calls[1]?.request.input)).toContain('Be quick. Please.');
    expect((await store.listMessages('chat-1')).map(({ content }) => content)).toContain('Be quick. Please.');
  });

  test('reaches no model where a hook denies it', async () => {
    const { model, agent, run, state, interruptions } = await interrupt();
    for (const interruption of interruptions) state.approve(interruption);
    state.addInput('Damn.');
    await expect(run(agent, state)).rejects.toThrow('Be polite.');
    expect(model.calls).toHaveLength(1);
  });

  test('is heard once, however often it is interrupted', async () => {
    const { model, agent, run, state, interruptions } = await interrupt();
    state.addInput('Be quick.');
    await run(agent, state);
    for (const interruption of interruptions) state.approve(interruption);
    await run(agent, state);
    expect(JSON.stringify(model.calls[1]?.request.input)).toContain('Be quick. Please."');
  });

  test('is refused while a streamed run goes on, as nobody would hear it', async () => {
    const { agent, run, state, interruptions } = await interrupt();
    for (const interruption of interruptions) state.approve(interruption);
    const result = await run(agent, state, { stream: true });
    expect(() => result.state.addInput('Be quick.')).toThrow(/No hook hears/u);
    await result.completed;
  });
});
