import { Agent, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, ScriptedModel } from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { expect, test } from 'vitest';
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
  content: [{ type: 'refusal', refusal: 'Not with card 4111.' }],
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
