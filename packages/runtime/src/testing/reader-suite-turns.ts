import { holds, refused, same } from '@spec/hooks/testing';
import { fillToRead, type ReaderCase, readAll } from './reader-suite-case.ts';
import { message, noFence, run, t } from './store-suite-samples.ts';

/** Requirements on turns, search and series. */
export const turnCases: readonly ReaderCase[] = [
  {
    name: 'turns come newest first, with their sums and their end',
    async run({ store, records }) {
      await fillToRead(store);
      const place = { threadId: t, step: 1, ms: 2 };
      const end = { ...place, turnId: 'turn-2', at: 1_060, kind: 'end', status: 'completed' } as const;
      const model = { ...place, turnId: 'turn-2', at: 1_055, kind: 'model', model: 'main' } as const;
      await store.append(t, noFence, { runs: [run('outside', { turnId: null })], marks: [model, end] });
      await store.append(t, noFence, { marks: [{ ...end, turnId: 'turn-3', at: 2_000, status: 'failed' }] });
      for (const size of [1, 2, 10]) {
        const cards = await readAll((cursor) => records.turns(t, { size, cursor }));
        same(
          cards.map(({ turnId, runs, modelCalls }) => [turnId, runs, modelCalls]),
          [
            ['turn-3', 0, 0],
            ['turn-2', 6, 1],
            ['turn-1', 4, 0],
          ],
          `turns, ${size} at a time`,
        );
        same([cards[1]?.end, cards[2]?.end], [end, null], 'their ends');
        same(cards[1]?.outcomes, { changed: 6 }, 'their outcomes');
        holds((cards[1]?.from ?? 0) < 1_060 && cards[1]?.to === 1_060, 'their times');
      }
      const turn = await records.turn(t, 'turn-2');
      same(turn.marks, [model, end], 'the marks of a turn');
      const runs = (await store.listRuns({ threadId: t, turnId: 'turn-2' })).map(
        ({ values: _, ...entry }) => entry,
      );
      same(turn.runs, runs, 'the runs of a turn');
      same(await records.turn(t, 'none'), { runs: [], marks: [] }, 'an unknown turn');
      same(await records.turns('none', { size: 1 }), { items: [], next: null }, 'an unknown thread');
    },
  },
  {
    name: 'a text is found in contents and calls, newest first',
    async run({ store, records }) {
      await fillToRead(store);
      const calls = JSON.stringify([
        { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":"50%_x"}' } },
      ]);
      await store.append('other', noFence, {
        messages: [
          message('o1', { role: 'assistant', content: null, tool_calls: calls }),
          message('o2', { content: `before ÄTEXT\ud800 \\ ${'after '.repeat(50)}` }),
        ],
      });
      const find = async (query: object) => {
        const hits = await readAll((cursor) =>
          records.search({ text: 'text', size: 2, clip: 20, cursor, ...query }),
        );
        return hits.map(({ threadId, messageId }) => `${threadId}:${messageId}`);
      };
      const inThread = ['m5', 'm4', 'm3', 'm2', 'm1'].map((id) => `${t}:${id}`);
      same(await find({}), ['other:o2', ...inThread], 'all');
      same(await find({ text: 'TEXT OF M2' }), [`${t}:m2`], 'in another case');
      same(await find({ threadId: t }), inThread, 'in one thread');
      same(await find({ threadId: 'none' }), [], 'in an unknown thread');
      same(await find({ text: '50%_X' }), ['other:o1'], 'in a call');
      same(await find({ text: '%' }), ['other:o1'], 'a wildcard is a text');
      same(await find({ text: '\\' }), ['other:o2', 'other:o1'], 'a backslash');
      same(await find({ text: 'nowhere' }), [], 'what is not there');
      const [hit] = (await records.search({ text: 'ätext', size: 1, clip: 20 })).items;
      same(hit, undefined, 'other letters keep their case');
      const { items } = await records.search({ text: 'Text', size: 1, clip: 10 });
      same([items[0]?.field, items[0]?.excerpt.slice(items[0].at).slice(0, 4)], ['content', 'TEXT'], 'a hit');
      await refused(records.search({ text: '', size: 1, clip: 1 }), 'invalid_input', 'no text');
    },
  },
  {
    name: 'a series has a bucket for each part of a time',
    async run({ store, records }) {
      await fillToRead(store);
      const series = await records.series({ since: 1_000, until: 1_060, buckets: 3, threadId: t });
      same(
        series.map(({ from, runs }) => [from, runs]),
        [
          [1_000, 3],
          [1_020, 3],
          [1_040, 2],
        ],
        'runs of each',
      );
      const [all] = await records.series({ since: 0, until: 9_999, buckets: 1, id: 'r3' });
      const [sum] = await records.stats({ id: 'r3', threadId: t });
      same([all?.runs, all?.p50, all?.outcomes], [2, 0.25, { changed: 1, denied: 1 }], 'all in one');
      same(sum?.p50, 3, 'of one thread');
      for (const buckets of [0, 501, 1.5])
        await refused(records.series({ since: 0, until: 1, buckets }), 'invalid_input', 'buckets');
      await refused(records.series({ since: 1, until: 1, buckets: 1 }), 'invalid_input', 'no time');
    },
  },
];
