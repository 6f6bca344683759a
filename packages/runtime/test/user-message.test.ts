import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { type Kit, lines, onBothStores, runWhatIsReady } from './kit.ts';

onBothStores('before_user_message: a denied message is stored nowhere', async ({ thread: start }) => {
  const { thread, model, events } = await start({
    policies: [
      defineHook({
        hook: 'before_user_message',
        id: 'no_cards',
        execute: async (_) => ({ decision: 'deny', reason: 'card number', userMessage: 'Please, no cards.' }),
      }),
    ],
  });
  const result = await thread.send('4111 1111 1111 1111');
  expect(result).toMatchObject({
    status: 'denied',
    text: null,
    steps: 0,
    reason: 'card number',
    userMessage: 'Please, no cards.',
  });
  expect(await lines(thread)).toEqual([]);
  expect(model.calls).toEqual([]);
  await runWhatIsReady();
  expect(events.at(-1)).toEqual({
    type: 'turn_ended',
    turnId: result.turnId,
    status: 'denied',
    userMessage: 'Please, no cards.',
  });
});

onBothStores(
  'before_user_message: a rewrite is the text that is stored and sent',
  async ({ thread: start }) => {
    const { thread, model } = await start({
      policies: [
        defineHook({
          hook: 'before_user_message',
          id: 'rewrite',
          execute: async (_, { content }) => ({
            input: `${content}`.replace('foo', 'bar'),
            context: ['It is Monday.', 'It rains.'],
          }),
        }),
      ],
      script: ['ok'],
    });
    await thread.send({ content: 'foo!', name: 'Ada', tag: 7 });
    expect(await lines(thread)).toEqual(['user: bar!', 'user: It is Monday.\n\nIt rains.', 'assistant: ok']);
    expect((await thread.messages())[0]).toMatchObject({ name: 'Ada', tag: 7, role: 'user' });
    expect(JSON.stringify(model.calls)).not.toContain('foo');
  },
);

async function sendAsked(kit: Kit, onAsk?: (ask: unknown) => boolean): Promise<[string, string | undefined]> {
  const { thread } = await kit.thread({
    policies: [
      defineHook({
        hook: 'before_user_message',
        id: 'unsure',
        execute: async (_) => ({ decision: 'ask', reason: 'a card?' }),
      }),
    ],
    script: ['ok'],
    ...(onAsk === undefined ? {} : { onAsk }),
  });
  const { status, reason } = await thread.send('4111');
  return [status, reason];
}

onBothStores('before_user_message: an ask nobody can answer is a deny', async (kit) => {
  expect(await sendAsked(kit)).toEqual([
    'denied',
    'It needs permission, and there is nobody to ask (onAsk is not set): a card?',
  ]);
});

onBothStores('before_user_message: an ask goes to the person', async (kit) => {
  const asks: unknown[] = [];
  const answered = await sendAsked(kit, (ask) => {
    asks.push(ask);
    return true;
  });
  expect(answered).toEqual(['completed', undefined]);
  expect(asks).toMatchObject([{ about: 'user_message', text: '4111', reason: 'a card?' }]);
  expect(await sendAsked(kit, () => false)).toEqual(['denied', 'Permission was refused: a card?']);
});
