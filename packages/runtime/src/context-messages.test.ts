import { type AnyHook, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { gate, lines, onBothStores, settle } from '../test/kit.ts';
import { defineTool } from './index.ts';

const act = defineTool({ name: 'act', execute: () => 'acted' });
const callAct = { toolCalls: [{ name: 'act' }] };

const saying = (id: string, context: string | string[]): AnyHook =>
  defineHook({ hook: 'before_tool_call', id, execute: async (_) => ({ context }) });

const afterBatch = (id: string, texts: string[]): AnyHook =>
  defineHook({ hook: 'after_tool_batch', id, execute: async (_) => texts });

onBothStores(
  'contexts of a batch are one message behind all results, each text once in a turn',
  async (kit) => {
    const { thread, model } = await kit.thread({
      policies: [saying('one', ['a', 'b']), saying('two', ['b', 'c']), afterBatch('three', ['c', 'd'])],
      tools: [act],
      script: [{ toolCalls: [{ name: 'act' }, { name: 'act' }] }, callAct, 'ok'],
    });
    await thread.send('Go');
    expect(await lines(thread)).toEqual([
      ...['user: Go', 'assistant: null', 'tool: acted', 'tool: acted', 'user: a\n\nb\n\nc\n\nd'],
      ...['assistant: null', 'tool: acted', 'assistant: ok'],
    ]);
    expect(model.calls).toHaveLength(3);
  },
);

onBothStores('the next turn is told again', async (kit) => {
  const { thread } = await kit.thread({
    policies: [saying('one', 'a')],
    tools: [act],
    script: [callAct, 'ok', callAct, 'ok'],
  });
  await thread.send('Go');
  await thread.send('Go');
  expect((await lines(thread)).filter((line) => line === 'user: a')).toHaveLength(2);
});

onBothStores('a tool that is invoked during a batch adds to the batch’s message', async (kit) => {
  const outer = defineTool({
    name: 'outer',
    execute: async (_input, { state }) => {
      await state.invokeTool('act', {});
      return 'outer';
    },
  });
  const { thread } = await kit.thread({
    policies: [
      defineHook({
        hook: 'before_tool_call',
        id: 'naming',
        execute: async (_, call) => ({ context: `about ${call.function.name}` }),
      }),
    ],
    tools: [act, outer],
    script: [{ toolCalls: [{ name: 'outer' }] }, 'ok'],
  });
  await thread.send('Go');
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: outer', 'user: about outer\n\nabout act', 'assistant: ok'],
  ]);
});

onBothStores('outside of a batch what a call gives is stored at once, as one message', async (kit) => {
  const { thread } = await kit.thread({ policies: [saying('one', ['a', 'b'])], tools: [act] });
  await thread.state.invokeTool('act', {});
  expect(await lines(thread)).toEqual(['user: a\n\nb']);
});

onBothStores('what is over the budget is left out, in the message and by an event', async (kit) => {
  const { thread, events } = await kit.thread({
    policies: [saying('one', ['12345', 'x'.repeat(40), '678'])],
    tools: [act],
    script: [callAct, 'ok'],
    contextLimit: 20,
  });
  await thread.send('Go');
  await settle();
  expect((await lines(thread))[3]).toBe(
    'user: 12345\n\n678\n\n[Hooks had 1 more text of 40 bytes for you; left out, as one message holds 20 bytes of them.]',
  );
  expect(events.filter(({ type }) => type === 'contexts_left_out')).toEqual([
    { type: 'contexts_left_out', count: 1, bytes: 40, limit: 20 },
  ]);
});

onBothStores('a stopped batch leaves nothing behind', async (kit) => {
  const running = gate();
  const hangs = defineTool({
    name: 'act',
    execute: () => {
      running.open();
      return new Promise<string>(() => {});
    },
  });
  const { thread } = await kit.thread({
    policies: [saying('one', 'a')],
    tools: [hangs],
    script: [{ toolCalls: [{ name: 'act' }] }],
  });
  const sending = thread.send('Go');
  await running.opened;
  await thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted' });
  expect(await kit.store.listQueue(thread.id)).toEqual([]);
  expect((await kit.store.listValues(thread.id)).filter(({ key }) => key.startsWith('runtime/'))).toEqual([]);
});

onBothStores('a crash between the results of a batch and its message loses no text', async (kit) => {
  const { runtime, thread } = await kit.thread({
    policies: [saying('one', ['told before', 'fresh'])],
    tools: [act],
    script: ['ok', callAct, 'ok'],
  });
  await thread.close();
  const calls = ['c0', 'c1'].map((id) => ({
    id,
    type: 'function',
    function: { name: 'act', arguments: '{}' },
  }));
  const lease = await kit.store.acquireLease({ threadId: thread.id, owner: 'dead', ttlMs: 1 });
  await kit.store.append(thread.id, lease.fence, {
    thread: { turn: { id: 'left' } },
    messages: [
      { id: 'left.0.user', role: 'user', content: 'Go', created_at: 1 },
      { id: 'left.0.context', role: 'user', content: 'x\n\ntold before', created_at: 2 },
      {
        id: 'left.1.answer',
        role: 'assistant',
        content: null,
        tool_calls: JSON.stringify(calls),
        created_at: 3,
      },
      { id: 'left.1.result.0', role: 'tool', content: 'acted', tool_call_id: 'c0', created_at: 4 },
    ] as never,
    toolCalls: [
      { id: 'c0', messageId: 'left.1.answer', position: 0, name: 'act', status: 'done' },
      { id: 'c1', messageId: 'left.1.answer', position: 1, name: 'act', status: 'pending' },
    ],
    values: [{ key: 'runtime/contexts/left.1.batch', value: ['kept'] }],
  });
  await settle(5);
  const again = await runtime.openThread(thread.id);
  await again.resume();
  expect((await lines(again)).slice(3)).toEqual([
    ...['tool: acted', 'tool: acted', 'user: kept\n\nfresh', 'assistant: ok'],
  ]);
  const kept = (await kit.store.listValues(thread.id)).map(({ key }) => key);
  expect(kept.filter((key) => key.startsWith('runtime/'))).toEqual([]);
});

onBothStores('a limit that is none is refused', async (kit) => {
  for (const contextLimit of [0, -1, 1.5, Number.NaN])
    expect(() => kit.start({ contextLimit })).toThrow(/^contextLimit must be a whole number of bytes/);
});
