import { holds, refused, same } from '@spec/hooks/testing';
import type { Store, ThreadHead, ThreadRecord } from '../stores/store.ts';
import type { StoreCase } from './store-suite-case.ts';
import { hardTexts, message, noFence, t, thread, withMessages } from './store-suite-samples.ts';

const long = 60_000;

export const headCases: readonly StoreCase[] = [
  {
    name: 'a live lease is taken over where the owner asks for it',
    async run(store) {
      await withMessages(store, 'm1');
      const first = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      const before = Date.now();
      const { lease: second } = await store.takeOver({ threadId: t, owner: 'b', ttlMs: long });
      holds(second.fence > first.fence, 'a lease that was taken over must have a higher fence');
      same({ ...second, fence: 0, expiresAt: 0 }, { ...first, owner: 'b', fence: 0, expiresAt: 0 }, 'lease');
      holds(
        second.expiresAt >= before + long && second.expiresAt <= Date.now() + long,
        'expiresAt must be now and the ttl',
      );
      same(await store.getLease(t), second, 'getLease');
      await refused(
        store.append(t, first.fence, { messages: [message('m2')] }),
        'thread_busy',
        'the old one',
      );
      const { lease: again } = await store.takeOver({
        threadId: t,
        owner: 'b',
        ttlMs: long,
        turnId: 'turn-1',
      });
      same(
        { fence: again.fence, turnId: again.turnId },
        { fence: second.fence, turnId: 'turn-1' },
        'the same owner',
      );
      same((await store.getLease(t))?.turnId, 'turn-1', 'the turn that it was taken for');
      await store.append(t, second.fence, { messages: [message('m2')] });
      await store.releaseLease(again);
      const { lease: next } = await store.takeOver({ threadId: t, owner: 'b', ttlMs: long });
      holds(next.fence > second.fence, 'a released lease is followed by one with a higher fence');
      await refused(store.takeOver({ threadId: 'none', owner: 'b', ttlMs: long }), 'not_found', 'takeOver');
    },
  },
  {
    name: 'a thread that is taken over, or read, comes with its children and what is asked for',
    async run(store) {
      const record = await makeFamily(store);
      const value = { texts: [...hardTexts], number: 1.5, nothing: null };
      for (const key of ['k', '', 'not wanted', ...hardTexts.slice(1)])
        await store.setValue(t, noFence, { key, value });
      await store.setValue('other', noFence, { key: 'k', value: 'of another thread' });
      const texts = hardTexts.map((content, at) => message(`m${at}`, { content, extra: content }));
      await store.append(t, noFence, { messages: texts });
      await store.append('other', noFence, { messages: [message('m-of-other')] });
      const query = {
        keys: ['k', 'none', ...hardTexts],
        messages: ['m2', 'none', 'm-of-other', 'm1'],
        ends: { oldest: 2, newest: 3 },
      };
      const head = {
        ...{ record, children: ['child-b', 'child-a'], values: ['k', ...hardTexts].sort() },
        messages: texts.slice(1, 3),
      };
      const sorted = ({ values, messages, ends, ...rest }: ThreadHead) => {
        for (const one of values) same(one.value, value, `value ${one.key}`);
        if (ends !== undefined)
          same(ends, { oldest: texts.slice(0, 2), newest: texts.slice(-3) }, 'the ends');
        messages.sort((one, other) => (one.id < other.id ? -1 : 1));
        return { ...rest, values: values.map(({ key }) => key).sort(), messages };
      };
      const read = await store.readHead(t, query);
      same(read && sorted(read), head, 'readHead');
      const taken = await store.takeOver({ threadId: t, owner: 'a', ttlMs: long }, query);
      same(sorted(taken.head), head, 'takeOver');
      taken.head.children.push('mine');
      taken.head.record.metadata.mine = true;
      same((await store.readHead(t))?.children, ['child-b', 'child-a'], 'children of a copy');
      const plain = { record: thread({ id: 'other' }), children: [], values: [], messages: [] };
      same(await store.readHead('other'), plain, 'a plain thread');
      same(await store.readHead('none', query), null, 'a thread that is not there');
      const heads = await Promise.all([t, 'other', 'none', t].map((id) => store.readHead(id, query)));
      same(
        heads.map((one) => one?.record.id),
        [t, 'other', undefined, t],
        'several at once',
      );
    },
  },
  {
    name: 'what was written before a thread is taken over is in its head, and what comes later is refused',
    async run(store) {
      await store.createThread(thread());
      let { lease } = await store.takeOver({ threadId: t, owner: 'a', ttlMs: long }, { keys: ['k'] });
      for (let round = 0; round < 30; round++) {
        const taking = store.takeOver({ threadId: t, owner: `owner-${round}`, ttlMs: long }, { keys: ['k'] });
        for (let later = 0; later < round; later++) await Promise.resolve();
        const [{ status }] = await Promise.allSettled([
          store.setValue(t, lease.fence, { key: 'k', value: round }),
        ]);
        const taken = await taking;
        const isSeen = taken.head.values[0]?.value === round;
        same(isSeen, status === 'fulfilled', 'whether the value was in time');
        lease = taken.lease;
      }
    },
  },
];

/** A thread with all its fields, two children, a grandchild, and another thread beside it. */
async function makeFamily(store: Store): Promise<ThreadRecord> {
  const record = thread({
    parentId: 'above',
    turn: { id: 'turn-1', form: 1 },
    compaction: { summaryId: 'm9', throughId: 'm4' },
    metadata: { texts: [...hardTexts] },
  });
  await store.createThread(record);
  for (const id of ['child-b', 'child-a']) await store.createThread(thread({ id, parentId: t }));
  await store.createThread(thread({ id: 'of a child', parentId: 'child-a' }));
  await store.createThread(thread({ id: 'other' }));
  return record;
}
