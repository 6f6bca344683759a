import { Command, MemorySaver, Overwrite } from '@langchain/langgraph';
import { defineHook, type HookMessage } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import {
  type AgentMiddleware,
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  humanInTheLoopMiddleware,
  ToolMessage,
  tool,
  toolCallLimitMiddleware,
  toolStrategy,
} from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

const config = { configurable: { thread_id: 'chat-1' } };
const call = (id: string, name: string, args = {}) => ({ id, name, args, type: 'tool_call' }) as const;
const mask = <Text extends string | null | undefined>(text: Text) => text?.replaceAll(/\d+/g, '#') ?? null;

/** Hooks that take numbers out of results and of messages. */
function makeHooks(store: Store, told: string[] = []) {
  const maskResult = defineHook({
    hook: 'before_store_tool_result',
    id: 'mask_result',
    execute: async (_state, _call, result) => ({
      ...result,
      ...(typeof result.result === 'string' ? { result: mask(result.result) ?? '' } : {}),
      ...(typeof result.error === 'string' ? { error: mask(result.error) ?? '' } : {}),
    }),
  });
  const maskMessage = defineHook({
    hook: 'before_create_message',
    id: 'mask_message',
    execute: async (_state, message) => ({ ...message, content: mask(message.content) }),
  });
  const hear = defineHook({
    hook: 'after_tool_batch',
    id: 'hear',
    execute: async (_state, batch) => {
      told.push(batch.map(({ toolCall, result }) => `${toolCall.id} ${result.status}`).join());
      return null;
    },
  });
  return hooksMiddleware({ hooks: [maskResult, maskMessage, hear], allowPartial: ['mask_message'], store });
}

const readRow = ({ role, content, tool_calls, tool_call_id }: HookMessage): string =>
  [role, content, tool_calls === undefined ? '' : 'calls', tool_call_id ?? ''].filter(Boolean).join(' ');
const listRows = async (store: Store) => (await store.listMessages('chat-1')).map(readRow);

describe('a result that a tool gives in a command passes the hooks', () => {
  const result = (id: string) =>
    new ToolMessage({ content: 'card 4111111111111111', tool_call_id: id, name: 'look_up' });
  const record = (id: string) => ({ role: 'tool', content: 'card 4111111111111111', tool_call_id: id });
  const forms: Readonly<Record<string, (id: string) => unknown>> = {
    'in a list': (id) => ({ update: { messages: [result(id)] } }),
    'as one message': (id) => ({ update: { messages: result(id) } }),
    'as a record': (id) => ({ update: { messages: [record(id)] } }),
    'as one record': (id) => ({ update: { messages: record(id) } }),
    'as JSON': (id) => ({ update: { messages: [JSON.parse(JSON.stringify(result(id)))] } }),
    'in pairs': (id) => ({ update: [['messages', [result(id)]]] }),
    'in pieces': (id) => ({ update: { messages: [result(id), result(id)] } }),
    'in the place of all': (id) => ({
      update: {
        messages: new Overwrite([
          new AIMessage({ content: '', tool_calls: [call(id, 'look_up')] }),
          result(id),
        ]),
      },
    }),
  };

  test.each(Object.keys(forms))('%s', async (form) => {
    const store = memoryStore();
    const model = fakeModel()
      .respond(new AIMessage({ content: '', tool_calls: [call('call_1', 'look_up')] }))
      .respond(new AIMessage('done'));
    const lookUp = tool(async () => new Command(forms[form]?.('call_1') as object), {
      name: 'look_up',
      schema: z.object({}),
    });
    const agent = createAgent({ model, tools: [lookUp], middleware: [makeHooks(store)] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('hi')] }, config);
    const sent = model.calls.flatMap((asked) => asked.messages.map(({ text }) => text));
    expect(JSON.stringify([messages, sent])).not.toContain('4111111111111111');
    const rows = await listRows(store);
    expect(rows.filter((row) => row.includes('call_1'))).toEqual([expect.stringContaining('card #')]);
  });
});

