import { refused, same } from '@spec/hooks/testing';
import type { StoreCase } from './store-suite-case.ts';
import { item, listMessageIds, message, noFence, t, thread, withMessages } from './store-suite-samples.ts';

/** Whose a message's id is. */
export const idCases: readonly StoreCase[] = [
  {
    name: 'an id that a message of another role has is refused, with all that came with it',
    async run(store) {
      await withMessages(store, 'm1');
      const other = message('m1', { role: 'assistant', content: 'another one' });
      for (const messages of [
        [other],
        [message('m2'), other],
        [message('m2'), message('m2', { role: 'tool' })],
      ])
        await refused(store.append(t, noFence, { messages }), 'invalid_message', 'another role');
      same(await store.listMessages(t), [message('m1')], 'listMessages');
    },
  },
  {
    name: 'a message whose id is in the thread changes nothing',
    async run(store) {
      await withMessages(store, 'm1', 'm2');
      await store.append(t, noFence, { messages: [message('m1', { content: 'second version' })] });
      await store.append(t, noFence, {
        messages: [message('m3'), message('m2', { name: 'x' }), message('m3', { name: 'x' })],
      });
      same(await store.listMessages(t), [message('m1'), message('m2'), message('m3')], 'listMessages');
      same(await store.countMessages(t), 3, 'countMessages');
      await store.createThread(thread({ id: 'other' }));
      await store.append('other', noFence, { messages: [message('m1', { content: 'its own' })] });
      same(
        await store.getMessage('other', 'm1'),
        message('m1', { content: 'its own' }),
        'the same id in another thread',
      );
    },
  },
  {
    name: 'an append whose message is to be new is refused where its id is stored or waits',
    async run(store) {
      await withMessages(store, 'm1');
      await store.post(t, item('q1'));
      await store.post(t, item('q2', { kind: 'tool' }));
      const turn = { id: 'turn-1' };
      for (const id of ['m1', 'q1', 'q2']) {
        const messages = [message('m2'), message(id, { content: 'another one' })];
        const append = { messages, newIds: [id], values: [{ key: 'k', value: 1 }], thread: { turn } };
        await refused(store.append(t, noFence, append), 'invalid_message', id);
      }
      same(await store.listMessages(t), [message('m1')], 'listMessages');
      same((await store.getThread(t))?.turn, null, 'turn');
      same(await store.getValue(t, 'k'), undefined, 'value');
      same((await store.listQueue(t)).length, 2, 'queue');
      await store.append(t, noFence, { messages: [message('m2')], newIds: ['m2'] });
      await store.append(t, noFence, { messages: [message('q1')], newIds: ['q1'], dequeue: ['q1'] });
      same(await listMessageIds(store), ['m1', 'm2', 'q1'], 'messages that are new');
    },
  },
  {
    name: 'of a message that is to be new and one that is posted under its id, one is there',
    async run(store) {
      await store.createThread(thread());
      const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
      const both = ids.flatMap((id, index) => {
        const append = () => store.append(t, noFence, { messages: [message(id)], newIds: [id] });
        const post = () => store.post(t, item(id));
        return index % 2 === 0 ? [append(), post()] : [post(), append()];
      });
      await Promise.allSettled(both);
      const waiting = (await store.listQueue(t)).map(({ id }) => id);
      same([...(await listMessageIds(store)), ...waiting].sort(), [...ids].sort(), 'messages and items');
    },
  },
];
