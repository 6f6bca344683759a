import { Agent, type AgentConfig } from '@mastra/core/agent';
import { InMemoryServerCache } from '@mastra/core/cache';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { type InputProcessor, ResponseCache } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { type AnyHook, defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createHooks, type MastraHooks } from '../src/index.ts';
import { scriptedModel } from './scripted-model.ts';

const CARD = '4111111111111111';
const memory = { thread: 'chat-1', resource: 'ada' };

const hideCards = defineHook({
  hook: 'before_create_message',
  id: 'hide_cards',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replaceAll(CARD, '[CARD]') ?? null,
  }),
});

interface Making {
  readonly model: AgentConfig['model'];
  readonly more?: readonly AnyHook[];
  readonly behind?: (hooks: MastraHooks) => InputProcessor[];
  readonly allowUnwrapped?: readonly string[];
  readonly tools?: Readonly<Record<string, ReturnType<typeof createTool>>>;
}

function makeAgent({ model, more = [], behind = () => [], allowUnwrapped = [], tools = {} }: Making) {
  const store = memoryStore();
  const hooks = createHooks({ hooks: [hideCards, ...more], store, allowPartial: [], allowUnwrapped });
  const agent = new Agent({
    ...{ id: 'clerk', name: 'clerk', instructions: 'You help.', model, memory: new MockMemory() },
    inputProcessors: [hooks.processor, ...behind(hooks)],
    tools: {
      ...tools,
      ...hooks.wrapTools({
        look: createTool({
          id: 'look',
          description: 'Looks.',
          inputSchema: z.object({}),
          execute: async () => 'seen',
        }),
      }),
    },
  });
  const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const listRows = async () =>
    (await store.listMessages('chat-1')).map(({ role, content }) => `${role}: ${content}`);
  return { agent: mastra.getAgent('agent'), listRows };
}

async function readAll(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const pieces: unknown[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

describe('what the provider said word by word does not go on beside a changed answer', () => {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const text = `It is ${CARD}.`;
  const end = { finishReason: 'stop', usage, providerMetadata: { script: { tokens: [CARD] } } };
  const model = {
    ...{ specificationVersion: 'v2', provider: 'script', modelId: 'script', supportedUrls: {} },
    doGenerate: async () => ({
      ...end,
      content: [{ type: 'text', text }],
      warnings: [],
      response: { body: { text } },
    }),
    doStream: async () => ({
      stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        { type: 'raw', rawValue: { text } },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: text },
        { type: 'text-end', id: 't' },
        { type: 'finish', ...end },
      ]),
    }),
  } as unknown as AgentConfig['model'];

  test('in a result', async () => {
    const result = await makeAgent({ model }).agent.generate('Which card?', { memory });
    expect(result.text).toBe('It is [CARD].');
    expect(JSON.stringify([result.response, result.providerMetadata, result.steps])).not.toContain(CARD);
  });

  test('in a stream', async () => {
    const { agent } = makeAgent({ model });
    const { fullStream } = await agent.stream('Which card?', { memory, includeRawChunks: true });
    const chunks = await readAll(fullStream as unknown as AsyncIterable<unknown>);
    expect(JSON.stringify(chunks)).toContain('[CARD]');
    expect(JSON.stringify(chunks)).not.toContain(CARD);
  });
});

