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
  summarizationMiddleware,
  ToolMessage,
  tool,
} from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

const config = { configurable: { thread_id: 'chat-1' } };
const lookUp = { id: 'call_1', name: 'look_up', args: {}, type: 'tool_call' } as const;

/** An agent whose user is heard by a hook, which lets nobody say `secret`, and takes numbers out; with other middleware before the hooks. */
function makeAgent(other: AgentMiddleware, give: () => unknown = () => 'found') {
  const { heard, listen } = hearUsers();
  const mask = defineHook({
    hook: 'before_create_message',
    id: 'mask',
    execute: async (_state, message) => ({
      ...message,
      content: message.content?.replace(/\d+/g, '#') ?? null,
    }),
  });
  const store = memoryStore();
  const model = fakeModel().respond(new AIMessage({ content: '', tool_calls: [lookUp] }));
  for (const text of ['one', 'two', 'three']) model.respond(new AIMessage(text));
  const hooks = hooksMiddleware({
    hooks: [defineHook(listen), mask],
    allowPartial: ['mask', 'listen'],
    store,
  });
  const agent = createAgent({
    model,
    tools: [tool(give as () => Promise<string>, { name: 'look_up', schema: z.object({}) })],
    checkpointer: new MemorySaver(),
    middleware: [other, hooks],
  });
  const say = (text: string) =>
    agent.invoke({ messages: [new HumanMessage(text)] }, config) as Promise<{ messages: BaseMessage[] }>;
  const listSent = () => model.calls.map(({ messages }) => messages.map(({ text }) => text));
  const listUsers = async () =>
    (await store.listMessages('chat-1')).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  return { say, heard, listSent, listUsers };
}

/** Says something in the place of the user, once. */
function steer(moment: 'beforeModel' | 'afterModel', text: string): AgentMiddleware {
  let isSaid = false;
  const hook = () => {
    if (isSaid) return undefined;
    isSaid = true;
    return { messages: [new HumanMessage(text)] };
  };
  return createMiddleware({ name: 'Steer', [moment]: hook });
}

test.each(['beforeModel', 'afterModel'] as const)(
  'what other middleware says as the user in %s passes the hooks, once, and is stored',
  async (moment) => {
    const { say, heard, listSent, listUsers } = makeAgent(steer(moment, 'card 4111111111111111'));
    await say('hello');
    await say('and?');
    expect(heard).toEqual(['hello', 'card 4111111111111111', 'and?']);
    expect(await listUsers()).toEqual(['hello', 'card #', 'and?']);
    expect(JSON.stringify(listSent())).not.toContain('4111111111111111');
  },
);

test.each(['beforeModel', 'afterModel'] as const)(
  'what is denied of it in %s leaves the state, and the agent ends with the reason',
  async (moment) => {
    const { say, listSent } = makeAgent(steer(moment, 'a secret'));
    const { messages } = await say('hello');
    await say('and?');
    expect(messages.at(-1)?.text).toBe('No.');
    expect(JSON.stringify([messages, listSent()])).not.toContain('secret');
  },
);

test('a summary in the place of earlier messages passes the hooks, once, and is not stored', async () => {
  const summary = summarizationMiddleware({
    model: fakeModel().respond(new AIMessage('Their card is 4111111111111111.')),
    ...{ trigger: { messages: 5 }, keep: { messages: 1 } },
  } as never) as unknown as AgentMiddleware;
  const { say, heard, listSent, listUsers } = makeAgent(summary);
  await say('hello');
  await say('and?');
  await say('more?');
  expect(heard.filter((text) => text?.includes('4111111111111111'))).toHaveLength(1);
  expect(JSON.stringify(listSent().at(-1))).toContain('Their card is #.');
  expect(await listUsers()).toEqual(['hello', 'and?', 'more?']);
});

test('what a tool gives to the conversation in a command is not heard as said by the user', async () => {
  const give = () =>
    new Command({
      update: {
        messages: [new ToolMessage({ content: 'found', tool_call_id: 'call_1' }), new HumanMessage('note')],
      },
    });
  const { say, heard, listUsers } = makeAgent(createMiddleware({ name: 'Nothing' }), give);
  await say('hello');
  await say('and?');
  expect(heard).toEqual(['hello', 'and?']);
  expect(await listUsers()).toEqual(['hello', 'note', 'and?']);
});
