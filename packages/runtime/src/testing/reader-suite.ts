import { holds, refused, same } from '@spec/hooks/testing';
import { summariseRuns } from '../stores/run-sums.ts';
import { fillToRead, type ReaderCase, type ReaderCaseSetup, readAll } from './reader-suite-case.ts';
import { turnCases } from './reader-suite-turns.ts';
import { message, noFence, run, t, thread } from './store-suite-samples.ts';

export type { ReaderCase, ReaderCaseSetup } from './reader-suite-case.ts';

/** Options of {@link readerSuite}. */
export interface ReaderSuiteOptions {
  /** The `test` of a test runner: vitest's, node:test's, or another that takes a name and a function that may reject. */
  readonly test: (name: string, run: () => Promise<void>) => unknown;
  /** Opens a new, empty store and a reader of it; called once for each test, which closes both. */
  readonly open: () => ReaderCaseSetup | Promise<ReaderCaseSetup>;
  /** Stands before the name of each test; default `reader`. */
  readonly name?: string;
}

/** Registers one test for each requirement on `Records`. */
export function readerSuite({ test, open, name = 'reader' }: ReaderSuiteOptions): void {
  for (const one of readerCases) {
    test(`${name}: ${one.name}`, async () => {
      const setup = await open();
      try {
        await one.run(setup);
      } finally {
        await setup.records.close();
        await setup.store.close();
      }
    });
  }
}

