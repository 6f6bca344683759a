import { Command, MemorySaver } from '@langchain/langgraph';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { AIMessage, createAgent, fakeModel, HumanMessage, tool } from 'langchain';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';

const config = { configurable: { thread_id: 'chat-1' } };
const call = { id: 'call_1', name: 'pay', args: {}, type: 'tool_call' } as const;

test('what hooks had for the conversation is not the user’s to another process', async () => {
  const [checkpointer, store] = [new MemorySaver(), memoryStore()];
  const heard: (string | null)[] = [];
  const know = defineHook({
    hook: 'before_user_message',
    id: 'know',
    execute: async (_state, { content }) => {
      heard.push(content);
      return { context: `${content} is a greeting.` };
    },
  });
  const ask = defineHook({
    hook: 'before_tool_call',
    id: 'ask',
    execute: async () => ({ decision: 'ask', reason: 'Money.' }),
  });
  /** Nothing but the checkpointer and the store are kept. */
  const makeAgent = async (answer: AIMessage) => {
    vi.resetModules();
    const { hooksMiddleware } = await import('../src/index.ts');
    const middleware = [hooksMiddleware({ hooks: [know, ask], allowPartial: ['know'], store })] as const;
    const tools = [tool(async () => 'paid', { name: 'pay', schema: z.object({}) })];
    return createAgent({ model: fakeModel().respond(answer), tools, checkpointer, middleware });
  };
  const first = await makeAgent(new AIMessage({ content: '', tool_calls: [call] }));
  await first.invoke({ messages: [new HumanMessage('hello')] }, config);
  const second = await makeAgent(new AIMessage('done'));
  await second.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config);
  const third = await makeAgent(new AIMessage('again'));
  const { messages } = await third.invoke({ messages: [new HumanMessage('hi')] }, config);
  expect(heard).toEqual(['hello', 'hi']);
  const said = ['hello', 'hello is a greeting.', '', 'paid', 'done', 'hi', 'hi is a greeting.', 'again'];
  expect(messages.map(({ text }) => text)).toEqual(said);
  expect((await store.listMessages('chat-1')).map(({ content }) => content ?? '')).toEqual(said);
});
