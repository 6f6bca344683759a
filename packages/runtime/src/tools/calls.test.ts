import { defineHook, type StoredToolResult } from '@spec/hooks';
import { expect } from 'vitest';
import { fields, gate, lines, onBothStores, runWhatIsReady, type Setup, thrownBy } from '../../test/kit.ts';
import { defineTool } from '../index.ts';
import type { ScriptedToolCall } from '../testing/index.ts';

const makeCalls = (...names: string[]): { toolCalls: ScriptedToolCall[] } => ({
  toolCalls: names.map((name) => ({ name })),
});

onBothStores('calls run in parallel and are stored in call order', async (kit) => {
  const order: string[] = [];
  const firstMayEnd = gate();
  const slow = defineTool({
    name: 'slow',
    execute: async () => {
      order.push('slow begins');
      await firstMayEnd.opened;
      order.push('slow ends');
      return 'slow';
    },
  });
  const quick = defineTool({
    name: 'quick',
    execute: async () => {
      order.push('quick ends');
      firstMayEnd.open();
      return 'quick';
    },
  });
  const { thread } = await kit.thread({ tools: [slow, quick], script: [makeCalls('slow', 'quick'), 'ok'] });
  await thread.send('Go');
  expect(order).toEqual(['slow begins', 'quick ends', 'slow ends']);
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: slow'],
    ...['tool: quick', 'assistant: ok'],
  ]);
});

onBothStores('what is injected during a batch waits for all results, from wherever it comes', async (kit) => {
  const running = gate();
  const mayEnd = gate();
  const wait = defineTool({
    name: 'wait',
    execute: async (_input, { state }) => {
      await state.injectMessage({ role: 'user', content: 'tool' });
      running.open();
      await mayEnd.opened;
      return 'waited';
    },
  });
  const onAssistant = defineHook({
    hook: 'after_create_message',
    id: 'on_assistant',
    execute: async (state, message) => {
      if (message.tool_calls !== undefined) await state.injectMessage({ role: 'user', content: 'hook' });
    },
  });
  const context = defineHook({
    hook: 'before_tool_call',
    id: 'context',
    execute: async (_) => ({ context: 'context' }),
  });
  const { thread } = await kit.thread({
    policies: [onAssistant, context],
    tools: [wait],
    script: [makeCalls('wait'), 'ok'],
  });
  const sending = thread.send('Go');
  await running.opened;
  await thread.inject({ role: 'user', content: 'outside' });
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: null']);
  expect(await kit.store.listQueue(thread.id)).toHaveLength(3);
  mayEnd.open();
  await sending;
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: waited'],
    ...['user: hook', 'user: tool', 'user: outside', 'user: context', 'assistant: ok'],
  ]);
  expect(await kit.store.listQueue(thread.id)).toEqual([]);
});

onBothStores('an inject whose hooks outlast the start of a batch waits too', async (kit) => {
  const inHook = gate();
  const mayEnd = gate();
  const slow = defineHook({
    hook: 'before_create_message',
    id: 'slow',
    execute: async (_, message) => {
      if (message.content === 'outside') {
        inHook.open();
        await mayEnd.opened;
      }
      return message;
    },
  });
  const tool = defineTool({
    name: 'tool',
    execute: async () => {
      mayEnd.open();
      await runWhatIsReady(10);
      return 'done';
    },
  });
  const { thread } = await kit.thread({ policies: [slow], tools: [tool], script: [makeCalls('tool'), 'ok'] });
  const injecting = thread.inject({ role: 'user', content: 'outside' });
  await inHook.opened;
  await Promise.all([thread.send('Go'), injecting]);
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: done', 'user: outside', 'assistant: ok'],
  ]);
});

const SECRET = 'raw-secret-4111';

