import { Agent, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, ScriptedModel } from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';

setTracingDisabled(true);

const call = {
  type: 'function_call',
  callId: 'call_1',
  name: 'wait',
  arguments: '{}',
  status: 'completed',
} as const;
const refusal = {
  ...assistantMessage(''),
  content: [{ type: 'refusal', refusal: 'Not with card 4111111111111111.' }],
} as never;

/** Hooks that hear of results and take numbers out of messages. */
function makeHooks() {
  const told: string[] = [];
  const hear = defineHook({
    hook: 'before_store_tool_result',
    id: 'hear',
    execute: async (_state, _call, result) => {
      told.push(`${result.status} ${result.error ?? result.result}`);
      return result;
    },
  });
  const mask = defineHook({
    hook: 'before_create_message',
    id: 'mask',
    execute: async (_state, message) => ({
      ...message,
      content: message.content?.replace(/\d+/g, '#') ?? null,
    }),
  });
  const store = memoryStore();
  const { run } = createHooks({ hooks: [hear, mask], store }).inTurn({ threadId: 'chat-1' });
  const listRows = async () =>
    (await store.listMessages('chat-1')).map((row) => `${row.role}: ${row.content}`);
  return { run, told, listRows };
}

const waits = (timeoutBehavior: 'error_as_result' | 'raise_exception') =>
  tool({
    ...{ name: 'wait', description: 'Waits.', parameters: z.object({}) },
    ...{ timeoutMs: 10, timeoutBehavior },
    execute: () => new Promise<string>(() => {}),
  });

test('a tool whose time is over has failed, as its model is told', async () => {
  const { run, told, listRows } = makeHooks();
  const model = new ScriptedModel([[call], [assistantMessage('done')]]);
  await run(new Agent({ name: 'clerk', model, tools: [waits('error_as_result')] }), 'hi');
  expect(told).toEqual(["error Tool 'wait' timed out after 10ms."]);
  expect(JSON.stringify(model.calls[1]?.request.input)).toContain('timed out after #ms');
  expect(await listRows()).toContain("tool: Tool 'wait' timed out after #ms.");
});

test('a tool whose time is over may end its run, and has a result in the store', async () => {
  const { run, listRows } = makeHooks();
  const model = new ScriptedModel([[call]]);
  const agent = new Agent({ name: 'clerk', model, tools: [waits('raise_exception')] });
  await expect(run(agent, 'hi')).rejects.toThrow('timed out');
  expect(await listRows()).toContain("tool: Tool 'wait' timed out after #ms.");
});

test.each([false, true])(
  'the text with which a model refuses passes the hooks, streamed: %s',
  async (stream) => {
    const { run, listRows } = makeHooks();
    const agent = new Agent({ name: 'clerk', model: new ScriptedModel([[refusal]]) });
    const refused = async (): Promise<void> => {
      if (!stream) await run(agent, 'hi');
      else await (await run(agent, 'hi', { stream: true })).completed;
    };
    await expect(refused()).rejects.toThrow('Not with card #.');
    expect(await listRows()).toEqual(['user: hi', 'assistant: Not with card #.']);
  },
);

test.each([false, true])(
  'a call of an answer that a guardrail has ended the run beside has a result in the store, streamed: %s',
  async (stream) => {
    const { run, listRows } = makeHooks();
    const model = new ScriptedModel([[call]]);
    const inputGuardrails = [
      {
        name: 'no',
        execute: async () => {
          await vi.waitFor(async () => expect(await listRows()).toContain('assistant: null'));
          return { tripwireTriggered: true, outputInfo: null };
        },
      },
    ];
    const agent = new Agent({ name: 'clerk', model, tools: [waits('error_as_result')], inputGuardrails });
    const end = stream
      ? run(agent, 'hi', { stream }).then(({ completed }) => completed)
      : run(agent, 'hi', { stream });
    await expect(end).rejects.toThrow('guardrail');
    await vi.waitFor(async () =>
      expect(await listRows()).toContain('tool: The turn was stopped before this tool call was finished.'),
    );
  },
);

test('an agent in a tool that waits for a person is no result of the tool until they have answered', async () => {
  const store = memoryStore();
  const ask = defineHook({
    hook: 'before_tool_call',
    id: 'ask',
    match: 'pay',
    execute: async () => ({ decision: 'ask', reason: 'Money leaves the house.' }),
  });
  const hooks = createHooks({ hooks: [ask], store });
  const { run } = hooks.inTurn({ threadId: 'chat-1' });
  const pay = tool({ name: 'pay', description: 'Pays.', parameters: z.object({}), execute: () => 'paid' });
  const payer = new Agent({
    name: 'payer',
    model: new ScriptedModel([
      [{ ...call, callId: 'call_2', name: 'pay' }],
      [assistantMessage('It is paid.')],
    ]),
    tools: [pay],
  });
  const inner = hooks.hooked(payer).asTool({ toolName: 'wait', toolDescription: 'Pays.' });
  const model = new ScriptedModel([[{ ...call, arguments: '{"input":"pay"}' }], [assistantMessage('Done.')]]);
  const agent = new Agent({ name: 'clerk', model, tools: [inner] });
  const listResults = async () =>
    (await store.listMessages('chat-1')).flatMap(({ role, content, tool_call_id: id }) =>
      role === 'tool' ? [`${id}: ${content}`] : [],
    );
  const { state, interruptions } = await run(agent, 'pay');
  expect(await listResults()).toEqual([]);
  for (const interruption of interruptions) state.approve(interruption);
  await run(agent, state);
  expect(await listResults()).toEqual(['call_2: paid', 'call_1: It is paid.']);
});
