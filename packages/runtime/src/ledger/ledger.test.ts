import { statSync } from 'node:fs';
import { defineHook } from '@spec/hooks';
import { describe, expect, test, vi } from 'vitest';
import { createKit, newFile, onBothStores, thrownBy } from '../../test/kit.ts';
import { createRuntime, defineTool, type LedgerEntry, memoryStore, type Store } from '../index.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';
import { keepLedger } from './retention.ts';

const stamp = defineHook({
  hook: 'before_create_message',
  id: 'stamp',
  execute: async (_state, message) => ({ ...message, metadata: { seen: true } }),
});
const watch = defineHook({ hook: 'after_create_message', id: 'watch', execute: async (_state) => {} });
const guard = defineHook({
  hook: 'before_tool_call',
  id: 'guard',
  match: 'drop_*',
  execute: async (_state) => ({ decision: 'deny' }) as const,
});
const tools = [
  defineTool({ name: 'drop_table', execute: () => '' }),
  defineTool({ name: 'read', execute: () => '' }),
];

const day = 86_400_000_000;

/** Writes entries of that age, in days, to a thread. */
async function writeOld(store: Store, threadId: string, ages: readonly number[]): Promise<void> {
  const { fence } = await store.acquireLease({ threadId, owner: 'test', ttlMs: 1 });
  const now = Date.now() * 1_000;
  const runs = ages.map(
    (age): LedgerEntry => ({
      threadId,
      turnId: null,
      step: 0,
      at: now - age * day,
      hook: 'after_create_message',
      id: `old_${age}`,
      source: 'policy',
      outcome: 'ok',
      changed: false,
      ms: 1,
      sizeBefore: 1,
      sizeAfter: 1,
    }),
  );
  await store.append(threadId, fence, { runs });
  await new Promise((resolve) => setTimeout(resolve, 5));
}

const ids = (runs: readonly { id: string }[]): string[] => runs.map(({ id }) => id);

describe('asking the ledger', () => {
  onBothStores('runs are found by what they are, across threads or in one', async ({ thread, start }) => {
    const one = await thread({
      script: [{ toolCalls: [{ name: 'drop_table' }, { name: 'read' }] }, 'done'],
      tools,
      policies: [guard, watch],
    });
    const { turnId } = await one.thread.send('go');
    const other = await start({ policies: [watch] }).runtime.createThread({ agent: 'agent' });
    await other.inject({ role: 'user', content: 'x' });
    const { ledger } = one.runtime;

    expect(ids(await ledger.runs({ hook: 'before_tool_call' }))).toEqual(['guard', 'guard']);
    expect((await ledger.runs({ outcome: 'skipped' })).map(({ why }) => why)).toEqual([
      expect.stringContaining('read'),
    ]);
    expect(await ledger.runs({ outcome: 'denied', limit: 1 })).toMatchObject([
      { id: 'guard', turnId, step: 1 },
    ]);
    expect(await ledger.runs({ turnId })).toHaveLength((await one.thread.runs()).length);
    expect(await ledger.runs({ turnId: null })).toMatchObject([{ id: 'watch', threadId: other.id }]);
    expect(await other.runs({ id: 'watch' })).toHaveLength(1);
    expect(await other.runs({ id: 'guard' })).toEqual([]);
  });

  onBothStores('since and until take a date, microseconds or an age', async ({ store, thread }) => {
    const { thread: one, runtime } = await thread();
    await writeOld(store, one.id, [40, 10, 1]);
    const { ledger } = runtime;
    expect(ids(await ledger.runs({ since: '30d' }))).toEqual(['old_10', 'old_1']);
    expect(ids(await one.runs({ until: new Date(Date.now() - 5 * 86_400_000) }))).toEqual([
      'old_40',
      'old_10',
    ]);
    expect(ids(await ledger.runs({ since: (Date.now() - 20 * 86_400_000) * 1_000, until: '36h' }))).toEqual([
      'old_10',
    ]);
    for (const since of ['yesterday', Number.NaN, new Date('x')] as never[]) {
      expect(await thrownBy(ledger.runs({ since }))).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('since must be'),
      });
    }
  });

  onBothStores('stats say what each hook did', async ({ thread }) => {
    const { thread: one, runtime } = await thread({
      script: [{ toolCalls: [{ name: 'drop_table' }, { name: 'read' }] }, 'done'],
      tools,
      policies: [guard, stamp],
    });
    await one.send('go');
    const stats = await runtime.ledger.stats();
    expect(stats).toMatchObject([
      {
        hook: 'before_create_message',
        id: 'stamp',
        source: 'policy',
        runs: 5,
        changed: 5,
        outcomes: { changed: 5 },
      },
      { hook: 'before_tool_call', id: 'guard', runs: 2, changed: 0, outcomes: { denied: 1, skipped: 1 } },
    ]);
    for (const { p50, p99 } of stats) expect(p99).toBeGreaterThanOrEqual(p50);
    expect(await runtime.ledger.stats({ id: 'nobody' })).toEqual([]);
  });

  test('the percentiles are those of the runs that ran', async () => {
    const { summariseRuns } = await import('../stores/run-sums.ts');
    const run = (ms: number, outcome: LedgerEntry['outcome'] = 'ok'): LedgerEntry =>
      ({ hook: 'h', id: 'i', source: 's', ms, outcome, changed: false }) as LedgerEntry;
    const hundred = Array.from({ length: 100 }, (_, i) => run(100 - i));
    expect(summariseRuns([...hundred, ...hundred.map(() => run(0, 'skipped'))])).toMatchObject([
      { runs: 200, p50: 50, p99: 99 },
    ]);
    expect(summariseRuns([run(0, 'skipped')])).toMatchObject([{ runs: 1, p50: 0, p99: 0 }]);
  });
});