onBothStores('after_tool_batch sees the results as they were stored', async (kit) => {
  const seen: StoredToolResult[][] = [];
  const mask = defineHook({
    hook: 'before_create_message',
    id: 'mask',
    execute: async (_, message) => ({
      ...message,
      content: message.content && `${message.content}`.replace(SECRET, '***'),
    }),
  });
  const look = defineHook({
    hook: 'after_tool_batch',
    id: 'look',
    execute: async (_, results) => {
      seen.push(results);
      return null;
    },
  });
  const fails = defineTool({
    name: 'fails',
    execute: () => {
      throw new Error(`no ${SECRET}`);
    },
  });
  const works = defineTool({ name: 'works', execute: () => `yes ${SECRET}` });
  const { thread } = await kit.thread({
    policies: [mask, look],
    tools: [fails, works],
    script: [makeCalls('fails', 'works'), 'ok'],
  });
  await thread.send('Go');
  expect(seen[0]?.map(({ toolCall, result }) => [toolCall.function.name, result])).toEqual([
    ['fails', { status: 'error', error: 'no ***' }],
    ['works', { status: 'success', result: 'yes ***' }],
  ]);
});

onBothStores('after_tool_batch: the texts become one message; a failure only ends the hook', async (kit) => {
  const texts: unknown[] = [['a', 'b'], 'c', null];
  const hooks = texts.map((text, i) =>
    defineHook({ hook: 'after_tool_batch', id: `hook_${i}`, execute: async (_) => text as string }),
  );
  const failing = defineHook({
    hook: 'after_tool_batch',
    id: 'failing',
    priority: 1,
    execute: () => Promise.reject(new Error('x')),
  });
  const { thread } = await kit.thread({
    policies: [...hooks, failing],
    tools: [defineTool({ name: 'tool', execute: () => 'done' })],
    script: [makeCalls('tool'), 'ok'],
  });
  await thread.send('Go');
  expect(await lines(thread)).toContain('user: a\n\nb\n\nc');
});

