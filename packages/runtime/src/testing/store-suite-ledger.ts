import type { LedgerFilter } from '../store.ts';
import { refused, same } from './store-suite-assert.ts';
import type { StoreCase } from './store-suite-case.ts';
import { hardTexts, message, noFence, run, t, thread } from './store-suite-samples.ts';

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
        run('next', {
          turnId: 'turn-2',
          step: 2,
          code: 'hook_timed_out',
          why: 'timeout',
          outcome: 'timed_out',
        }),
        ...hardTexts.map((text, index) => run(`hard-${index}`, { turnId: `turn ${text}`, source: text })),
      ];
      await store.append(t, noFence, { runs: entries });
      same(await store.listRuns(), entries, 'listRuns');
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
];