describe('keeping it small', () => {
  onBothStores('prune removes what is too old, or the oldest of too much', async ({ store, thread }) => {
    const { thread: one, runtime } = await thread();
    await writeOld(store, one.id, [40, 31, 29, 1]);
    expect(await runtime.ledger.prune({ olderThan: '30d' })).toBe(2);
    expect(ids(await runtime.ledger.runs())).toEqual(['old_29', 'old_1']);
    expect(await runtime.ledger.prune({ olderThan: '1d', maxBytes: 1_000_000 })).toBe(2);
    await writeOld(store, one.id, [2]);
    expect(await runtime.ledger.prune({ maxBytes: 0 })).toBe(1);
    for (const what of [{}, { olderThan: 'never' }, { maxBytes: 1.5 }] as never[])
      expect(await thrownBy(runtime.ledger.prune(what))).toMatchObject({ code: 'invalid_input' });
  });

  onBothStores('with `keep` old runs go with the first that are written', async ({ store, thread }) => {
    const { thread: one, runtime } = await thread({ policies: [watch], ledger: { keep: '30d' } });
    await writeOld(store, one.id, [40, 1]);
    await one.messages();
    expect(ids(await runtime.ledger.runs())).toEqual(['old_40', 'old_1']);
    await one.inject({ role: 'user', content: 'x' });
    await expect.poll(async () => ids(await runtime.ledger.runs())).toEqual(['old_1', 'watch']);
    // Not with every write: the next occasion is a thousand runs or an hour away.
    await writeOld(store, (await runtime.createThread({ agent: 'agent' })).id, [50]);
    await one.inject({ role: 'user', content: 'x' });
    expect(ids(await runtime.ledger.runs())).toContain('old_50');
  });

  test('the next occasion is a thousand runs away, or an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const pruned: unknown[] = [];
    const keeper = keepLedger(
      {
        ...memoryStore(),
        async pruneRuns(what) {
          pruned.push(what);
          throw new Error('disk full'); // It is tried again all the same.
        },
      },
      { maxBytes: 5 },
    );
    const prunedAfter = async (count: number): Promise<number> => {
      keeper.wrote(count);
      await keeper.settled();
      return pruned.length;
    };
    expect(await prunedAfter(1)).toBe(1);
    expect(await prunedAfter(999)).toBe(1);
    expect(await prunedAfter(1)).toBe(2);
    vi.advanceTimersByTime(3_599_999);
    expect(await prunedAfter(1)).toBe(2);
    vi.advanceTimersByTime(1);
    expect(await prunedAfter(1)).toBe(3);
    expect(pruned[0]).toEqual({ keepBytes: 5 });
    vi.useRealTimers();
  });

  test('the ledger of a busy thread stays near `maxBytes`', async () => {
    const store = memoryStore();
    const kit = createKit(store);
    const { runtime, thread } = await kit.thread({ policies: [watch], ledger: { maxBytes: 10_000 } });
    for (let i = 0; i < 1_200; i++) await thread.inject({ role: 'user', content: 'x' });
    await expect.poll(async () => (await runtime.ledger.runs()).length).toBeLessThan(300);
    await kit.close();
  });

  test('`off` writes no runs, and listeners still hear of them', async () => {
    const path = newFile();
    const kit = createKit(sqliteStore({ path }));
    const { thread, runtime, events } = await kit.thread({
      policies: [stamp],
      ledger: 'off',
      script: ['done'],
    });
    await thread.send('go');
    expect(await runtime.ledger.runs()).toEqual([]);
    expect(events.filter(({ type }) => type === 'hook_run')).toHaveLength(2);
    await kit.close();
  });

  test('a file without a ledger is smaller', async () => {
    const size = async (ledger?: 'off'): Promise<number> => {
      const path = newFile();
      const kit = createKit(sqliteStore({ path, synchronous: 'NORMAL' }));
      const { thread } = await kit.thread({ policies: [stamp, watch], ...(ledger && { ledger }) });
      for (let i = 0; i < 200; i++) await thread.inject({ role: 'user', content: 'x'.repeat(50) });
      await kit.close();
      return statSync(path).size;
    };
    expect(await size('off')).toBeLessThan(0.8 * (await size()));
  });

  test('an option that is none is refused at once', () => {
    const create = (ledger: never) => () => createRuntime({ agents: [], prompts: [], models: {}, ledger });
    expect(create({ keep: '30 days' } as never)).toThrow(
      /ledger.keep must be a duration of 0 or more.+Did you mean "30d"\?$/,
    );
    expect(create({ maxBytes: -1 } as never)).toThrow(/ledger.maxBytes/);
  });
});