test('what else a command gives to the conversation passes the hooks on messages, and is stored once', async () => {
  const store = memoryStore();
  const model = fakeModel()
    .respond(new AIMessage({ content: '', tool_calls: [call('call_1', 'look_up')] }))
    .respond(new AIMessage('done'));
  const lookUp = tool(
    async (_input, { toolCall }: { toolCall?: { id?: string } }) =>
      new Command({
        update: {
          messages: [
            new ToolMessage({ content: 'found', tool_call_id: toolCall?.id ?? '', name: 'look_up' }),
            { role: 'user', content: 'card 4111111111111111' },
          ],
        },
      }),
    { name: 'look_up', schema: z.object({}) },
  );
  const agent = createAgent({ model, tools: [lookUp], middleware: [makeHooks(store)] });
  await agent.invoke({ messages: [new HumanMessage('hi')] }, config);
  expect(model.calls.at(-1)?.messages.map(({ text }) => text)).toEqual(['hi', '', 'found', 'card #']);
  expect(await listRows(store)).toEqual([
    'user hi',
    'assistant calls',
    'tool found call_1',
    'user card #',
    'assistant done',
  ]);
});

test('a text in a block of another name is one', async () => {
  const store = memoryStore();
  const model = fakeModel()
    .respond(new AIMessage({ content: '', tool_calls: [call('call_1', 'look_up')] }))
    .respond(new AIMessage('done'));
  const content = [
    { type: 'text-plain', text: 'card 4111111111111111', mimeType: 'text/plain' },
    {
      type: 'search_result',
      source: 'here',
      title: 'cards',
      content: [{ type: 'text', text: 'card 5500000000000004' }],
    },
  ] as never;
  const lookUp = tool(async () => new ToolMessage({ content, tool_call_id: 'call_1', name: 'look_up' }), {
    name: 'look_up',
    schema: z.object({}),
  });
  const agent = createAgent({ model, tools: [lookUp], middleware: [makeHooks(store)] });
  const asked = [
    { type: 'text-plain', text: 'number 12', mimeType: 'text/plain', title: 'of 12', context: 'since 12' },
    { type: 'non_standard', value: { type: 'document', source: { type: 'text', data: 'and 12' } } },
  ] as never;
  await agent.invoke({ messages: [new HumanMessage({ content: asked })] }, config);
  const sent = model.calls.flatMap(({ messages }) => messages.map(({ content: said }) => said));
  expect(JSON.stringify(sent)).not.toMatch(/4111111111111111|5500000000000004|12/);
});

