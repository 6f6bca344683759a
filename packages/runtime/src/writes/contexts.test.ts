import { type AnyHook, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { gate, lines, onBothStores, runWhatIsReady } from '../../test/kit.ts';
import { defineTool } from '../index.ts';

const act = defineTool({ name: 'act', execute: () => 'acted' });
const callAct = { toolCalls: [{ name: 'act' }] };

const saying = (id: string, context: string | string[]): AnyHook =>
  defineHook({ hook: 'before_tool_call', id, execute: async (_) => ({ context }) });

const afterBatch = (id: string, texts: string[]): AnyHook =>
  defineHook({ hook: 'after_tool_batch', id, execute: async (_) => texts });

onBothStores(
  'contexts of a batch are one message behind all results; what decisions say is told once in a turn',
  async (kit) => {
    const { thread, model } = await kit.thread({
      policies: [saying('one', ['a', 'b']), saying('two', ['b', 'c']), afterBatch('three', ['c', 'd'])],
      tools: [act],
      script: [{ toolCalls: [{ name: 'act' }, { name: 'act' }] }, callAct, 'ok'],
    });
    await thread.send('Go');
    expect(await lines(thread)).toEqual([
      ...['user: Go', 'assistant: null', 'tool: acted', 'tool: acted', 'user: a\n\nb\n\nc\n\nd'],
      ...['assistant: null', 'tool: acted', 'user: c\n\nd', 'assistant: ok'],
    ]);
    expect(model.calls).toHaveLength(3);
  },
);

onBothStores('what after_tool_batch says is told whenever it is said, once in a message', async (kit) => {
  const { thread } = await kit.thread({
    policies: [afterBatch('one', ['red', 'red']), afterBatch('two', ['red'])],
    tools: [act],
    script: [callAct, callAct, 'ok'],
  });
  await thread.send('Go');
  expect((await lines(thread)).filter((line) => line === 'user: red')).toHaveLength(2);
});

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
  await runWhatIsReady();
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
  await runWhatIsReady(5);
  const again = await runtime.openThread(thread.id);
  await again.resume();
  expect((await lines(again)).slice(3)).toEqual([
    ...['tool: acted', 'tool: acted', 'user: kept\n\nfresh', 'assistant: ok'],
  ]);
  const kept = (await kit.store.listValues(thread.id)).map(({ key }) => key);
  expect(kept.filter((key) => key.startsWith('runtime/contexts'))).toEqual([]);
});

onBothStores('a limit that is none is refused', async (kit) => {
  for (const contextLimit of [0, -1, 1.5, Number.NaN])
    expect(() => kit.start({ contextLimit })).toThrow(/^contextLimit must be a whole number of bytes/);
});

const sessionRules = defineHook({
  hook: 'after_session_started',
  id: 'session_rules',
  execute: async (_) => 'The rules.',
});

onBothStores('what a session has to say is not lost where its message is refused', async (kit) => {
  let refusals = 0;
  const flaky = defineHook({
    hook: 'before_create_message',
    id: 'flaky',
    execute: async (_, message) => {
      if (message.content === 'The rules.' && refusals++ === 0) throw new Error('secret');
      return message;
    },
  });
  const { thread } = await kit.thread({ policies: [sessionRules, flaky], script: ['ok'] });
  await expect(thread.send('Go')).rejects.toMatchObject({ code: 'hook_failed' });
  await thread.send('Again');
  expect((await lines(thread)).slice(-3)).toEqual(['user: Again', 'user: The rules.', 'assistant: ok']);
});

onBothStores('… nor where the turn is stopped while it is made, in whichever place', async (kit) => {
  for (const begin of ['send', 'queue'] as const) {
    const making = gate();
    let isFirst = true;
    const slow = defineHook({
      hook: 'before_create_message',
      id: 'slow',
      execute: async (state, message) => {
        if (message.content === 'The rules.' && isFirst) {
          isFirst = false;
          making.open();
          await new Promise((resolve) => state.execution.abortSignal.addEventListener('abort', resolve));
        }
        return message;
      },
    });
    const { thread } = await kit.thread({ policies: [sessionRules, slow], script: ['ok'] });
    const beginning = begin === 'send' ? thread.send('Go') : thread.queue({ role: 'user', content: 'Go' });
    await making.opened;
    await thread.stop();
    await beginning;
    await thread.idle();
    await thread.send('Again');
    expect((await lines(thread)).slice(-3)).toEqual(['user: Again', 'user: The rules.', 'assistant: ok']);
  }
});

onBothStores(
  'what a skill has to say in the middle of a turn waits until its message is stored',
  async (kit) => {
    let starts = 0;
    const begin = defineTool({
      name: 'begin',
      execute: async () => {
        if (starts++ === 0) await thread.startSkill('rules');
        return 'begun';
      },
    });
    let refusals = 0;
    const refuse = defineHook({
      hook: 'before_create_message',
      id: 'refuse',
      execute: async (_, message) => {
        if (message.content === 'RULES' && refusals++ === 0) throw new Error('not now');
        return message;
      },
    });
    const { thread } = await kit.thread({
      policies: [refuse],
      tools: [begin],
      skills: () => ({ name: 'rules', instructions: 'RULES', hooks: [] }),
      script: [{ toolCalls: [{ name: 'begin' }] }, 'one', 'two'],
    });
    await thread.send('First').catch(() => {});
    await thread.send('Again');
    expect((await lines(thread)).filter((line) => line === 'user: RULES')).toHaveLength(1);
  },
);

/** A hook that has `act` called three times before a message is admitted. */
const invoking = (decision: 'allow' | 'deny'): AnyHook =>
  defineHook({
    hook: 'before_user_message',
    id: 'invoking',
    execute: async (state) => {
      for (let i = 0; i < 3; i++) await state.invokeTool('act', {});
      return { decision };
    },
  });

onBothStores('what calls of hooks give in a turn is one message, each text once', async (kit) => {
  const { thread } = await kit.thread({
    policies: [saying('one', 'a'), invoking('allow')],
    tools: [act],
    script: [callAct, 'ok'],
  });
  await thread.send('Go');
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'user: a', 'assistant: null', 'tool: acted', 'assistant: ok'],
  ]);
});

onBothStores('… and nothing where the turn is denied, in the next one either', async (kit) => {
  let decision: 'allow' | 'deny' = 'deny';
  const once = defineHook({
    hook: 'before_user_message',
    id: 'once',
    execute: async (state) => {
      if (decision === 'deny') await state.invokeTool('act', {});
      return { decision };
    },
  });
  const { thread } = await kit.thread({ policies: [saying('one', 'a'), once], tools: [act], script: ['ok'] });
  expect(await thread.send('Go')).toMatchObject({ status: 'denied' });
  expect(await lines(thread)).toEqual([]);
  decision = 'allow';
  await thread.send('Go');
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: ok']);
});

onBothStores('… and comes with the next turn where the model is not asked any more', async (kit) => {
  const last = defineHook({
    hook: 'after_create_message',
    id: 'last',
    execute: async (state, { content }) => {
      if (content === 'one') await state.invokeTool('act', {});
    },
  });
  const { thread } = await kit.thread({
    policies: [saying('say', 'a'), last],
    tools: [act],
    script: ['one', 'two'],
  });
  await thread.send('Go');
  await thread.send('Go on');
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: one', 'user: Go on', 'user: a', 'assistant: two'],
  ]);
});