describe("`trace: 'values'`", () => {
  const secret = 'correct horse';

  onBothStores('without it no entry has data, with it each has what the hook had', async ({ thread }) => {
    const failing = defineHook({
      hook: 'after_create_message',
      id: 'failing',
      execute: async (_state, message) => {
        throw new Error(`cannot read ${message.content}`);
      },
    });
    const policies = [stamp, failing];
    const plain = await thread({ policies });
    await plain.thread.inject({ role: 'user', content: secret });
    expect(JSON.stringify(await plain.thread.runs())).not.toContain(secret);

    const traced = await thread({ policies, trace: 'values' });
    await traced.thread.inject({ role: 'user', content: secret });
    expect(await traced.thread.runs()).toMatchObject([
      {
        id: 'stamp',
        values: { before: { content: secret }, after: { content: secret, metadata: { seen: true } } },
      },
      { id: 'failing', values: { before: { content: secret }, error: `Error: cannot read ${secret}` } },
    ]);
    expect((await traced.thread.runs())[1]?.values).not.toHaveProperty('after');
  });

  onBothStores('what is too long is named, not kept', async ({ thread }) => {
    const { thread: one } = await thread({ policies: [watch], trace: 'values' });
    await one.inject({ role: 'user', content: 'x'.repeat(300_000) });
    expect((await one.runs())[0]?.values).toEqual({ leftOut: ['before'] });
  });
});
