import { expect, test, vi } from 'vitest';
import type { Store } from '../src/index.ts';
import { memoryStore } from '../src/stores/memory/index.ts';
import { message, thread } from '../src/testing/store-suite-samples.ts';
import { createKit, lines, newFile } from './kit.ts';
import { kindOfStore, openLasting } from './lasting-store.ts';

const stores: [string, () => Store][] = [
  ['memory', memoryStore],
  [kindOfStore, () => openLasting(newFile())],
];

/** What a process leaves behind that dies in a turn; its clock is `ahead` by so many milliseconds. */
async function dead(store: Store, { ttlMs, ahead = 0 }: { ttlMs: number; ahead?: number }): Promise<void> {
  await store.createThread(thread({ id: 't', turn: { id: 'turn' } }));
  const now = Date.now;
  Date.now = () => now() + ahead;
  const { fence } = await store.acquireLease({ threadId: 't', owner: 'dead', ttlMs });
  Date.now = now;
  await store.append('t', fence, { messages: [message('turn.0.user', { content: 'Go' })] });
}

test.for(stores)('a dead writer’s lease is waited for, however long it is (%s)', async ([, open]) => {
  const kit = createKit(open());
  await dead(kit.store, { ttlMs: 900 });
  const { runtime } = kit.start({ lease: 50, script: ['resumed'] });
  const from = Date.now();
  expect(await runtime.resumeAll()).toMatchObject([{ threadId: 't', result: { text: 'resumed' } }]);
  expect(Date.now() - from).toBeGreaterThan(700);
  expect(await lines(await runtime.openThread('t'))).toEqual(['user: Go', 'assistant: resumed']);
  await kit.close();
});

test.for(stores)('a dead writer’s clock may have been an hour ahead (%s)', async ([, open]) => {
  const kit = createKit(open());
  await dead(kit.store, { ttlMs: 2_000, ahead: 3_600_000 });
  const { runtime } = kit.start({ lease: 50, script: ['resumed'] });
  const from = Date.now();
  expect(await runtime.resumeAll()).toMatchObject([{ result: { text: 'resumed' } }]);
  expect(Date.now() - from).toBeLessThan(20_000); // The lease ends in an hour.
  await kit.close();
});

test('a writer that renews its lease is alive, and is not waited for', async () => {
  const kit = createKit(memoryStore());
  const { store } = kit;
  await dead(store, { ttlMs: 60_000 });
  const { runtime } = kit.start({ lease: 50 });
  const timer = setInterval(
    () => void store.acquireLease({ threadId: 't', owner: 'dead', ttlMs: 60_000 }),
    10,
  );
  expect(await runtime.resumeAll()).toMatchObject([{ error: { code: 'thread_busy' } }]);
  clearInterval(timer);
  await kit.close();
});

test.for(stores)(
  'of processes that look again and again, one finishes what another leaves behind later (%s)',
  async ([, open]) => {
    const kit = createKit(open());
    const resumed: unknown[] = [];
    const processes = [1, 2].map(() => kit.start({ lease: 2_000, script: ['resumed'] }).runtime);
    for (const runtime of processes)
      expect(
        await runtime.resumeAll({ every: 20, onResumed: ({ result }) => resumed.push(result?.text) }),
      ).toEqual([]);
    await dead(kit.store, { ttlMs: 100 });
    await vi.waitFor(() => expect(resumed).toContain('resumed'), { timeout: 20_000 });
    expect(resumed.filter((text) => text === 'resumed')).toHaveLength(1);
    expect((await kit.store.listMessages('t')).map(({ content }) => content)).toEqual(['Go', 'resumed']);
    await kit.close();
  },
);