describe('a call that no tool answers has its result in the store', () => {
  const find = () => tool(async () => 'found', { name: 'look_up', schema: z.object({}) });

  test('where LangChain reads a response of a schema from it', async () => {
    const store = memoryStore();
    const model = fakeModel().respond(
      new AIMessage({
        content: '',
        tool_calls: [call('call_1', 'answer', { of: 7 }), call('call_2', 'look_up')],
      }),
    );
    const responseFormat = toolStrategy(z.object({ of: z.number() }).meta({ title: 'answer' }));
    const agent = createAgent({ model, tools: [find()], responseFormat, middleware: [makeHooks(store)] });
    await agent.invoke({ messages: [new HumanMessage('hi')] }, config).catch(() => undefined);
    const rows = await listRows(store);
    expect(rows.filter((row) => row.startsWith('tool'))).toEqual([
      expect.stringContaining('call_1'),
      'tool The agent ended before this tool call was run. call_2',
    ]);
  });

  test('where another middleware refuses it, and hooks hear of it', async () => {
    const store = memoryStore();
    const told: string[] = [];
    const model = fakeModel();
    for (const id of ['call_1', 'call_2'])
      model.respond(new AIMessage({ content: '', tool_calls: [call(id, 'look_up')] }));
    model.respond(new AIMessage('done'));
    const limit = toolCallLimitMiddleware({
      runLimit: 1,
      exitBehavior: 'continue',
    } as never) as AgentMiddleware;
    const middleware = [limit, makeHooks(store, told)] as const;
    const agent = createAgent({ model, tools: [find()], middleware });
    await agent.invoke({ messages: [new HumanMessage('hi')] }, config);
    const rows = await listRows(store);
    expect(rows.filter((row) => row.startsWith('tool'))).toEqual([
      'tool found call_1',
      expect.stringMatching(/limit exceeded.* call_2/),
    ]);
    expect(told).toEqual(['call_1 success', 'call_2 error']);
  });

  test('where a person rejects it, as hooks have left what they say', async () => {
    const store = memoryStore();
    const model = fakeModel()
      .respond(new AIMessage({ content: '', tool_calls: [call('call_1', 'look_up')] }))
      .respond(new AIMessage('done'));
    const ask = humanInTheLoopMiddleware({ interruptOn: { look_up: true } } as never) as AgentMiddleware;
    const checkpointer = new MemorySaver();
    const agent = createAgent({ model, tools: [find()], checkpointer, middleware: [ask, makeHooks(store)] });
    await agent.invoke({ messages: [new HumanMessage('hi')] }, config);
    const decisions = [{ type: 'reject', message: 'Not with card 4111111111111111.' }];
    const { messages } = await agent.invoke(new Command({ resume: { decisions } }), config);
    expect(JSON.stringify([messages, model.calls.map((asked) => asked.messages)])).not.toContain(
      '4111111111111111',
    );
    expect(await listRows(store)).toEqual([
      'user hi',
      'assistant calls',
      'tool Not with card #. call_1',
      'assistant done',
    ]);
  });

  test('where the turn is stopped between two nodes', async () => {
    const store = memoryStore();
    const aborts = new AbortController();
    const model = fakeModel().respond(
      new AIMessage({ content: '', tool_calls: [call('call_1', 'look_up')] }),
    );
    const stop = createMiddleware({ name: 'stop', afterModel: () => aborts.abort() });
    const agent = createAgent({ model, tools: [find()], middleware: [stop, makeHooks(store)] });
    const { signal } = aborts;
    await expect(
      agent.invoke({ messages: [new HumanMessage('hi')] }, { ...config, signal }),
    ).rejects.toThrow();
    await expect
      .poll(() => listRows(store))
      .toContain('tool The turn was stopped before this tool call was finished. call_1');
  });
});

test('a result that a hook refused to store in one turn does not come to it again in the next', async () => {
  const guard = defineHook({
    hook: 'before_create_message',
    id: 'guard',
    execute: async (_state, message) => {
      if (message.role === 'tool') throw new Error('no luck');
      return message;
    },
  });
  const agent = createAgent({
    model: fakeModel()
      .respondWithTools([call('c1', 'look_up')])
      .respond(new AIMessage('There.')),
    tools: [tool(() => 'card 4111111111111111', { name: 'look_up', schema: z.object({}) })],
    middleware: [hooksMiddleware({ hooks: [guard], allowPartial: ['guard'], store: memoryStore() })],
    checkpointer: new MemorySaver(),
  });
  await expect(agent.invoke({ messages: [new HumanMessage('Go')] }, config)).rejects.toThrow('guard');
  const { messages } = await agent.invoke({ messages: [new HumanMessage('And now?')] }, config);
  expect(messages.at(-1)?.text).toBe('There.');
});

test('a call that its provider gave no id has one result in the store', async () => {
  const store = memoryStore();
  const unnamed = { name: 'look_up', args: {}, type: 'tool_call' } as const;
  const model = fakeModel()
    .respond(new AIMessage({ content: '', tool_calls: [unnamed] }))
    .respond(new AIMessage('done'));
  const tools = [tool(async () => 'found', { name: 'look_up', schema: z.object({}) })];
  const told: string[] = [];
  const agent = createAgent({ model, tools, middleware: [makeHooks(store, told)] });
  await agent.invoke({ messages: [new HumanMessage('hi')] }, config);
  expect(await listRows(store)).toEqual(['user hi', 'assistant calls', 'tool found', 'assistant done']);
  expect(told).toEqual([' success']);
});
