import { ChatMessage } from '@langchain/core/messages';
import { MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { defineHook, type HookMessage } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { hearUsers } from '@spec/test-helpers';
import {
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  SystemMessage,
  tool,
} from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

/** A promise that the test settles. */
function defer<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const config = { configurable: { thread_id: 'chat-1' } };

/** An agent whose user is heard by a hook, which lets nobody say `secret` and takes numbers out. */
function makeAgent({ fails = false }: { readonly fails?: boolean } = {}) {
  const { heard, listen } = hearUsers();
  const mask = defineHook({
    hook: 'before_create_message',
    id: 'mask',
    execute: async (_state, message) => ({
      ...message,
      content: message.content?.replace(/\d+/, '#') ?? null,
    }),
  });
  const store = memoryStore();
  const model = fakeModel();
  const call = { id: 'call_1', name: 'look_up', args: {}, type: 'tool_call' } as const;
  if (fails)
    model.respond(new AIMessage({ content: '', tool_calls: [call] })).respond(new Error('overloaded'));
  for (const text of ['one', 'two', 'three']) model.respond(new AIMessage(text));
  const agent = createAgent({
    model,
    tools: [tool(async () => 'found', { name: 'look_up', schema: z.object({}) })],
    checkpointer: new MemorySaver(),
    middleware: [
      hooksMiddleware({ hooks: [defineHook(listen), mask], allowPartial: ['mask', 'listen'], store }),
    ],
  });
  const say = (content: string, id: string) =>
    agent.invoke({ messages: [new HumanMessage({ content, id })] }, config);
  const listStored = async () => (await store.listMessages('chat-1')).map(readMessage);
  const listSent = () => model.calls.map(({ messages }) => messages.map(({ text }) => text));
  return { agent, say, heard, model, listSent, listStored };
}

function readMessage({ role, content }: HookMessage): string {
  return `${role}: ${content}`;
}

test('what the user puts in the place of an earlier message, under its id, passes the hooks', async () => {
  const { say, heard, listSent, listStored } = makeAgent();
  await say('hello', 'm1');
  await say('card 4111111111111111', 'm1');
  expect(heard).toEqual(['hello', 'card 4111111111111111']);
  expect(listSent().at(-1)).toEqual(['card #', 'one']);
  expect(await listStored()).toEqual(['user: hello', 'assistant: one', 'user: card #', 'assistant: two']);
});

test('what is denied in the place of an earlier message leaves the state, and no model is called', async () => {
  const { say, listSent } = makeAgent();
  await say('hello', 'm1');
  const { messages } = await say('a secret', 'm1');
  expect(messages.at(-1)?.text).toBe('No.');
  expect(JSON.stringify([messages, listSent()])).not.toContain('secret');
});

test('the user is heard once: not again in later turns, also where hooks have rewritten the message', async () => {
  const { say, heard } = makeAgent();
  await say('card 4111111111111111', 'm1');
  await say('and?', 'm2');
  await say('so?', 'm3');
  expect(heard).toEqual(['card 4111111111111111', 'and?', 'so?']);
});

test('no input says what hooks have seen', async () => {
  const { agent, say, heard } = makeAgent();
  await say('hello', 'm1');
  const messages = [new HumanMessage({ content: 'other', id: 'm1' })];
  await agent.invoke({ messages, _hooksSeen: {} } as never, config);
  expect(heard).toEqual(['hello', 'other']);
});

test('each answer is stored, also where the provider gives all of them one id', async () => {
  const store = memoryStore();
  const look = defineHook({ hook: 'before_model_call', id: 'look', execute: async () => null });
  const model = fakeModel();
  for (const content of ['one', 'two']) model.respond(new AIMessage({ id: 'chatcmpl-0', content }));
  const agent = createAgent({ model, tools: [], middleware: [hooksMiddleware({ hooks: [look], store })] });
  for (const text of ['first', 'second']) await agent.invoke({ messages: [new HumanMessage(text)] }, config);
  const rows = (await store.listMessages('chat-1')).map(readMessage);
  expect(rows).toEqual(['user: first', 'assistant: one', 'user: second', 'assistant: two']);
});

test('an answer under the id of a message of the user is stored beside it', async () => {
  const store = memoryStore();
  const look = defineHook({ hook: 'before_model_call', id: 'look', execute: async () => null });
  const model = fakeModel().respond(new AIMessage({ id: 'm1', content: 'one' }));
  const agent = createAgent({ model, tools: [], middleware: [hooksMiddleware({ hooks: [look], store })] });
  await agent.invoke({ messages: [new HumanMessage({ id: 'm1', content: 'hello' })] }, config);
  expect((await store.listMessages('chat-1')).map(readMessage)).toEqual(['user: hello', 'assistant: one']);
});

test('what is sent again under its id, to another process, is there once', async () => {
  const store = memoryStore();
  const listen = defineHook({ hook: 'before_model_call', id: 'look', execute: async () => null });
  for (const answer of [new Error('overloaded'), new AIMessage('one')]) {
    const middleware = [hooksMiddleware({ hooks: [listen], store })];
    const agent = createAgent({ model: fakeModel().respond(answer), tools: [], middleware });
    const input = { messages: [new HumanMessage({ id: 'm1', content: 'hello' })] };
    await agent.invoke(input, config).catch(() => undefined);
  }
  expect((await store.listMessages('chat-1')).map(readMessage)).toEqual(['user: hello', 'assistant: one']);
});

test('the user is heard, also where the application has the last word of the input', async () => {
  const { agent, heard } = makeAgent();
  await agent.invoke({ messages: [new HumanMessage('hello'), new SystemMessage('Answer in JSON.')] }, config);
  expect(heard).toEqual(['hello']);
});

test('what the user puts in the place of an answer, under its id, passes the hooks', async () => {
  const { agent, say, heard, listSent } = makeAgent();
  const { messages } = await say('hello', 'm1');
  await say('and?', 'm2');
  const id = messages.at(-1)?.id as string;
  const input = [
    new HumanMessage({ content: 'a secret', id }),
    new HumanMessage({ content: 'so?', id: 'm3' }),
  ];
  await agent.invoke({ messages: input }, config);
  expect(heard).toEqual(['hello', 'and?', 'a secret']);
  expect(JSON.stringify(listSent())).not.toContain('secret');
});

test('what the user edits after a turn that failed passes the hooks', async () => {
  const { agent, say, heard, model, listSent } = makeAgent({ fails: true });
  await expect(say('hello', 'm1')).rejects.toThrow('overloaded');
  const input = [new HumanMessage({ content: 'a secret', id: 'm1' }), new HumanMessage('so?')];
  await agent.invoke({ messages: input }, config);
  expect(heard).toEqual(['hello', 'a secret']);
  expect(model.calls).toHaveLength(2);
  expect(JSON.stringify(listSent())).not.toContain('secret');
});

test('a turn that failed is gone on with: the user is heard once', async () => {
  const { agent, say, heard } = makeAgent({ fails: true });
  await expect(say('hello', 'm1')).rejects.toThrow('overloaded');
  await agent.invoke({ messages: [] }, config);
  expect(heard).toEqual(['hello']);
});

test('a message of any class with the role of the user is heard', async () => {
  const { agent, heard } = makeAgent();
  await agent.invoke({ messages: [new ChatMessage('hello', 'user')] }, config);
  await agent.invoke(
    { messages: [new HumanMessage('and?'), new ChatMessage('In JSON.', 'developer')] },
    config,
  );
  expect(heard).toEqual(['hello', 'and?']);
});

/** An agent that is a node of a graph of the application's, which has the checkpointer. */
function makeGraph(store?: Store) {
  const heard: (string | null)[] = [];
  const listen = defineHook({
    hook: 'before_user_message',
    id: 'listen',
    execute: async (_state, { content }) => {
      heard.push(content);
      return content?.includes('secret') ? { decision: 'deny', reason: 'No.' } : null;
    },
  });
  const model = fakeModel();
  for (const text of ['one', 'two', 'three']) model.respond(new AIMessage({ id: text, content: text }));
  const options = store === undefined ? {} : { store };
  const agent = createAgent({
    model,
    tools: [],
    middleware: [hooksMiddleware({ hooks: [listen], allowPartial: ['listen'], ...options })],
  });
  const make = (checkpointer: MemorySaver) =>
    new StateGraph(MessagesAnnotation)
      .addNode('agent', agent.graph)
      .addEdge('__start__', 'agent')
      .addEdge('agent', '__end__')
      .compile({ checkpointer });
  const listSent = () => model.calls.map(({ messages }) => messages.map(({ text }) => text));
  return { make, heard, listSent };
}

const say = (graph: ReturnType<ReturnType<typeof makeGraph>['make']>, ...messages: HumanMessage[]) =>
  graph.invoke({ messages }, config);

test.each(['with', 'without'])(
  'in a graph of the application, what the user edits passes the hooks, %s a store',
  async (kind) => {
    const { make, heard, listSent } = makeGraph(kind === 'with' ? memoryStore() : undefined);
    const graph = make(new MemorySaver());
    await say(graph, new HumanMessage({ id: 'm1', content: 'hello' }));
    const edited = new HumanMessage({ id: 'm1', content: 'a secret' });
    await say(graph, edited, new HumanMessage({ id: 'm2', content: 'go on' }));
    await say(graph, new HumanMessage({ id: 'm3', content: 'and?' }));
    expect(heard).toEqual(['hello', 'a secret', 'and?']);
    expect(JSON.stringify(listSent())).not.toContain('secret');
  },
);

test('in a graph of the application, what was denied does not reach a model in a later turn', async () => {
  const { make, heard, listSent } = makeGraph();
  const graph = make(new MemorySaver());
  for (const [at, content] of ['a secret', 'hello', 'and?'].entries())
    await say(graph, new HumanMessage({ id: `m${at}`, content }));
  expect(heard).toEqual(['a secret', 'hello', 'and?']);
  expect(listSent()).toEqual([
    ['No.', 'hello'],
    ['No.', 'hello', 'one', 'and?'],
  ]);
});

test('in a graph of the application, another process hears what the user edits, where there is a store', async () => {
  const store = memoryStore();
  const checkpointer = new MemorySaver();
  await say(makeGraph(store).make(checkpointer), new HumanMessage({ id: 'm1', content: 'hello' }));
  const { make, heard, listSent } = makeGraph(store);
  const edited = new HumanMessage({ id: 'm1', content: 'a secret' });
  await say(make(checkpointer), edited, new HumanMessage({ id: 'm2', content: 'go on' }));
  expect(heard).toEqual(['a secret']);
  expect(listSent()).toEqual([]);
});

test('in a graph of the application, each agent hears what the user edits', async () => {
  const [first, second] = [makeGraph(), makeGraph()];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('first', first.make(new MemorySaver()))
    .addNode('second', second.make(new MemorySaver()))
    .addEdge('__start__', 'first')
    .addEdge('first', 'second')
    .addEdge('second', '__end__')
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ messages: [new HumanMessage({ id: 'm1', content: 'hello' })] }, config);
  await graph.invoke({ messages: [new HumanMessage({ id: 'm1', content: 'edited' })] }, config);
  expect(first.heard).toEqual(['hello', 'edited']);
  expect(second.heard).toEqual(['hello', 'edited']);
});

test('a message that says the same as one that is being answered is heard', async () => {
  let count = 0;
  const limit = defineHook({
    hook: 'before_user_message',
    id: 'limit',
    execute: async () => (++count > 1 ? { decision: 'deny', reason: 'Too many.' } : null),
  });
  const asked = defer<void>();
  const answer = defer<void>();
  const wait = createMiddleware({
    name: 'wait',
    wrapModelCall: async (request, handler) => {
      asked.resolve();
      await answer.promise;
      return handler(request);
    },
  });
  const agent = createAgent({
    model: fakeModel().respond(new AIMessage('Hi.')),
    tools: [],
    middleware: [hooksMiddleware({ hooks: [limit], allowPartial: ['limit'] }), wait],
  });
  const hello = () => agent.invoke({ messages: [new HumanMessage('hello')] }, config);
  const first = hello();
  await asked.promise;
  expect((await hello()).messages.at(-1)?.text).toBe('Too many.');
  answer.resolve();
  expect((await first).messages.at(-1)?.text).toBe('Hi.');
});
