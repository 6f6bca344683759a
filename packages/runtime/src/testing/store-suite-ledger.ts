import { holds, refused, same } from '@spec/hooks/testing';
import type { LedgerEntry, LedgerFilter, Store } from '../stores/store.ts';
import type { StoreCase } from './store-suite-case.ts';
import { hardTexts, listMessageIds, message, noFence, run, t, thread } from './store-suite-samples.ts';

export const ledgerCases: readonly StoreCase[] = [
  {
    name: 'a run comes back as it was recorded',
    async run(store) {
      await store.createThread(thread());
      const entries = [
        run('plain'),
        run('failed', { outcome: 'failed', code: 'hook_failed', changed: false }),
        run('skipped', { outcome: 'skipped', why: 'matcher: tool name', changed: false, ms: 0 }),
        run('resting', { turnId: null, step: 0, at: 5 }),
        run('traced', { values: { before: { texts: [...hardTexts] }, after: null, leftOut: ['error'] } }),
        run('next', {
          turnId: 'turn-2',
          step: 2,
          code: 'hook_timed_out',
          why: 'timeout',
          outcome: 'timed_out',
        }),
        ...hardTexts.map((text, index) => run(`hard-${index}`, { turnId: `turn ${text}`, source: text })),
        ...hardTexts.map((text, index) => run(`message-${index}`, { about: { message: text } })),
        ...hardTexts.map((text, index) => run(`call-${index}`, { about: { call: text } })),
      ];
      await store.append(t, noFence, { runs: entries });
      same(await store.listRuns(), entries, 'listRuns');
      const bad = run('bad', { values: { before: 1n } });
      await refused(store.append(t, noFence, { runs: [bad] }), 'invalid_input', 'BigInt');
      const odd = { ...run('odd'), more: new Date(0) };
      await refused(
        store.append(t, noFence, { runs: [odd] }),
        'invalid_input',
        'a date in a field of its own',
      );
      for (const about of [{}, { message: 1 }, { message: 'm', call: 'c' }, { other: 'o' }, 'm', null])
        await refused(
          store.append(t, noFence, { runs: [run('about', { about: about as never })] }),
          'invalid_input',
          'a run that is about something else',
        );
      const more = [{ ...run('more'), more: { list: [1] } }];
      await store.append(t, noFence, { runs: more });
      same(await store.listRuns({ id: 'more' }), more, 'a field of its own');
    },
  },
  {
    name: 'runs are listed in the order of their commits, filtered and limited',
    async run(store) {
      await store.createThread(thread());
      await store.createThread(thread({ id: 'other' }));
      const message1 = {
        messages: [message('m1')],
        runs: [run('a'), run('b', { outcome: 'denied', hook: 'before_tool_call' })],
      };
      await store.append(t, noFence, message1);
      await store.append('other', noFence, {
        runs: [run('a', { threadId: 'other', at: 1 }), run('ab', { threadId: 'other' })],
      });
      await store.append(t, noFence, { runs: [run('b'), run('a', { source: '"b"', outcome: 'ok' })] });
      const list = async (filter?: LedgerFilter) =>
        (await store.listRuns(filter)).map(
          (entry) => `${entry.threadId === t ? 't' : 'o'}:${entry.id}:${entry.outcome}`,
        );
      const all = ['t:a:changed', 't:b:denied', 'o:a:changed', 'o:ab:changed', 't:b:changed', 't:a:ok'];
      same(await list(), all, 'all');
      same(await list({ threadId: t }), ['t:a:changed', 't:b:denied', 't:b:changed', 't:a:ok'], 'by thread');
      same(await list({ threadId: 'unknown' }), [], 'by an unknown thread');
      same(await list({ id: 'b' }), ['t:b:denied', 't:b:changed'], 'by id');
      same(await list({ hook: 'before_tool_call' }), ['t:b:denied'], 'by hook');
      same(
        await list({ outcome: 'changed', threadId: t }),
        ['t:a:changed', 't:b:changed'],
        'by outcome and thread',
      );
      same(await list({ limit: 3 }), all.slice(3), 'limit 3');
      same(await list({ id: 'a', limit: 1 }), ['t:a:ok'], 'by id, limit 1');
      same(await list({ limit: 0 }), [], 'limit 0');
      same(await list({ limit: 99 }), all, 'limit 99');
      await refused(list({ limit: -1 }), 'invalid_input', 'limit -1');
    },
  },
  {
    name: 'runs can be asked for by turn and by time',
    async run(store) {
      await store.createThread(thread());
      const entries = [
        run('a', { turnId: 'turn-1', at: 100 }),
        run('b', { turnId: 'turn-2', at: 200 }),
        run('c', { turnId: null, at: 150 }),
        run('d', { turnId: 'turn-1', at: 300 }),
        run('e', { turnId: 'turn-1', at: 250 }),
      ];
      await store.append(t, noFence, { runs: entries });
      const list = async (filter: LedgerFilter) =>
        (await store.listRuns(filter)).map(({ id }) => id).join('');
      same(await list({ turnId: 'turn-1' }), 'ade', 'of a turn');
      same(await list({ turnId: null }), 'c', 'outside of turns');
      same(await list({ turnId: 'turn' }), '', 'of an unknown turn');
      same(await list({ since: 200 }), 'bde', 'since 200');
      same(await list({ until: 200 }), 'ac', 'until 200');
      same(await list({ since: 150, until: 300 }), 'bce', 'since 150 until 300');
      same(
        await list({ turnId: 'turn-1', since: 101, limit: 1, threadId: t }),
        'e',
        'the newest of a turn since 101',
      );
    },
  },
  {
    name: 'the ledger of a thread can be read in pages',
    async run(store) {
      await withLedger(store);
      const read = async (size: number) => {
        const pages: LedgerEntry[][] = [];
        for (let from: number | null | undefined; from !== null; ) {
          const page = await store.pageRuns(t, from === undefined ? { size } : { from, size });
          pages.push(page.runs);
          from = page.next;
          holds(pages.length < 50, `size ${size}: there must be a last page`);
        }
        return pages;
      };
      const all = await store.listRuns({ threadId: t });
      for (const size of [1, 3, 7, 1000]) {
        const pages = await read(size);
        same(pages.flat(), all, `size ${size}`);
        holds(
          pages.every((page) => page.length < size + 10),
          `size ${size}: a page must not be much longer`,
        );
      }
    },
  },
  {
    name: 'old runs can be removed, by time and by size',
    async run(store) {
      await withLedger(store);
      const all = await store.listRuns();
      same(await store.pruneRuns({ before: 1000 }), 0, 'runs before the first');
      same(await store.pruneRuns({ keepBytes: 1_000_000 }), 0, 'runs beyond a megabyte');
      same(await store.pruneRuns({ before: 1010 }), 5, 'runs before the second one of the third append');
      const young = all.filter((entry) => entry.at >= 1010);
      same(await store.listRuns(), young, 'runs that are left by time');
      same(await store.pruneRuns({ before: 1010 }), 0, 'runs before it again');
      const gone = await store.pruneRuns({ keepBytes: 1000 });
      const left = await store.listRuns();
      holds(gone > 0 && left.length > 0, 'some runs must go and some stay');
      same(left, young.slice(gone), 'runs that are left by size');
      same(await store.pruneRuns({ keepBytes: 1000 }), 0, 'runs beyond a kilobyte again');
      same(await store.pruneRuns({ before: 0, keepBytes: 0 }), left.length, 'all that were left');
      same(await store.listRuns(), [], 'runs after all went');
      same(
        await listMessageIds(store),
        ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9'],
        'messages',
      );
      for (const bad of [{}, { keepBytes: -1 }, { before: Number.NaN }])
        await refused(store.pruneRuns(bad), 'invalid_input', JSON.stringify(bad));
    },
  },
];

/** Ten appends of two runs to the thread, at times from 1,001 on, each followed by one to another thread, from 1,500 on. */
async function withLedger(store: Store): Promise<void> {
  await store.createThread(thread());
  await store.createThread(thread({ id: 'other' }));
  for (let n = 0; n < 10; n += 1) {
    const runs = [run(`a${n}`, { at: 1001 + n * 4 }), run(`b${n}`, { at: 1002 + n * 4 })];
    await store.append(t, noFence, { messages: [message(`m${n}`)], runs });
    await store.append('other', noFence, { runs: [run(`c${n}`, { threadId: 'other', at: 1500 + n })] });
  }
}
