import type { BaseMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import {
  type AgentMiddleware,
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  modelRetryMiddleware,
  toolStrategy,
} from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

const config = { configurable: { thread_id: 'chat-1' } };
const mask = defineHook({
  hook: 'before_create_message',
  id: 'mask',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replaceAll(/\d{16}/g, '#') ?? null,
  }),
});

function makeAgent(model: ReturnType<typeof fakeModel>, others: readonly AgentMiddleware[], more = {}) {
  const store = memoryStore();
  const guards = hooksMiddleware({ hooks: [mask], allowPartial: ['mask'], store });
  const middleware = [...others, guards] as const;
  const agent = createAgent({ model, tools: [], checkpointer: new MemorySaver(), middleware, ...more });
  const say = (text: string) =>
    agent.invoke({ messages: [new HumanMessage(text)] }, config) as Promise<{ messages: BaseMessage[] }>;
  const listRows = async () =>
    (await store.listMessages('chat-1')).map(({ role, content }) => `${role}: ${content}`);
  return { say, listRows };
}

const retry = modelRetryMiddleware({ maxRetries: 0, onFailure: 'continue' } as never) as AgentMiddleware;

describe('what others answer in the place of a model passes the hooks on messages, and is stored once', () => {
  test('where a retry gives up', async () => {
    const model = fakeModel().respond(new Error('key 4111111111111111')).respond(new AIMessage('two'));
    const { say, listRows } = makeAgent(model, [retry]);
    const { messages } = await say('hi');
    expect(messages.at(-1)?.text).toMatch(/key #$/);
    await say('and?');
    expect(JSON.stringify(model.calls)).not.toContain('4111111111111111');
    const failed = expect.stringMatching(/^assistant: .* key #$/);
    expect(await listRows()).toEqual(['user: hi', failed, 'user: and?', 'assistant: two']);
  });

  test('where LangChain tells of a response of a schema', async () => {
    const call = { id: 'call_1', name: 'answer', args: { of: 4111111111111111 }, type: 'tool_call' } as const;
    const model = fakeModel().respond(new AIMessage({ content: '', tool_calls: [call] }));
    const responseFormat = toolStrategy(z.object({ of: z.number() }).meta({ title: 'answer' }));
    const { say, listRows } = makeAgent(model, [], { responseFormat });
    const { messages } = await say('hi');
    expect(messages.at(-1)?.text).toBe('Returning structured response: {"of":#}');
    expect(await listRows()).toEqual([
      ...['user: hi', 'assistant: null', 'tool: {"of":#}'],
      'assistant: Returning structured response: {"of":#}',
    ]);
  });

  test('where another middleware says it before the model is called', async () => {
    let isSaid = false;
    const speak = createMiddleware({
      name: 'Speak',
      beforeModel: () => {
        if (isSaid) return undefined;
        isSaid = true;
        return { messages: [new AIMessage('card 4111111111111111'), new HumanMessage('go on')] };
      },
    });
    const model = fakeModel().respond(new AIMessage('one')).respond(new AIMessage('two'));
    const { say, listRows } = makeAgent(model, [speak]);
    await say('hi');
    await say('and?');
    expect(JSON.stringify(model.calls)).not.toContain('4111111111111111');
    expect(await listRows()).toEqual([
      ...['user: hi', 'assistant: card #', 'user: go on', 'assistant: one', 'user: and?', 'assistant: two'],
    ]);
  });
});