describe('an answer of a processor in the place of the model', () => {
  const answering = () => ({
    id: 'answering' as const,
    processLLMRequest: async () => ({
      response: {
        chunks: [
          { type: 'text-start', payload: { id: 't' } },
          { type: 'text-delta', payload: { id: 't', text: `It is ${CARD}.` } },
          { type: 'text-end', payload: { id: 't' } },
          {
            type: 'finish',
            payload: { stepResult: { reason: 'stop' }, output: { usage: {} }, metadata: {} },
          },
        ],
      },
    }),
  });

  test('passes the hooks where the processor is wrapped, and is told of', async () => {
    const told: unknown[] = [];
    const tell = defineHook({
      hook: 'after_model_call',
      id: 'tell',
      execute: async (_state, { cached, errorCode }) => void told.push({ cached, errorCode }),
    });
    const { model, sent } = scriptedModel();
    const behind = (hooks: MastraHooks) => [hooks.wrapProcessor(answering())];
    const { agent, listRows } = makeAgent({ model, more: [tell], behind });
    expect((await agent.generate('Which card?', { memory })).text).toBe('It is [CARD].');
    expect(sent).toEqual([]);
    expect(told).toEqual([{ cached: true, errorCode: null }]);
    expect(await listRows()).toEqual(['user: Which card?', 'assistant: It is [CARD].']);
  });

  test('comes from a cache of Mastra too', async () => {
    const { model, sent } = scriptedModel({ text: 'One.' }, { text: 'Two.' });
    const cache = new ResponseCache({ cache: new InMemoryServerCache() });
    const { agent } = makeAgent({ model, behind: (hooks) => [hooks.wrapProcessor(cache)] });
    const ask = async (): Promise<string> => (await agent.generate('Which?')).text;
    expect([await ask(), await ask()]).toEqual(['One.', 'One.']);
    expect(sent).toHaveLength(1);
  });

  test('ends the run where the processor is not wrapped, and nothing keeps it', async () => {
    const { agent, listRows } = makeAgent({ model: scriptedModel().model, behind: () => [answering()] });
    await expect(agent.generate('Which card?', { memory })).rejects.toThrow(/wrapProcessor/u);
    expect(await listRows()).toEqual(['user: Which card?']);
  });

  test('is refused where the processor stands before the hooks', async () => {
    const hooks = createHooks({ hooks: [hideCards], store: memoryStore() });
    const inputProcessors = [hooks.wrapProcessor(answering()), hooks.processor];
    const { model } = scriptedModel();
    const agent = new Agent({ id: 'clerk', name: 'clerk', instructions: '', model, inputProcessors });
    await expect(agent.generate('Which card?')).rejects.toThrow(/Put hooks.processor first/u);
  });
});

test('a batch that ends the run is told of', async () => {
  const told: string[][] = [];
  const tell = defineHook({
    hook: 'after_tool_batch',
    id: 'tell',
    execute: async (_state, results) => {
      told.push(results.map(({ toolCall }) => toolCall.id));
      return null;
    },
  });
  const calls = ['call_1', 'call_2'].map((id) => ({ id, name: 'look', input: {} }));
  const { agent } = makeAgent({ model: scriptedModel({ calls }).model, more: [tell] });
  await agent.generate('Look.', { memory, maxSteps: 1 });
  expect(told).toEqual([['call_1', 'call_2']]);
});

test('a network, whose model is told what was said word by word, takes no message that hooks change', async () => {
  const { model, sent } = scriptedModel();
  const { agent } = makeAgent({ model, allowUnwrapped: ['network'] });
  const stream = await agent.network(`Is ${CARD} mine?`, { memory });
  await readAll(stream as unknown as AsyncIterable<unknown>).catch(() => []);
  expect(sent).toEqual([]);
});

test('a network is refused, which would run tools that nobody has wrapped', async () => {
  const { model, sent } = scriptedModel({
    text: JSON.stringify({ primitiveId: 'pay', primitiveType: 'tool', prompt: '{}', selectionReason: 'So.' }),
  });
  const pay = vi.fn(async () => 'paid');
  const tools = { pay: createTool({ id: 'pay', description: 'Pays.', execute: pay }) };
  const { agent } = makeAgent({ model, tools });
  const stream = await agent.network('Pay.', { memory });
  await readAll(stream as unknown as AsyncIterable<unknown>);
  expect(pay).not.toHaveBeenCalled();
  expect(sent).toEqual([]);
  expect(JSON.stringify(await stream.result)).toContain('allowUnwrapped: [\\"network\\"]');
});
