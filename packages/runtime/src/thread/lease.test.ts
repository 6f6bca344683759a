import { expect, test, vi } from 'vitest';
import { memoryStore } from '../stores/memory/index.ts';
import { thread } from '../testing/store-suite-samples.ts';
import { pause } from '../time.ts';
import { Heartbeat, ThreadLease } from './lease.ts';

const ttlMs = 30;
const onNew = async (): Promise<void> => {};

test('one heartbeat prolongs all leases that are held, each until its last holder lets go', async () => {
  const store = memoryStore();
  const heartbeat = new Heartbeat(ttlMs);
  const taken: Record<string, number> = { one: 0, two: 0, idle: 0 };
  const counting = {
    ...store,
    acquireLease: (request: Parameters<typeof store.acquireLease>[0]) => {
      taken[request.threadId] = (taken[request.threadId] ?? 0) + 1;
      return store.acquireLease(request);
    },
  };
  const leaseOf = async (threadId: string): Promise<ThreadLease> => {
    await store.createThread(thread({ id: threadId }));
    return new ThreadLease({ store: counting, threadId, owner: 'me', ttlMs, heartbeat, onNew });
  };
  const [one, two] = [await leaseOf('one'), await leaseOf('two'), await leaseOf('idle')];
  const letGoOfOne = one.hold();
  const letGoFirst = two.hold();
  const letGoLast = two.hold();
  letGoFirst();
  await vi.waitFor(() => expect(Math.min(taken.one ?? 0, taken.two ?? 0)).toBeGreaterThan(2));
  letGoOfOne();
  letGoLast();
  const atTheEnd = { ...taken };
  await pause(2 * ttlMs);
  expect(taken).toEqual({ ...atTheEnd, idle: 0 });

  const letGo = one.hold(); // The timer has ended meanwhile.
  await vi.waitFor(() => expect(taken.one).toBeGreaterThan(atTheEnd.one ?? 0));
  letGo();
  heartbeat.end();
});

test('a store that does not answer is not asked again and again, and prolongs on once it has', async () => {
  const store = memoryStore();
  await store.createThread(thread({ id: 't' }));
  const heartbeat = new Heartbeat(ttlMs);
  const waiting: (() => void)[] = [];
  const slow = {
    ...store,
    acquireLease: async (request: Parameters<typeof store.acquireLease>[0]) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return store.acquireLease(request);
    },
  };
  const lease = new ThreadLease({ store: slow, threadId: 't', owner: 'me', ttlMs, heartbeat, onNew });
  const take = vi.spyOn(lease, 'take');
  const letGo = lease.hold();
  for (const asked of [1, 2, 3]) {
    await vi.waitFor(() => expect(waiting).toHaveLength(asked));
    await pause(2 * ttlMs);
    expect(take).toHaveBeenCalledTimes(asked);
    waiting.at(-1)?.();
  }
  letGo();
  heartbeat.end();
  waiting.at(-1)?.();
});

test.each([-3_600_000, 3_600_000])(
  'a store whose clock is %i ms off changes nothing: half of the time a lease holds',
  async (off) => {
    const store = memoryStore();
    await store.createThread(thread({ id: 't' }));
    const shifted = {
      ...store,
      acquireLease: async (request: Parameters<typeof store.acquireLease>[0]) => {
        const lease = await store.acquireLease(request);
        return { ...lease, expiresAt: lease.expiresAt + off };
      },
    };
    const lease = new ThreadLease({
      ...{
        store: shifted,
        threadId: 't',
        owner: 'me',
        ttlMs: 2_000,
        heartbeat: new Heartbeat(2_000),
        headKeys: [],
        onNew,
      },
    });
    const fence = await lease.take();
    expect(lease.fence).toBe(fence);
    await pause(1_001);
    expect(lease.fence).toBeUndefined();
  },
);
