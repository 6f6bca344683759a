import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';
import { type Answer, scriptedModel } from './scripted-model.ts';

const memory = { thread: 'chat-1', resource: 'ada' };

/** An agent whose user is heard, and says no `secret` and no numbers; its tool says when it runs, and waits. */
function makeAgent({
  script = [] as readonly Answer[],
  model = scriptedModel(...script),
  options = {},
} = {}) {
  const heard: (string | null)[] = [];
  const told: string[] = [];
  const listen = defineHook({
    hook: 'before_user_message',
    id: 'listen',
    execute: async (_state, { content }) => {
      heard.push(content);
      return content?.includes('secret') ? { decision: 'deny', reason: 'No.' } : null;
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
  const hear = defineHook({
    hook: 'after_model_call',
    id: 'hear',
    execute: async (_state, call) => {
      told.push(`${call.model} ${call.attempt} ${call.errorCode} ${call.finishReason}`);
    },
  });
  const store = memoryStore();
  const hooks = createHooks({ hooks: [listen, mask, hear], store, allowUnwrapped: ['network'] });
  let begin: () => void = () => {};
  let goOn: () => void = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const wait = createTool({
    id: 'wait',
    description: 'Waits.',
    inputSchema: z.object({}),
    execute: async () => {
      begin();
      await mayGoOn;
      return 'waited';
    },
  });
  const agent = new Agent({
    ...{
      id: 'clerk',
      name: 'clerk',
      instructions: 'You help.',
      model: model.model,
      memory: new MockMemory(),
    },
    tools: hooks.wrapTools({ wait }),
    inputProcessors: [hooks.processor],
    ...options,
  });
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const listRows = async () =>
    (await store.listMessages('chat-1')).map((row) => `${row.role}: ${row.content}`);
  return { agent, heard, told, sent: model.sent, listRows, hasBegun, goOn };
}

const waits: Answer = { calls: [{ id: 'call_1', name: 'wait', input: {} }] };

async function readAll(stream: AsyncIterable<{ readonly type: string }>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  return types;
}

describe('what is sent into a run', () => {
  test('is heard, changed and stored before the model gets it', async () => {
    const { agent, heard, sent, listRows, hasBegun, goOn } = makeAgent({ script: [waits, { text: 'done' }] });
    const { fullStream } = await agent.stream('hello', { memory });
    const reading = readAll(fullStream);
    await hasBegun;
    agent.sendMessage('my card is 4111111111111111', { resourceId: 'ada', threadId: 'chat-1' });
    goOn();
    await reading;
    expect(heard).toEqual(['hello', 'my card is 4111111111111111']);
    expect(JSON.stringify(sent)).toContain('my card is #');
    expect(JSON.stringify(sent)).not.toContain('4111111111111111');
    expect(await listRows()).toContain('user: my card is #');
  });

  test('ends the run where a hook denies it, and no model gets it', async () => {
    const { agent, sent, hasBegun, goOn } = makeAgent({ script: [waits, { text: 'done' }] });
    const { fullStream } = await agent.stream('hello', { memory });
    const reading = readAll(fullStream);
    await hasBegun;
    agent.sendMessage('a secret', { resourceId: 'ada', threadId: 'chat-1' });
    goOn();
    expect(await reading).toContain('tripwire');
    expect(JSON.stringify(sent)).not.toContain('secret');
  });
});

test('the messages of the option context are heard, and not stored', async () => {
  const { agent, heard, sent, listRows } = makeAgent({ script: [{ text: 'done' }] });
  await agent.generate('hello', {
    memory,
    context: [{ role: 'user', content: 'my card is 4111111111111111' }],
  });
  expect(heard).toEqual(['hello', 'my card is 4111111111111111']);
  expect(JSON.stringify(sent)).not.toContain('4111111111111111');
  expect(await listRows()).toEqual(['user: hello', 'assistant: done']);
});

test('what a network is asked is heard before the agent that routes', async () => {
  const { agent, heard, sent } = makeAgent();
  const stream = await agent.network('a secret', { memory });
  await readAll(stream).catch(() => []);
  expect(heard[0]).toBe('a secret');
  expect(sent).toEqual([]);
});

test('a model of AI SDK 4 is refused, whose calls no hook sees', async () => {
  const deny = defineHook({
    hook: 'before_model_call',
    id: 'deny',
    execute: async () => ({ decision: 'deny', reason: 'No.' }),
  });
  const hooks = createHooks({ hooks: [deny] });
  let count = 0;
  const model = {
    ...{ specificationVersion: 'v1', provider: 'old', modelId: 'old', defaultObjectGenerationMode: 'json' },
    async doGenerate() {
      count++;
      return { text: 'hi', finishReason: 'stop', usage: {}, rawCall: { rawPrompt: null, rawSettings: {} } };
    },
  } as never;
  const agent = new Agent({
    ...{ id: 'clerk', name: 'clerk', instructions: 'You help.', model },
    inputProcessors: [hooks.processor],
  });
  await expect(agent.generateLegacy('hello')).rejects.toThrow();
  expect(count).toBe(0);
});

describe('a call of a model that fails is told of', () => {
  test('where Mastra goes on to another model', async () => {
    const [first, second] = [scriptedModel({ fails: new Error('down') }), scriptedModel({ text: 'done' })];
    const model = [
      { model: first.model, maxRetries: 0 },
      { model: second.model, maxRetries: 0 },
    ];
    const { agent, told } = makeAgent({ options: { model } });
    expect((await agent.generate('hello', { memory })).text).toBe('done');
    expect(told).toEqual(['script 1 model_failed null', 'script 2 null stop']);
  });

  test('where an answer breaks off', async () => {
    const { model, sent } = scriptedModel({ text: 'hello' });
    const breaking = new Proxy(model as object, {
      get: (target, name) =>
        name === 'doStream'
          ? async () => ({
              stream: new ReadableStream({
                start(controller) {
                  controller.enqueue({ type: 'stream-start', warnings: [] });
                  controller.error(new Error('gone'));
                },
              }),
            })
          : Reflect.get(target, name),
    });
    const { agent, told } = makeAgent({ model: { model: breaking, sent } as never });
    const { fullStream } = await agent.stream('hello', { memory });
    await readAll(fullStream);
    expect(told).toEqual(['script 1 model_failed error']);
  });
});
