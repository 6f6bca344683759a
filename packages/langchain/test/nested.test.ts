// Agents inside of tools, and answers that break off.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { Command, MemorySaver } from '@langchain/langgraph';
import { limitCost } from '@spec/builtins';
import { defineHook } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { AIMessage, AIMessageChunk, createAgent, fakeModel, HumanMessage, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

const call = (name: string, args: object, id: string): AIMessage =>
  new AIMessage({ content: '', tool_calls: [{ id, name, args: { ...args }, type: 'tool_call' }] });
const list = async (store: Store, id: string): Promise<string[]> =>
  (await store.listMessages(id)).map(({ role, content }) => `${role}: ${content}`);

describe('an agent inside of a tool', () => {
  const asking = defineHook({
    hook: 'before_tool_call',
    id: 'asking',
    match: 'pay',
    execute: async () => ({ decision: 'ask' }),
  });

  function makeAgents(given?: object) {
    const store = memoryStore();
    const middleware = [hooksMiddleware({ hooks: [asking], store })];
    const pay = tool(async () => 'paid', { name: 'pay', description: 'Pays.', schema: z.object({}) });
    const clerk = createAgent({
      model: fakeModel()
        .respond(call('pay', {}, 'p1'))
        .respond(new AIMessage('It is paid.')),
      ...{ tools: [pay], middleware },
    });
    const delegate = tool(
      async ({ task }) =>
        (await clerk.invoke({ messages: [new HumanMessage(task)] }, given)).messages.at(-1)?.text,
      { name: 'delegate', description: 'Asks a clerk.', schema: z.object({ task: z.string() }) },
    );
    const agent = createAgent({
      model: fakeModel()
        .respond(call('delegate', { task: 'pay it' }, 'd1'))
        .respond(new AIMessage('Done.')),
      ...{ tools: [delegate], middleware, checkpointer: new MemorySaver() },
    });
    return { store, agent, config: { configurable: { thread_id: 'outer' } } };
  }

  test('has a thread of its own, to which it comes back when a person has answered', async () => {
    const { store, agent, config } = makeAgents();
    await agent.invoke({ messages: [new HumanMessage('go')] }, config);
    const resume = { decisions: [{ type: 'approve' }] };
    expect((await agent.invoke(new Command({ resume }) as never, config)).messages.at(-1)?.text).toBe(
      'Done.',
    );
    expect(await list(store, 'outer')).toEqual([
      'user: go',
      'assistant: null',
      'tool: It is paid.',
      'assistant: Done.',
    ]);
    expect(await list(store, 'outer/d1')).toEqual([
      'user: pay it',
      'assistant: null',
      'tool: paid',
      'assistant: It is paid.',
    ]);
  });

  test('has the thread that it is given', async () => {
    const { store, agent, config } = makeAgents({ configurable: { thread_id: 'inner' } });
    await agent.invoke({ messages: [new HumanMessage('go')] }, config);
    expect(await list(store, 'inner')).toEqual(['user: pay it', 'assistant: null']);
    expect(await list(store, 'outer')).toEqual(['user: go', 'assistant: null']);
  });
});

/** A model whose answer breaks off behind two words; or before them. */
class BreakingChat extends BaseChatModel {
  readonly words: number;

  constructor(words: number) {
    super({ maxRetries: 0 });
    this.words = words;
  }

  _llmType(): string {
    return 'breaking';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(): Promise<never> {
    throw new Error('gone');
  }

  override async *_streamResponseChunks(
    ...[_messages, _options, manager]: Parameters<BaseChatModel['_streamResponseChunks']>
  ): AsyncGenerator<ChatGenerationChunk> {
    for (let at = 0; at < this.words; at++) {
      const chunk = new ChatGenerationChunk({ text: 'word ', message: new AIMessageChunk('word ') });
      yield chunk;
      await manager?.handleLLMNewToken('word ', undefined, undefined, undefined, undefined, { chunk });
    }
    throw new Error('gone');
  }
}

test.each([
  ['an answer that breaks off costs what was reserved for it', 2, 'error', 'model_denied'],
  ['one that has not begun costs nothing', 0, null, undefined],
])('%s', async (_, words, finishReason, code) => {
  const told: unknown[] = [];
  const tell = defineHook({
    hook: 'after_model_call',
    id: 'tell',
    execute: async (_state, call) => void told.push(call.finishReason),
  });
  const middleware = [hooksMiddleware({ hooks: [...limitCost({ tokens: 5_000 }), tell] })];
  const config = { configurable: { thread_id: 't' } };
  const breaking = createAgent({ model: new BreakingChat(words), tools: [], middleware });
  const input = { messages: [new HumanMessage('go')] };
  const read = async (): Promise<void> => {
    for await (const __ of await breaking.stream(input, { ...config, streamMode: 'messages' }));
  };
  await expect(read()).rejects.toThrow('gone');
  expect(told).toEqual([finishReason]);
  const next = createAgent({ model: fakeModel().respond(new AIMessage('Hi.')), tools: [], middleware });
  const asked = await next.invoke(input, config).then(
    () => undefined,
    (error: { code?: string; cause?: { code?: string } }) => error.code ?? error.cause?.code,
  );
  expect(asked).toBe(code);
});

test('a message that is sent again because no model had answered is received once', async () => {
  const store = memoryStore();
  const model = fakeModel()
    .respond(new Error('down'))
    .respond(new AIMessage('Paid.'))
    .respond(new AIMessage('Paid again.'));
  const agent = createAgent({ model, tools: [], middleware: [hooksMiddleware({ hooks: [], store })] });
  const ask = () =>
    agent.invoke({ messages: [new HumanMessage('pay')] }, { configurable: { thread_id: 't' } });
  await expect(ask()).rejects.toThrow('down');
  await ask();
  await ask();
  expect(await list(store, 't')).toEqual([
    ...['user: pay', 'assistant: Paid.', 'user: pay', 'assistant: Paid again.'],
  ]);
});
