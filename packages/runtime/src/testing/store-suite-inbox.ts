import { holds, refused, same } from '@spec/hooks/testing';
import type { Append } from '../stores/store.ts';
import type { StoreCase } from './store-suite-case.ts';
import {
  item,
  listMessageIds,
  message,
  noFence,
  run,
  t,
  thread,
  withMessages,
} from './store-suite-samples.ts';

const long = 60_000;

export const inboxCases: readonly StoreCase[] = [
  {
    name: 'an item can be posted without a fence, whoever has the lease',
    async run(store) {
      await store.createThread(thread());
      await store.append(t, noFence, { enqueue: [item('q1')] });
      const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      const stop = item('stop', { kind: 'stop', payload: {} });
      await store.post(t, stop);
      await store.post(t, item('q2', { kind: 'tool' }));
      same(await store.listQueue(t), [item('q1'), stop, item('q2', { kind: 'tool' })], 'queue');
      await store.append(t, lease.fence, { messages: [message('m1')], dequeue: ['stop'] });
      same(
        (await store.listQueue(t)).map(({ id }) => id),
        ['q1', 'q2'],
        'queue after the writer went on',
      );
    },
  },
  {
    name: 'an append tells nothing about the queue, or what is true',
    async run(store) {
      await store.createThread(thread());
      const told = async (append: Append): Promise<void> => {
        const { waiting } = (await store.append(t, noFence, append)) ?? {};
        const waits = (await store.listQueue(t)).length > 0;
        if (waiting !== undefined) same(waiting, waits, JSON.stringify(append));
      };
      await told({ messages: [message('m1')] });
      await told({ enqueue: [item('q1')] });
      await told({ messages: [message('m2')] });
      await told({ messages: [message('m2')] });
      await told({ dequeue: ['q1'] });
      await store.post(t, item('q2'));
      await Promise.all(['m3', 'm4'].map((id) => told({ messages: [message(id)] })));
      await told({ messages: [message('m5')], dequeue: ['q2'] });
    },
  },
  {
    name: 'posting what is queued or stored already changes nothing',
    async run(store) {
      await withMessages(store, 'm1');
      await Promise.all([
        store.post(t, item('q1')),
        store.post(t, item('q1', { payload: { second: true } })),
      ]);
      await store.append(t, noFence, { enqueue: [item('q2')] });
      await store.post(t, item('q2', { kind: 'stop' }));
      await store.post(t, item('m1'));
      same(await store.listQueue(t), [item('q1'), item('q2')], 'queue');
      await store.append(t, noFence, { messages: [message('q1')], dequeue: ['q1'] });
      await store.post(t, item('q1'));
      same(await store.listQueue(t), [item('q2')], 'queue after a message arrived twice');
      await store.post(t, item('m1', { kind: 'tool' }));
      same((await store.listQueue(t)).at(-1)?.id, 'm1', 'a tool call with the id of a message');
      same(await listMessageIds(store), ['m1', 'q1'], 'messages');
    },
  },
  {
    name: 'a message that waits under an id is no message of another role',
    async run(store) {
      await withMessages(store, 'm1');
      const waiting = (id: string, role: string) => item(id, { payload: { ...message(id), role } });
      const other = waiting('q1', 'system');
      await store.post(t, waiting('q1', 'user'));
      await store.post(t, waiting('q1', 'user'));
      await refused(store.post(t, other), 'invalid_message', 'another role than what waits');
      const inject = { ...other, kind: 'inject' as const };
      await refused(store.append(t, noFence, { enqueue: [inject] }), 'invalid_message', 'in an append');
      const stored = waiting('m1', 'system');
      await refused(store.post(t, stored), 'invalid_message', 'another role than what is stored');
      await refused(
        store.append(t, noFence, { messages: [message('m2')], enqueue: [stored] }),
        'invalid_message',
        'in an append with a message',
      );
      same(await store.listQueue(t), [waiting('q1', 'user')], 'queue');
      same(await listMessageIds(store), ['m1'], 'messages');
      await store.append(t, noFence, { dequeue: ['q1'], enqueue: [other] });
      same(await store.listQueue(t), [other], 'queue after the first one left it');
    },
  },
  {
    name: 'what cannot be posted is refused',
    async run(store) {
      await refused(store.post(t, item('q1')), 'not_found', 'no thread');
      await store.createThread(thread());
      const bad = item('q1', { payload: { big: 123n } });
      const text = await refused(store.post(t, bad), 'invalid_message', 'BigInt');
      holds(text.includes('q1') && !text.includes('123'), 'the refusal must name the item and not its value');
      same(await store.listQueue(t), [], 'queue');
    },
  },
  {
    name: 'values of an append are set and removed in its commit, also when it is repeated',
    async run(store) {
      await store.createThread(thread());
      await store.setValue(t, noFence, { key: 'old', value: 1 });
      const append = {
        messages: [message('m1')],
        values: [
          { key: 'old', value: undefined },
          { key: 'new', value: { deep: [null] } },
        ],
      };
      await store.append(t, noFence, append);
      same(await store.listValues(t), [{ key: 'new', value: { deep: [null] } }], 'values');
      await store.setValue(t, noFence, { key: 'new', value: 'changed' });
      await store.append(t, noFence, append);
      same(await store.getValue(t, 'new'), { deep: [null] }, 'the value after a repetition');
      const bad = {
        ...append,
        messages: [message('m2')],
        values: [
          { key: 'k', value: 1 },
          { key: 'k', value: 2n },
        ],
      };
      await refused(store.append(t, noFence, bad), 'invalid_input', 'a value that is not JSON');
      const foreign = { values: [{ key: 'k', value: 1 }], runs: [run('r', { threadId: 'other' })] };
      await refused(store.append(t, noFence, foreign), 'invalid_input', 'a run of another thread');
      const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      await refused(
        store.append(t, lease.fence - 1, { values: [{ key: 'k', value: 1 }] }),
        'thread_busy',
        'a write under an old fence',
      );
      same(await store.getValue(t, 'k'), undefined, 'a value of a refused append');
      same(await listMessageIds(store), ['m1'], 'messages');
    },
  },
  {
    name: 'values are set together without a fence where one of them is as it was read, else none is',
    async run(store) {
      await store.createThread(thread());
      await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      const none = { key: 'k', value: undefined };
      const one = { key: 'k', value: { b: 1, a: [null, 'x'] } };
      holds(await store.setValuesIf(t, none, [one, { key: 'other', value: 1 }]), 'none was there');
      holds(!(await store.setValuesIf(t, none, [{ key: 'k', value: 2 }])), 'there is one by now');
      const stale = { key: 'k', value: { b: 1, a: [null, 'y'] } };
      holds(!(await store.setValuesIf(t, stale, [none, { key: 'other', value: 2 }])), 'it is another one');
      const asRead = { key: 'k', value: await store.getValue(t, 'k') };
      same([asRead.value, await store.getValue(t, 'other')], [one.value, 1], 'values');
      holds(await store.setValuesIf(t, asRead, [none, { key: 'other', value: 2 }]), 'it is as it was read');
      same(await store.listValues(t), [{ key: 'other', value: 2 }], 'values after a removal');
    },
  },
  {
    name: 'of writers that set a value at once where it is as they read it, one does',
    async run(store) {
      await store.createThread(thread());
      const count = async (): Promise<void> => {
        const value = (await store.getValue(t, 'count')) as number | undefined;
        const next = { key: 'count', value: (value ?? 0) + 1 };
        if (!(await store.setValuesIf(t, { key: 'count', value }, [next]))) await count();
      };
      await Promise.all(Array.from({ length: 8 }, count));
      same(await store.getValue(t, 'count'), 8, 'count');
    },
  },
  {
    name: 'what cannot be set together is refused as a whole',
    async run(store) {
      const none = { key: 'k', value: undefined };
      const good = { key: 'good', value: 1 };
      await refused(store.setValuesIf(t, none, [good]), 'not_found', 'no thread');
      await store.createThread(thread());
      const bad = store.setValuesIf(t, none, [good, { key: 'bad', value: 2n }]);
      await refused(bad, 'invalid_input', 'a value that is not JSON');
      same(await store.listValues(t), [], 'values');
    },
  },
];
