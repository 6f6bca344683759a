import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import { gate, lines, never, onBothStores, thrownBy } from './kit.ts';

onBothStores('a message under an id that is taken is refused, not lost', async (kit) => {
  const { thread, model } = await kit.thread({ script: ['One.', 'Two.'] });
  await thread.send({ id: 'm1', content: 'first' });
  const errors = [
    await thrownBy(thread.send({ id: 'm1', content: 'second' })),
    await thrownBy(thread.send({ id: 'k.1.answer', content: 'third' }, { id: 'k' })),
  ];
  expect(errors.map(({ code }) => code)).toEqual(['invalid_input', 'invalid_input']);
  expect(errors[0]?.message).toContain('its id m1 is in the thread already');
  expect(model.calls).toHaveLength(1);
});

onBothStores('a thread that is closing can be opened again', async (kit) => {
  const [reached, goOn] = [gate(), gate()];
  const { runtime, thread } = await kit.thread({
    script: [
      async () => {
        reached.open();
        await goOn.opened;
        return 'One.';
      },
      'Two.',
    ],
  });
  const sending = thread.send('Go');
  await reached.opened;
  const closing = thread.close();
  const opening = runtime.openThread(thread.id);
  goOn.open();
  await Promise.all([sending, closing]);
  expect(await (await opening).send('Again')).toMatchObject({ text: 'Two.' });
});

onBothStores('what a stopped batch has for the conversation is told once', async (kit) => {
  const [quickIsDone, hanging] = [gate(), gate()];
  const tools = [
    defineTool({ name: 'quick', execute: () => 'done' }),
    defineTool({
      name: 'hang',
      execute: () => {
        hanging.open();
        return never<string>();
      },
    }),
  ];
  const context = defineHook({
    hook: 'before_tool_call',
    id: 'context',
    execute: async (_, call) => ({ context: `about ${call.function.name}` }),
  });
  const done = defineHook({
    hook: 'after_tool_call_success',
    id: 'done',
    execute: async (_) => {
      quickIsDone.open();
      return null;
    },
  });
  const { thread, events } = await kit.thread({
    tools,
    policies: [context, done],
    script: [{ toolCalls: [{ name: 'quick' }, { name: 'hang' }] }],
  });
  const sending = thread.send('Go');
  await Promise.all([quickIsDone.opened, hanging.opened]);
  await thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted' });
  const told = events.flatMap((event) => (event.type === 'message' ? [event.message.id] : []));
  expect(new Set(told).size).toBe(told.length);
  expect((await lines(thread)).filter((line) => line.startsWith('user: about'))).toHaveLength(1);
});

onBothStores('before_stop is not asked where the turn cannot go on', async (kit) => {
  const keepGoing = defineHook({
    hook: 'before_stop',
    id: 'keep_going',
    execute: async (_) => ({ keepGoing: 'more' }),
  });
  const { thread } = await kit.thread({
    policies: [keepGoing],
    agent: { maxSteps: 2 },
    script: ['One.', 'Two.'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed', text: 'Two.' });
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: One.', 'user: more', 'assistant: Two.']);
});

onBothStores('a tool that invokes itself comes to an end', async (kit) => {
  let runs = 0;
  const again = defineTool({
    name: 'again',
    execute: async (_input, { state }) => {
      runs++;
      return state.invokeTool('again', {});
    },
  });
  const { thread } = await kit.thread({ tools: [again], script: [{ toolCalls: [{ name: 'again' }] }, 'ok'] });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
  expect(runs).toBe(8);
  expect((await lines(thread))[2]).toBe('tool: Tools invoke each other at most 8 deep.');
});