onBothStores('a result that the create chain refuses is withheld, and the turn goes on', async (kit) => {
  const guard = defineHook({
    hook: 'before_create_message',
    id: 'guard',
    execute: async (_, message) => {
      if (message.content === 'bad') throw new Error('x');
      return message;
    },
  });
  const tool = (name: string) => defineTool({ name, execute: () => name });
  const { thread, model } = await kit.thread({
    policies: [guard],
    tools: [tool('one'), tool('bad'), tool('three')],
    script: [makeCalls('one', 'bad', 'three'), 'ok'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
  const withheld =
    'tool: The result of this tool call was withheld, because the hook "guard" (before_create_message) did not let it be stored.';
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: one', withheld, 'tool: three'],
    'assistant: ok',
  ]);
  expect(await thread.runs({ outcome: 'failed' })).toMatchObject([{ id: 'guard' }]);
  const names = [{ toolName: 'one' }, { toolName: 'bad' }, { toolName: 'three' }];
  const [, called, results] = model.calls[1]?.prompt ?? [];
  expect(called?.content).toMatchObject(names);
  expect(results?.content).toMatchObject(names);
});

onBothStores('the store knows which calls have begun and which are answered', async (kit) => {
  const running = gate();
  const mayEnd = gate();
  const wait = defineTool({
    name: 'wait',
    execute: async () => {
      running.open();
      await mayEnd.opened;
      return 'done';
    },
  });
  const deny = defineHook({
    hook: 'before_tool_call',
    id: 'deny',
    match: 'refused',
    execute: async (_) => ({ decision: 'deny' }),
  });
  const { thread } = await kit.thread({
    policies: [deny],
    tools: [wait, defineTool({ name: 'refused', execute: () => 'never' })],
    script: [makeCalls('wait', 'refused'), 'ok'],
  });
  const sending = thread.send('Go');
  await running.opened;
  await runWhatIsReady(5);
  const statuses = async (): Promise<unknown[]> =>
    (await kit.store.listToolCalls(thread.id)).map(({ name, status }) => [name, status]);
  expect(await statuses()).toEqual([
    ['wait', 'started'],
    ['refused', 'pending'],
  ]);
  mayEnd.open();
  await sending;
  expect(await statuses()).toEqual([
    ['wait', 'done'],
    ['refused', 'done'],
  ]);
});

onBothStores('a terminated thread stores the results of its batch, and then takes no more', async (kit) => {
  const end = defineTool({
    name: 'end',
    execute: async (_input, { state }) => {
      await state.terminate('enough');
      return 'ended';
    },
  });
  const { runtime, thread } = await kit.thread({ tools: [end], script: [makeCalls('end'), 'never said'] });
  expect(await thread.send('Go')).toMatchObject({ status: 'stopped' });
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: null', 'tool: ended']);
  const refused = [
    thread.send('x'),
    thread.inject({ role: 'user', content: 'x' }),
    thread.queue({ role: 'user', content: 'x' }),
  ];
  for (const promise of refused) {
    const error = await thrownBy(promise);
    expect(error).toMatchObject({ code: 'thread_terminated', threadId: thread.id });
    expect(error.message).toBe(`Thread ${thread.id} was terminated and accepts no more messages.`);
  }
  const [record] = await runtime.listThreads();
  expect(record?.terminated).toBe('enough');
});

const badges: Setup = {
  tools: [defineTool({ name: 'tool', execute: () => 'done' })],
  script: [
    {
      toolCalls: [
        { id: 'same', name: 'tool' },
        { id: 'same', name: 'tool' },
        { id: '', name: 'tool' },
      ],
    },
    'ok',
  ],
};

onBothStores('calls without an id of their own are given one', async (kit) => {
  const { thread } = await kit.thread(badges);
  await thread.send('Go');
  const ids = (await fields(thread, 'tool_call_id')).filter((id) => id !== undefined);
  expect(ids).toEqual(['same', expect.stringMatching(/^call_/), expect.stringMatching(/^call_/)]);
  expect(new Set(ids).size).toBe(3);
});

onBothStores('many calls at once: none is lost, nothing warns', async (kit) => {
  const warnings: unknown[] = [];
  const warn = (warning: unknown): void => void warnings.push(warning);
  process.on('warning', warn);
  const tool = defineTool({
    name: 'tool',
    parameters: { type: 'object' },
    execute: async (input: Record<string, unknown>, { abortSignal }) => {
      abortSignal.addEventListener('abort', () => {});
      await runWhatIsReady(1);
      return `${String(input.n)}`;
    },
  });
  const toolCalls = Array.from({ length: 40 }, (_, n) => ({ name: 'tool', input: { n } }));
  const { thread } = await kit.thread({ tools: [tool], script: [{ toolCalls }, 'ok'] });
  await thread.send('Go');
  await runWhatIsReady(5);
  process.off('warning', warn);
  const rows = (await lines(thread)).filter((line) => line.startsWith('tool'));
  expect(rows).toEqual(toolCalls.map((_, n) => `tool: ${n}`));
  expect(warnings).toEqual([]);
});

onBothStores('queued calls that a hook strips do not run, and leave no batch', async (kit) => {
  let [ran, batches] = [0, 0];
  const strip = defineHook({
    hook: 'before_create_message',
    id: 'strip',
    execute: async (_, { tool_calls: __, ...message }) => message,
  });
  const count = defineHook({
    hook: 'after_tool_batch',
    id: 'count',
    execute: async (_) => {
      batches++;
      return null;
    },
  });
  const tool = defineTool({ name: 'tool', execute: () => void ran++ });
  const { thread } = await kit.thread({ policies: [strip, count], tools: [tool], script: ['ok'] });
  await thread.state.queueTool('tool', {});
  await thread.idle();
  expect([ran, batches]).toEqual([0, 0]);
  expect(await kit.store.listQueue(thread.id)).toEqual([]);
});
