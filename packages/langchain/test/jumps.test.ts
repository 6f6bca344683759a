import type { BaseMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { hearUsers } from '@spec/test-helpers';
import {
  type AgentMiddleware,
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  modelRetryMiddleware,
} from 'langchain';
import { describe, expect, test } from 'vitest';
import { hooksMiddleware } from '../src/index.ts';

const config = { configurable: { thread_id: 'chat-1' } };
const mask = defineHook({
  hook: 'before_create_message',
  id: 'mask',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replace(/\d+/g, '#') ?? null,
  }),
});

/** An agent whose user is heard by a hook, which lets nobody say `secret`, and takes numbers out; with other middleware before the hooks. */
function makeAgent(...others: AgentMiddleware[]) {
  const { heard, listen } = hearUsers();
  const store = memoryStore();
  const model = fakeModel();
  for (const text of ['one', 'two', 'three']) model.respond(new AIMessage(text));
  const hooks = [defineHook(listen), mask];
  const guards = hooksMiddleware({ hooks, allowPartial: ['mask', 'listen'], store });
  const agent = createAgent({
    ...{ model, tools: [], checkpointer: new MemorySaver() },
    middleware: [...others, guards] as const,
  });
  const say = (text: string) =>
    agent.invoke({ messages: [new HumanMessage(text)] }, config) as Promise<{ messages: BaseMessage[] }>;
  const listTexts = async () => {
    const { values } = await agent.graph.getState(config);
    const sent = model.calls.map(({ messages }) => messages.map(({ text }) => text));
    return JSON.stringify([values.messages, sent]);
  };
  const listUsers = async () =>
    (await store.listMessages('chat-1')).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  return { agent, say, heard, listTexts, listUsers };
}

type Jump = 'end' | 'model';

/** Goes elsewhere, once. */
function jump(moment: 'beforeAgent' | 'afterModel', jumpTo: Jump, messages: BaseMessage[] = []) {
  let isDone = false;
  const hook = () => {
    if (isDone) return undefined;
    isDone = true;
    return { jumpTo, messages };
  };
  return createMiddleware({ name: 'Jump', [moment]: { canJumpTo: [jumpTo], hook } }) as AgentMiddleware;
}

describe('what the user says is heard, once, where other middleware', () => {
  test.each([
    ['ends the agent before it has begun', jump('beforeAgent', 'end', [new AIMessage('Later.')])],
    ['goes to the model before it has begun', jump('beforeAgent', 'model')],
  ])('%s', async (_way, other) => {
    const { say, heard, listTexts, listUsers } = makeAgent(other);
    await say('card 4111111111111111');
    await say('and?');
    expect(heard).toEqual(['card 4111111111111111', 'and?']);
    expect(await listUsers()).toEqual(['card #', 'and?']);
    expect(await listTexts()).not.toContain('4111111111111111');
  });

  test.each([
    ['ends the agent', jump('afterModel', 'end', [new HumanMessage('card 4111111111111111')])],
    ['goes back to the model', jump('afterModel', 'model', [new HumanMessage('card 4111111111111111')])],
  ])('says it and %s', async (_way, other) => {
    const { say, heard, listTexts, listUsers } = makeAgent(other);
    await say('hello');
    await say('and?');
    expect(heard.filter((text) => text === 'card 4111111111111111')).toHaveLength(1);
    expect(await listUsers()).toEqual(['hello', 'card #', 'and?']);
    expect(await listTexts()).not.toContain('4111111111111111');
  });

  test('is told by the application to begin at the model', async () => {
    const { agent, heard, listTexts, listUsers } = makeAgent();
    const update = { messages: [new HumanMessage('card 4111111111111111')] };
    await agent.invoke(new Command({ goto: 'model_request', update }), config);
    expect(new Set(heard)).toEqual(new Set(['card 4111111111111111']));
    expect(await listUsers()).toEqual(['card #']);
    expect(await listTexts()).toContain('card #');
    expect(await listTexts()).not.toContain('4111111111111111');
  });
});

test.each([
  ['ends the agent before it has begun', jump('beforeAgent', 'end', [new AIMessage('Later.')])],
  ['goes to the model before it has begun', jump('beforeAgent', 'model')],
])('what is denied leaves the state where other middleware %s', async (_way, other) => {
  const { say, listTexts } = makeAgent(other);
  const { messages } = await say('a secret');
  expect(messages.at(-1)?.text).toBe('No.');
  await say('and?');
  expect(await listTexts()).not.toContain('secret');
});

test('what is denied at the model is heard once', async () => {
  const heard: (string | null)[] = [];
  const guard = defineHook({
    hook: 'before_user_message',
    id: 'guard',
    execute: async (_state, { content }) => {
      heard.push(content);
      return { decision: 'deny', reason: 'No.' };
    },
  });
  const guards = hooksMiddleware({ hooks: [guard], allowPartial: ['guard'] });
  const middleware = [jump('beforeAgent', 'model'), guards] as const;
  const agent = createAgent({ model: fakeModel(), tools: [], middleware });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('a secret')] });
  expect(messages.map(({ text }) => text)).toEqual(['No.']);
  expect(heard).toEqual(['a secret']);
});

test('what a hook failed on is heard again where the model is asked again', async () => {
  let failures = 1;
  const guard = defineHook({
    hook: 'before_create_message',
    id: 'guard',
    execute: async (_state, message) => {
      if (message.content?.includes('4111111111111111') && failures-- > 0) throw new Error('no luck');
      return { ...message, content: message.content?.replace(/\d+/g, '#') ?? null };
    },
  });
  const model = fakeModel().respond(new AIMessage('one')).respond(new AIMessage('two'));
  const retry = modelRetryMiddleware({ maxRetries: 1, initialDelayMs: 1 } as never) as AgentMiddleware;
  const guards = hooksMiddleware({ hooks: [guard], allowPartial: ['guard'] });
  const say = jump('afterModel', 'model', [new HumanMessage('card 4111111111111111')]);
  const middleware = [say, retry, guards] as const;
  const agent = createAgent({ model, tools: [], middleware, checkpointer: new MemorySaver() });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('hi')] }, config);
  expect(failures).toBeLessThan(1);
  expect(JSON.stringify([messages, model.calls])).not.toContain('4111111111111111');
});
