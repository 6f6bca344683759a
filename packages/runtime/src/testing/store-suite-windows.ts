import { refused, same } from '@spec/hooks/testing';
import type { MessageQuery, Store } from '../stores/store.ts';
import type { StoreCase } from './store-suite-case.ts';
import { message, noFence, t, thread, withMessages } from './store-suite-samples.ts';

const ids: readonly string[] = Array.from({ length: 12 }, (_, index) => `m${index}`);

const listIds = async (store: Store, query: MessageQuery) =>
  (await store.listMessages(t, query)).map(({ id }) => id);

export const windowCases: readonly StoreCase[] = [
  {
    name: 'first, last and before choose a window',
    async run(store) {
      await withMessages(store, ...ids);
      const list = (query: MessageQuery) => listIds(store, query);
      same(await list({}), ids, 'all');
      same(await list({ last: 3 }), ['m9', 'm10', 'm11'], 'last 3');
      same(await list({ last: 0 }), [], 'last 0');
      same(await list({ last: 99 }), ids, 'last 99');
      same(await list({ before: 'm4' }), ['m0', 'm1', 'm2', 'm3'], 'before m4');
      same(await list({ last: 2, before: 'm10' }), ['m8', 'm9'], 'last 2 before m10');
      same(await list({ first: 3 }), ['m0', 'm1', 'm2'], 'first 3');
      same(await list({ first: 0 }), [], 'first 0');
      same(await list({ first: 99 }), ids, 'first 99');
      same(await list({ first: 2, before: 'm1' }), ['m0'], 'first 2 before m1');
      same(await list({ first: 2, before: 'm9' }), ['m0', 'm1'], 'first 2 before m9');
      same(await list({ before: 'm0' }), [], 'before the first');
      same(await list({ before: 'unknown' }), [], 'before an unknown one');
      for (const last of [-1, 1.5, Number.NaN])
        await refused(list({ last }), 'invalid_input', `last ${last}`);
      await refused(list({ first: -1 }), 'invalid_input', 'first -1');
      await refused(list({ first: 1, last: 1 }), 'invalid_input', 'first together with last');
    },
  },
  {
    name: 'after starts a window behind a message',
    async run(store) {
      await withMessages(store, ...ids);
      const list = (query: MessageQuery) => listIds(store, query);
      same(await list({ after: 'm8' }), ['m9', 'm10', 'm11'], 'after m8');
      same(await list({ after: 'm11' }), [], 'after the last');
      same(await list({ after: 'unknown' }), [], 'after an unknown one');
      same(await list({ after: 'unknown', before: 'm4' }), [], 'after an unknown one, before m4');
      same(await list({ after: 'm2', first: 2 }), ['m3', 'm4'], 'first 2 after m2');
      same(await list({ after: 'm2', last: 2 }), ['m10', 'm11'], 'last 2 after m2');
      same(await list({ after: 'm9', last: 99 }), ['m10', 'm11'], 'last 99 after m9');
      same(await list({ after: 'm2', first: 0 }), [], 'first 0 after m2');
      same(await list({ after: 'm2', before: 'm5' }), ['m3', 'm4'], 'between m2 and m5');
      same(await list({ after: 'm2', before: 'm9', first: 1 }), ['m3'], 'first 1 between m2 and m9');
      same(await list({ after: 'm2', before: 'm9', last: 1 }), ['m8'], 'last 1 between m2 and m9');
      for (const before of ['m2', 'm3', 'm0'])
        same(await list({ after: 'm2', before }), [], `between m2 and ${before}`);
      await store.createThread(thread({ id: 'other' }));
      await store.append('other', noFence, { messages: [message('elsewhere')] });
      same(await list({ after: 'elsewhere' }), [], 'after a message of another thread');
      await store.deleteMessage(t, noFence, 'm9');
      same(await list({ after: 'm8' }), ['m10', 'm11'], 'after m8, behind which one is gone');
      same(await list({ after: 'm9' }), [], 'after one that is gone');
    },
  },
];