/** Every requirement on `Records`, each to be run on a store of its own. */
export const readerCases: readonly ReaderCase[] = [
  ...turnCases,
  {
    name: 'runs come in pages, in both orders, as the store lists them',
    async run({ store, records }) {
      await fillToRead(store);
      const filters = [
        {},
        { threadId: t },
        { threadId: 'other' },
        { threadId: 'unknown' },
        { hook: 'before_stop' },
      ];
      const more = [{ id: 'r3' }, { outcome: 'denied' as const }, { turnId: null }, { turnId: 'turn-2' }];
      const times = [{ since: 1_040 }, { until: 1_040 }, { since: 1_010, until: 1_060 }, { since: 9_999 }];
      for (const filter of [...filters, ...more, ...times])
        for (const size of [1, 3, 1_000]) {
          const expected = (await store.listRuns(filter)).map(({ values: _, ...entry }) => entry);
          const oldest = await readAll((cursor) =>
            records.runs({ ...filter, order: 'oldest', size, cursor }),
          );
          same(oldest, expected, `oldest first, ${JSON.stringify(filter)}`);
          const newest = await readAll((cursor) =>
            records.runs({ ...filter, order: 'newest', size, cursor }),
          );
          same(newest, expected.toReversed(), `newest first, ${JSON.stringify(filter)}`);
        }
    },
  },
  {
    name: 'the newest runs of a thread are counted as they are listed, so many as were asked for',
    async run({ store, records }) {
      await fillToRead(store);
      await store.append(t, noFence, { messages: [message('m-quiet')], runs: [] });
      for (const n of Array(60).keys())
        await store.append('other', noFence, {
          runs: [
            run(`q${n}`, { threadId: 'other', at: 3_000 + 2 * n, outcome: n % 7 === 0 ? 'failed' : 'ok' }),
            run(`s${n}`, { threadId: 'other', at: 3_001 + 2 * n, outcome: 'skipped' }),
          ],
        });
      for (const threadId of [t, 'other', 'unknown'])
        for (const size of [0, 1, 4, 10, 11, 121, 125, 1_000]) {
          const all = (await store.listRuns({ threadId })).reverse();
          const outcomes: Record<string, number> = {};
          for (const { outcome } of all.slice(0, size)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          const expected = { runs: Math.min(size, all.length), hasMore: all.length > size, outcomes };
          same(await records.recent(threadId, { size }), expected, `${size} of ${threadId}`);
        }
      await refused(records.recent(t, { size: -1 }), 'invalid_input', 'a size');
    },
  },
  {
    name: 'lists never have values, and the runs of one moment have them',
    async run({ store, records }) {
      await store.createThread(thread());
      const traced = run('traced', { at: 7, values: { before: 'secret' } });
      await store.append(t, noFence, { runs: [run('other', { at: 6 }), traced] });
      const { items } = await records.runs({ order: 'oldest', size: 10 });
      holds(!JSON.stringify(items).includes('secret'), 'a list has values');
      const news = await records.since(await records.cursorAt(0));
      holds(!JSON.stringify(news.runs).includes('secret'), 'what is new has values');
      same(await records.runsAt(7), [traced], 'the runs of one moment');
    },
  },
  {
    name: 'what was stored after a cursor comes once',
    async run({ store, records }) {
      const start = await records.cursorAt();
      await fillToRead(store);
      const all = (await store.listRuns()).map(({ values: _, ...entry }) => entry);
      const first = await records.since(start);
      same(first.runs, all, 'all runs after the first cursor');
      same((await records.since(first.cursor)).runs, [], 'nothing new');
      const end = await records.cursorAt();
      await store.append(t, noFence, { runs: [run('late', { at: 5 })] });
      for (const cursor of [first.cursor, end])
        same((await records.since(cursor)).runs, [run('late', { at: 5 })], 'a run that was stored late');
      same((await records.since(end, { id: 'none' })).runs, [], 'filtered');
      const late = await records.since(await records.cursorAt(1_040), { since: 1_040 });
      same(
        late.runs,
        all.filter(({ at }) => at >= 1_040),
        'from a time on',
      );
    },
  },
  {
    name: 'what is new is told after the newest runs were deleted',
    async run({ store, records }) {
      await fillToRead(store);
      const cursor = await records.cursorAt();
      await store.deleteThread('other', noFence);
      await store.pruneRuns({ keepBytes: 0 });
      same((await records.since(cursor)).runs, [], 'nothing new');
      await store.append(t, noFence, { messages: [message('m-new')], runs: [run('again')] });
      same((await records.since(cursor)).runs, [run('again')], 'what was stored in the place of others');
    },
  },
  {
    name: 'the sums are those of the ledger',
    async run({ store, records }) {
      await fillToRead(store);
      for (const filter of [{}, { threadId: t }, { since: 1_040 }, { id: 'none' }])
        same(
          await records.stats(filter),
          summariseRuns(await store.listRuns(filter)),
          JSON.stringify(filter),
        );
    },
  },
  {
    name: 'the sums follow what is stored and removed between two looks',
    async run({ store, records }) {
      await fillToRead(store);
      const check = async (what: string): Promise<void> =>
        same(await records.stats(), summariseRuns(await store.listRuns()), what);
      await check('at first');
      await store.append(t, noFence, { messages: [message('m-more')], runs: [run('more'), run('more')] });
      await check('after an append');
      await check('the same again');
      await store.pruneRuns({ before: 1_030 });
      await check('without the oldest');
      await store.deleteThread('other', noFence);
      await check('without a thread');
      await store.append(t, noFence, { messages: [message('m-last')], runs: [run('last')] });
      await check('after another append');
      await store.createThread(thread({ id: 'late' }));
      await store.append('late', noFence, { runs: [{ ...run('late'), threadId: 'late' }] });
      await check('with a thread that came after the first look');
      await store.append(t, noFence, { runs: [run('behind')] });
      await check('with a run behind those of that thread');
      await store.deleteThread('late', noFence);
      await check('without that thread');
      await store.pruneRuns({ keepBytes: 0 });
      await store.append(t, noFence, { messages: [message('m-new')], runs: [run('again')] });
      await check('with others in the place of all');
    },
  },
  {
    name: 'threads come newest first, messages in windows with clipped texts',
    async run({ store, records }) {
      await fillToRead(store);
      await store.createThread(thread({ id: 'child', parentId: t, depth: 1, agentId: 'helper' }));
      const list = async (filter: object) =>
        (await readAll((cursor) => records.threads({ size: 1, cursor, ...filter }))).map(({ id }) => id);
      same(await list({}), ['child', 'other', t], 'all threads');
      same(await list({ parentId: null }), ['other', t], 'those without a parent');
      same(await list({ parentId: t }), ['child'], 'children');
      same(await list({ agentId: 'helper' }), ['child'], 'by agent');
      same(await list({ id: 'other' }), ['other'], 'by id');
      const window = async (query: object) =>
        (await records.messages(t, { size: 2, clip: 4, ...query })).map(({ id }) => id);
      same(await window({}), ['m4', 'm5'], 'the newest');
      same(await window({ before: 'm4' }), ['m2', 'm3'], 'before');
      same(await window({ after: 'm1' }), ['m2', 'm3'], 'after');
      same(await window({ after: 'unknown' }), [], 'after an unknown one');
      same(await records.messages('unknown', { size: 2, clip: 4 }), [], 'of an unknown thread');
      const [card] = await records.messages(t, { size: 1, clip: 4 });
      same([card?.content, card?.contentSize], ['text', 'text of m5'.length], 'a clipped text');
    },
  },
  {
    name: 'the version moves with what others store',
    async run({ store, records }) {
      const before = await records.version();
      same(await records.version(), before, 'the version of a store at rest');
      await store.createThread(thread());
      holds((await records.version()) !== before, 'the version did not move');
    },
  },
  {
    name: 'what cannot be taken is refused',
    async run({ records }) {
      for (const cursor of ['', 'x', '1.x', '-1', '1.2.3']) {
        await refused(
          records.runs({ order: 'newest', size: 1, cursor }),
          'invalid_input',
          'a cursor of runs',
        );
        await refused(records.threads({ size: 1, cursor }), 'invalid_input', 'a cursor of threads');
        await refused(records.since(cursor), 'invalid_input', 'a cursor of news');
      }
      await refused(records.runs({ order: 'newest', size: -1 }), 'invalid_input', 'a size');
      await records.close();
      await refused(records.version(), 'closed', 'a closed reader');
    },
  },
];
