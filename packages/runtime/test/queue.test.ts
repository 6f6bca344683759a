import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import { createKit, gate, lines, onBothStores } from './kit.ts';

const queued = { role: 'user', content: 'queued' } as const;

onBothStores('a queued message wakes an idle thread', async (kit) => {
  const { thread } = await kit.thread({ script: ['Heard.'] });
  await thread.queue(queued);
  await thread.idle();
  expect(await lines(thread)).toEqual(['user: queued', 'assistant: Heard.']);
  expect((await kit.store.getThread(thread.id))?.turn).toBeNull();
});

onBothStores('what is queued when the model has answered is taken up after the turn', async (kit) => {
  const onAnswer = defineHook({
    hook: 'after_create_message',
    id: 'queue_more',
    execute: async (state, { role, content }) => {
      if (role === 'assistant' && content === 'One.') await state.queueMessage(queued);
    },
  });
  const { thread } = await kit.thread({ policies: [onAnswer], script: ['One.', 'Two.'] });
  await thread.send('Go');
  await thread.idle();
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: One.', 'user: queued', 'assistant: Two.']);
});

onBothStores(
  'a turn does not look for what its commits have told that it is not there',
  async ({ store }) => {
    let looks = 0;
    const listQueue: typeof store.listQueue = (threadId) => {
      looks++;
      return store.listQueue(threadId);
    };
    const kit = createKit({ ...store, listQueue, close: async () => {} });
    const { thread } = await kit.thread({ script: ['One.', 'Two.'] });
    await thread.send('Go');
    await thread.idle();
    expect(looks).toBe(0);
    await store.post(thread.id, {
      id: 'other',
      kind: 'message',
      payload: { ...queued, id: 'other', created_at: 0 },
    });
    await thread.send('Go on');
    await thread.idle();
    expect(await lines(thread)).toContain('user: queued');
    expect(looks).toBeGreaterThan(0);
    await kit.close();
  },
);

onBothStores('hooks that queue a message in every turn come to an end', async (kit) => {
  const always = defineHook({
    hook: 'after_create_message',
    id: 'always',
    execute: async (state, { role }) => {
      if (role === 'assistant') await state.queueMessage(queued);
    },
  });
  const { thread, model } = await kit.thread({
    policies: [always],
    script: Array.from({ length: 99 }, () => 'Yes.'),
  });
  await thread.send('Go');
  await thread.idle();
  expect(model.calls).toHaveLength(9);
  expect(await kit.store.listQueue(thread.id)).toHaveLength(1);
});

onBothStores('what is queued while a thread is made waits for its first turn', async (kit) => {
  const prepare = defineHook({
    hook: 'after_thread_created',
    id: 'prepare',
    execute: (state) => state.queueMessage(queued),
  });
  const { thread } = await kit.thread({ policies: [prepare], script: ['Hello.'] });
  await thread.idle();
  expect(await lines(thread)).toEqual([]);
  await thread.send('Go');
  expect(await lines(thread)).toEqual(['user: Go', 'user: queued', 'assistant: Hello.']);
});

onBothStores('another runtime may queue and stop while this one runs a turn', async (kit) => {
  const [reached, goOn] = [gate(), gate()];
  const seen = defineHook({
    hook: 'before_create_message',
    id: 'seen',
    execute: async (_, message) => message,
  });
  const { thread } = await kit.thread({
    tools: [],
    script: [
      async () => {
        reached.open();
        await goOn.opened;
        return 'One.';
      },
      'Two.',
    ],
  });
  const other = await kit.start({ policies: [seen], lease: 50 }).runtime.openThread(thread.id);
  const sending = thread.send('Go');
  await reached.opened;
  await other.queue(queued);
  expect((await kit.store.listRuns({ id: 'seen' })).map(({ outcome }) => outcome)).toEqual(['ok']);
  goOn.open();
  await sending;
  await thread.close();
  await expect.poll(() => kit.store.listQueue(thread.id)).toEqual([]);
  expect((await lines(other)).slice(0, 3)).toEqual(['user: Go', 'assistant: One.', 'user: queued']);
});

onBothStores('another runtime ends a turn after its step', async (kit) => {
  const [reached, goOn] = [gate(), gate()];
  const keepGoing = defineHook({
    hook: 'before_stop',
    id: 'keep_going',
    execute: async (_) => ({ keepGoing: 'More.' }),
  });
  const { thread } = await kit.thread({
    policies: [keepGoing],
    script: [
      async () => {
        reached.open();
        await goOn.opened;
        return 'One.';
      },
      'Two.',
      'Three.',
    ],
  });
  const other = await kit.start().runtime.openThread(thread.id);
  const sending = thread.send('Go');
  await reached.opened;
  await other.stop();
  goOn.open();
  expect(await sending).toMatchObject({ status: 'stopped', text: 'One.', steps: 1 });
  await other.stop();
  expect(await kit.store.listQueue(thread.id)).toEqual([]);
});

for (const isStopFirst of [true, false])
  onBothStores(
    `no message takes the place of a stop in the queue, nor a stop that of a message (stop first: ${isStopFirst})`,
    async (kit) => {
      const [reached, goOn] = [gate(), gate()];
      const wait = defineTool({
        name: 'wait',
        execute: async () => {
          reached.open();
          await goOn.opened;
          return 'waited';
        },
      });
      const script = [{ toolCalls: [{ name: 'wait' }] }, 'Never said.', 'Heard.'];
      const { thread } = await kit.thread({ tools: [wait], script });
      const other = await kit.start({ tools: [wait] }).runtime.openThread(thread.id);
      const sending = thread.send('Go', { id: 'one' });
      await reached.opened;
      if (isStopFirst) await other.stop();
      const [stop] = isStopFirst ? await kit.store.listQueue(thread.id) : [];
      const ids = ['stop one', stop?.id ?? 'one.0.stop'];
      const refused: unknown[] = [];
      for (const id of ids)
        await thread.queue({ ...queued, id }, { wake: false }).catch((error) => refused.push(error.code));
      expect(refused).toEqual(['invalid_input']);
      if (!isStopFirst) await other.stop();
      goOn.open();
      expect(await sending).toMatchObject({ status: 'stopped' });
      await thread.send('Go on');
      expect(await lines(thread)).toContain('user: queued');
    },
  );
