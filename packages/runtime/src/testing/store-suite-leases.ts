import { holds, refused, same } from '@spec/hooks/testing';
import type { StoreCase } from './store-suite-case.ts';
import {
  call,
  file,
  item,
  listMessageIds,
  message,
  noFence,
  run,
  t,
  thread,
  waitMs,
  withMessages,
  writes,
} from './store-suite-samples.ts';

const long = 60_000;

export const leaseCases: readonly StoreCase[] = [
  {
    name: 'one owner has the lease at a time',
    async run(store) {
      await store.createThread(thread());
      await store.createThread(thread({ id: 'other' }));
      const before = Date.now();
      const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      same({ threadId: lease.threadId, owner: lease.owner }, { threadId: t, owner: 'a' }, 'lease');
      holds(
        lease.expiresAt >= before + long && lease.expiresAt <= Date.now() + long,
        'expiresAt must be now and the ttl',
      );
      await refused(
        store.acquireLease({ threadId: t, owner: 'b', ttlMs: long }),
        'thread_busy',
        'a second owner',
      );
      const again = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 2 * long });
      same(again.fence, lease.fence, 'fence of the same owner');
      holds(again.expiresAt > lease.expiresAt, 'the same owner must get its lease renewed');
      const other = await store.acquireLease({ threadId: 'other', owner: 'b', ttlMs: long });
      same(other.owner, 'b', 'lease of another thread');
    },
  },
  {
    name: 'of many owners at once one gets the lease',
    async run(store) {
      await store.createThread(thread());
      const owners = Array.from({ length: 10 }, (_, index) => `owner-${index}`);
      const settled = await Promise.allSettled(
        owners.map((owner) => store.acquireLease({ threadId: t, owner, ttlMs: long })),
      );
      same(settled.filter(({ status }) => status === 'fulfilled').length, 1, 'leases given');
    },
  },
  {
    name: 'a writer whose lease was taken over cannot write any more',
    async run(store, _reopen, patience) {
      await withMessages(store, 'm1');
      await store.writeFile(t, noFence, file('f1', [1]));
      const old = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 20 * patience });
      await store.append(t, old.fence, { messages: [message('m2')] });
      await waitMs(40 * patience);
      const lease = await store.acquireLease({ threadId: t, owner: 'b', ttlMs: long });
      holds(lease.fence > old.fence, 'the fence of a newer lease must be higher');
      for (const [method, write] of writes(store, t, old.fence))
        await refused(write(), 'thread_busy', method);
      await refused(store.deleteThread(t, old.fence), 'thread_busy', 'deleteThread');
      await refused(store.renewLease(old, long), 'thread_busy', 'renewLease');
      await store.releaseLease(old);
      await refused(
        store.acquireLease({ threadId: t, owner: 'a', ttlMs: long }),
        'thread_busy',
        'acquireLease',
      );
      same(await listMessageIds(store), ['m1', 'm2'], 'messages');
      same(await store.getMessage(t, 'm1'), message('m1'), 'm1');
      same(await store.getValue(t, 'k'), undefined, 'value');
      same(
        (await store.listFiles(t)).map(({ path }) => path),
        ['f1'],
        'files',
      );
      for (const [method, write] of writes(store, t, lease.fence)) await accepted(write(), method);
      same(await listMessageIds(store), ['m2', 'written'], 'messages of the newer writer');
    },
  },
  {
    name: 'a refused append leaves nothing behind',
    async run(store) {
      await store.createThread(thread());
      const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      const append = {
        messages: [message('m1')],
        toolCalls: [call('m1')],
        runs: [run('r')],
        enqueue: [item('q')],
      };
      const turn = { id: 'x' };
      await refused(
        store.append(t, lease.fence - 1, { ...append, thread: { turn } }),
        'thread_busy',
        'append',
      );
      same(await store.listMessages(t), [], 'messages');
      same(await store.listToolCalls(t), [], 'tool calls');
      same(await store.listQueue(t), [], 'queue');
      same(await store.listRuns(), [], 'runs');
      same(await store.getThread(t), thread(), 'thread');
    },
  },
  {
    name: 'a released lease can be had at once, with a higher fence',
    async run(store) {
      await store.createThread(thread());
      const first = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      await store.releaseLease(first);
      const second = await store.acquireLease({ threadId: t, owner: 'b', ttlMs: long });
      holds(second.fence > first.fence, 'the next owner must get a higher fence');
      await store.releaseLease(second);
      await refused(store.append(t, first.fence, {}), 'thread_busy', 'a write under the first lease');
      await refused(store.renewLease(second, long), 'thread_busy', 'renewing a released lease');
      const third = await store.acquireLease({ threadId: t, owner: 'b', ttlMs: long });
      holds(third.fence > second.fence, 'the same owner must get a higher fence after its release');
    },
  },
  {
    name: 'a renewed lease lives on',
    async run(store, _reopen, patience) {
      await store.createThread(thread());
      const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 30 * patience });
      const renewed = await store.renewLease(lease, long);
      same({ ...renewed, expiresAt: 0 }, { ...lease, expiresAt: 0, ttlMs: long }, 'lease');
      holds(renewed.expiresAt > lease.expiresAt, 'expiresAt must move');
      await waitMs(50 * patience);
      await refused(
        store.acquireLease({ threadId: t, owner: 'b', ttlMs: long }),
        'thread_busy',
        'another owner',
      );
    },
  },
  {
    name: 'the lease that lives can be read, with its length',
    async run(store) {
      same(await store.getLease(t), null, 'the lease of no thread');
      await store.createThread(thread());
      same(await store.getLease(t), null, 'the lease of a new thread');
      const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 1 });
      same(lease.ttlMs, 1, 'ttlMs');
      await waitMs(10);
      same(await store.getLease(t), null, 'a lease that ran out');
      const renewed = await store.renewLease(lease, long);
      same(await store.getLease(t), renewed, 'a renewed lease');
      const again = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 2 * long });
      same(again.ttlMs, 2 * long, 'ttlMs of the same owner');
      same(await store.getLease(t), again, 'a lease taken again');
      await store.releaseLease(again);
      same(await store.getLease(t), null, 'a released lease');
    },
  },
  {
    name: 'a lease tells the turn that it was taken for last',
    async run(store) {
      await store.createThread(thread());
      const request = { threadId: t, owner: 'a', ttlMs: long };
      const first = await store.acquireLease({ ...request, turnId: 'turn 1' });
      same(first.turnId, 'turn 1', 'turnId');
      same(await store.getLease(t), first, 'the lease as it is read');
      await refused(store.acquireLease({ ...request, owner: 'b' }), 'thread_busy', 'another owner');
      await refused(
        store.acquireLease({ ...request, owner: 'b', turnId: 'turn 1' }),
        'thread_busy',
        'another owner with the same turn',
      );
      const second = await store.acquireLease({ ...request, turnId: 'turn 2' });
      same([second.turnId, second.fence], ['turn 2', first.fence], 'taken by its owner for another turn');
      same((await store.renewLease(second, 2 * long)).turnId, 'turn 2', 'renewed');
      same((await store.getLease(t))?.turnId, 'turn 2', 'read after it was renewed');
      const none = await store.acquireLease(request);
      same([none.turnId, none.fence], [undefined, first.fence], 'taken by its owner for no turn');
      await store.releaseLease(second); // A release ends it, whatever it was taken for when it was read.
      same(await store.getLease(t), null, 'released');
    },
  },
  {
    name: 'a lease by a clock that was far ahead has run out',
    async run(store) {
      await store.createThread(thread());
      const taken = await byClock(3_600_000, () =>
        store.acquireLease({ threadId: t, owner: 'ahead', ttlMs: long }),
      );
      if (taken.expiresAt < Date.now() + 2 * long) return; // the store has a clock of its own
      same(await store.getLease(t), null, 'getLease');
      const next = await store.acquireLease({ threadId: t, owner: 'b', ttlMs: long });
      holds(next.fence > taken.fence, 'the fence of the next lease must be higher');
      await refused(store.append(t, taken.fence, {}), 'thread_busy', 'a write under the first lease');
      await store.releaseLease(next);
      await byClock(long / 2, () => store.acquireLease({ threadId: t, owner: 'set back', ttlMs: long }));
      await refused(
        store.acquireLease({ threadId: t, owner: 'b', ttlMs: long }),
        'thread_busy',
        'another owner, where the clock was set back a little',
      );
    },
  },
  {
    name: 'a thread is not deleted while another owner has a lease on one below it',
    async run(store, _reopen, patience) {
      await store.createThread(thread());
      await store.createThread(thread({ id: 'child', parentId: t }));
      await store.createThread(thread({ id: 'grandchild', parentId: 'child' }));
      await store.createThread(thread({ id: 'other' }));
      await store.acquireLease({ threadId: 'other', owner: 'b', ttlMs: long });
      const own = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      await store.acquireLease({ threadId: 'child', owner: 'a', ttlMs: long });
      const below = await store.acquireLease({ threadId: 'grandchild', owner: 'b', ttlMs: long });
      await refused(store.deleteThread(t, own.fence), 'thread_busy', 'deleteThread');
      await refused(store.deleteThread('child', own.fence + 1), 'thread_busy', 'deleteThread of the child');
      same((await store.listThreads()).length, 4, 'threads');
      await store.append('grandchild', below.fence, { messages: [message('m1')] });
      await store.renewLease(below, 30 * patience);
      await waitMs(60 * patience);
      same(await store.deleteThread(t, own.fence), true, 'deleteThread after the lease ran out');
      same((await store.listThreads()).length, 1, 'threads left');
    },
  },
  {
    name: 'an expired lease that nobody took over still writes',
    async run(store) {
      await store.createThread(thread());
      const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 1 });
      await waitMs(10);
      await store.append(t, lease.fence, { messages: [message('m1')] });
      same((await store.renewLease(lease, long)).fence, lease.fence, 'fence after renewing');
      same(await listMessageIds(store), ['m1'], 'messages');
    },
  },
  {
    name: 'a thread created again under an old id never accepts an old fence',
    async run(store) {
      await store.createThread(thread());
      const old = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: long });
      await store.deleteThread(t, old.fence);
      await refused(store.renewLease(old, long), 'not_found', 'renewing without a thread');
      await store.releaseLease(old);
      await store.createThread(thread());
      const lease = await store.acquireLease({ threadId: t, owner: 'b', ttlMs: long });
      holds(lease.fence > old.fence, 'the fence must go on counting');
      await refused(
        store.append(t, old.fence, { messages: [message('m1')] }),
        'thread_busy',
        'the old writer',
      );
    },
  },
];

/** Runs something while the clock is so many milliseconds ahead. */
async function byClock<T>(ms: number, run: () => Promise<T>): Promise<T> {
  const now = Date.now;
  Date.now = () => now() + ms;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}

async function accepted(write: Promise<unknown>, method: string): Promise<void> {
  await write.catch((error: Error) => {
    throw new Error(`${method}: the newer writer was refused (${error.message})`);
  });
}
