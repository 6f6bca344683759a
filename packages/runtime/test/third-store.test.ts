import { describe, expect, test } from 'vitest';
import { createStore } from '../src/stores/derive/index.ts';
import type { Answer, StoreDriver } from '../src/stores/driver.ts';
import type { Store } from '../src/stores/store.ts';
import { storeSuite } from '../src/testing/store-suite.ts';
import { message, noFence, run, t, thread } from '../src/testing/store-suite-samples.ts';
import { jsonFileDriver } from './json-file-driver.ts';
import { tempFiles } from './sqlite/temp-files.ts';

const newFile = tempFiles();
const paths = new WeakMap<Store, string>();

function openAt(path: string): Store {
  const store = createStore(jsonFileDriver(path));
  paths.set(store, path);
  return store;
}

/** A driver across a socket, so to speak: each call arrives in a later round of the event loop, in the order in which it was made. */
function later(driver: StoreDriver): StoreDriver {
  const slow =
    (call: (...given: unknown[]) => Answer<unknown>) =>
    async (...given: unknown[]): Promise<unknown> => {
      await new Promise((arrived) => setImmediate(arrived));
      return call(...given);
    };
  const calls = Object.entries(driver).map(([name, call]) => [name, slow(call)]);
  return Object.fromEntries(calls) as StoreDriver;
}

const openLater = () => createStore(later(jsonFileDriver(newFile())));

storeSuite({
  name: 'JSON file',
  test,
  open: () => openAt(newFile()),
  reopen: (closed) => openAt(paths.get(closed) ?? ''),
});

storeSuite({ name: 'JSON file, later', test, open: openLater });

test('the suite makes its short leases as much longer as its patience says', async () => {
  const asked: number[] = [];
  const open = (): Store => {
    const store = createStore(jsonFileDriver(newFile()));
    return {
      ...store,
      acquireLease(request) {
        asked.push(request.ttlMs);
        return store.acquireLease(request);
      },
    };
  };
  const requirements: Promise<void>[] = [];
  const start = (name: string, run: () => Promise<void>) => {
    if (name.endsWith('a renewed lease lives on')) requirements.push(run());
  };
  storeSuite({ test: start, open, patience: 3 });
  await Promise.all(requirements);
  expect(asked[0]).toBe(90);
});

describe('a store that is made of a driver', () => {
  test('keeps the order of calls around a change of a message, which reads first', async () => {
    const store = openLater();
    await store.createThread(thread());
    await store.append(t, noFence, { messages: [message('m1', { content: 'first' })] });
    const update = (content: string) =>
      store.updateMessage(t, noFence, { id: 'm1', fields: { content } }).then((updated) => updated?.content);
    const read = async () => (await store.getMessage(t, 'm1'))?.content;
    const remove = () => store.deleteMessage(t, noFence, 'm1');
    const all = [read(), update('second'), read(), update('third'), read(), remove(), read()];
    expect(await Promise.all(all)).toEqual([
      ...['first', 'second', 'second', 'third', 'third'],
      ...[true, undefined],
    ]);
  });

  test('closes after what was under way', async () => {
    const store = openLater();
    await store.createThread(thread());
    await store.append(t, noFence, { messages: [message('m1')] });
    const updated = store.updateMessage(t, noFence, { id: 'm1', fields: { content: 'new' } });
    const read = store.getMessage(t, 'm1');
    await store.close();
    expect((await updated)?.content).toBe('new');
    expect((await read)?.content).toBe('new');
  });

  test('gives a lease to one of two processes that ask at once', async () => {
    const driver = later(jsonFileDriver(newFile()));
    const stores = [createStore(driver), createStore(driver)];
    await stores[0]?.createThread(thread());
    const asked = await Promise.allSettled(
      stores.map((store, index) => store.acquireLease({ threadId: t, owner: `${index}`, ttlMs: 60_000 })),
    );
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  test('judges leases by the clock of a driver that has one, wherever the clock of the process stands', async () => {
    const hour = 3_600_000;
    const lasting = jsonFileDriver(newFile());
    const own: StoreDriver = {
      ...lasting,
      changeLease: (id, next) =>
        lasting.changeLease(id, (held) => next(held && { ...held, readAt: hour }, hour)),
      readLease: async (id) => {
        const held = await lasting.readLease(id);
        return held && { ...held, readAt: hour };
      },
    };
    const store = createStore(own);
    await store.createThread(thread());
    const lease = await store.acquireLease({ threadId: t, owner: 'a', ttlMs: 1000 });
    expect(lease).toEqual({ threadId: t, owner: 'a', fence: 1, expiresAt: hour + 1000, ttlMs: 1000 });
    expect(await store.getLease(t)).toEqual(lease);
    const other = store.acquireLease({ threadId: t, owner: 'b', ttlMs: 1000 });
    await expect(other).rejects.toMatchObject({ code: 'thread_busy' });
  });

  test('finds runs on every page', async () => {
    const store = openAt(newFile());
    await store.createThread(thread());
    const runs = Array.from({ length: 2500 }, (_, at) => run(`r${at % 2}`, { at }));
    await store.append(t, noFence, { runs });
    const odd = runs.filter(({ at }) => at % 2 === 1);
    expect(await store.listRuns({ id: 'r1' })).toEqual(odd);
    expect(await store.listRuns({ id: 'r1', limit: 1100 })).toEqual(odd.slice(-1100));
    expect(await store.listRuns({ limit: 0 })).toEqual([]);
  });
});
