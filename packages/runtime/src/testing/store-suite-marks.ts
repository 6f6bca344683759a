import type { TurnMark } from '@spec/hooks';
import { refused, same } from '@spec/hooks/testing';
import type { StoreCase } from './store-suite-case.ts';
import { hardTexts, message, noFence, run, t, thread } from './store-suite-samples.ts';

const place = { threadId: t, turnId: 'turn-1', step: 1, at: 2_000, ms: 1.5 } as const;

/** One of each kind, with and without what may be absent. */
const samples: readonly TurnMark[] = [
  { ...place, kind: 'model', model: 'main' },
  {
    ...place,
    at: 1_000,
    step: 3,
    kind: 'model',
    model: 'main',
    code: 'model_failed',
    inputTokens: 0,
    outputTokens: 12,
    sent: { request: 5, stored: 3, leftOut: 30, left: ['turn-1.1.answer', 'tt', 'm1', ...hardTexts] },
  },
  { ...place, step: 0, kind: 'tool', call: 'call-1', tool: 'get_payment', status: 'success' },
  { ...place, kind: 'tool', call: '', tool: 'x', status: 'error' },
  { ...place, kind: 'ask', about: 'tool_call', call: 'call-1', allowed: true },
  { ...place, kind: 'ask', about: 'user_message', allowed: false },
  { ...place, kind: 'end', status: 'completed' },
  { ...place, kind: 'end', status: 'failed', code: 'hook_failed' },
];

const end = (turnId: string | null, at: number): TurnMark => ({
  ...place,
  turnId,
  at,
  kind: 'end',
  status: 'completed',
});

export const markCases: readonly StoreCase[] = [
  {
    name: 'a mark comes back as it was recorded, with runs and without',
    async run(store) {
      await store.createThread(thread());
      await store.createThread(thread({ id: 'other' }));
      const runs = [run('a', { turnId: 'turn-1', step: 2 }), run('b', { turnId: 'turn-2' })];
      await store.append(t, noFence, { messages: [message('m1')], runs, marks: samples });
      const alone = [
        ...hardTexts.map((text, index) => end(`turn ${text}`, index)),
        end(null, 7),
        { ...end(null, 8), step: 4 },
      ];
      await store.append(t, noFence, { marks: alone });
      same(await store.listMarks(t, 'turn-1'), samples, 'of one turn');
      same((await store.listMarks(t)).length, samples.length + alone.length, 'of the thread');
      for (const mark of alone)
        if (mark.turnId !== null) same(await store.listMarks(t, mark.turnId), [mark], 'of a hard turn');
      same(await store.listRuns(), runs, 'runs beside them');
      same((await store.pageRuns(t, { size: 10 })).runs, runs, 'a page of runs beside them');
      same(await store.listMarks('other'), [], 'of another thread');
      same(await store.listMarks('unknown'), [], 'of an unknown thread');
      await store.deleteMessage(t, noFence, 'm1');
      same(await store.listMarks(t, 'turn-1'), samples, 'after its message went');
      await store.deleteThread(t, noFence);
      same(await store.listMarks(t), [], 'after its thread went');
    },
  },
  {
    name: 'marks of a repeated append are not stored again, and what is none is refused',
    async run(store) {
      await store.createThread(thread());
      const append = { messages: [message('m1')], marks: [end('turn-1', 1)] };
      await store.append(t, noFence, append);
      await store.append(t, noFence, append);
      same(await store.listMarks(t), [end('turn-1', 1)], 'repeated');
      const bad: readonly [string, object][] = [
        ['of another thread', { ...end('a', 1), threadId: 'other' }],
        ['of an unknown kind', { ...end('a', 1), kind: 'start' }],
        ['with an odd status', { ...end('a', 1), status: 'done' }],
        ['without a call', { ...place, kind: 'tool', tool: 'x', status: 'error' }],
        ['with a time that is none', { ...end('a', 1), at: Number.NaN }],
        ['with an odd list', { ...samples[1], sent: { request: 1, stored: 1, leftOut: 1, left: [1] } }],
      ];
      for (const [what, mark] of bad)
        await refused(
          store.append(t, noFence, { marks: [mark as never] }),
          'invalid_input',
          `a mark ${what}`,
        );
      same((await store.listMarks(t)).length, 1, 'after the refusals');
    },
  },
  {
    name: 'pruning takes old marks with old runs',
    async run(store) {
      await store.createThread(thread());
      const at = (time: number) => ({
        runs: [run(`r${time}`, { turnId: 'turn-1', at: time })],
        marks: [end('turn-1', time), { ...end('turn-1', time + 5), ms: 2 }],
      });
      await store.append(t, noFence, at(10));
      await store.append(t, noFence, { marks: [end('turn-2', 12)] });
      await store.append(t, noFence, at(20));
      same(await store.pruneRuns({ before: 15 }), 1, 'runs that went');
      same(
        (await store.listMarks(t)).map((mark) => mark.at),
        [15, 20, 25],
        'marks that stay',
      );
      same(await store.pruneRuns({ before: 22 }), 1, 'runs that went then');
      same(
        (await store.listMarks(t)).map((mark) => mark.at),
        [25],
        'the last mark',
      );
      await store.append(t, noFence, { marks: [end('turn-3', 30)] });
      await store.append(t, noFence, at(40));
      await store.pruneRuns({ keepBytes: 0 });
      same(await store.listMarks(t), [], 'after a pruning to nothing');
    },
  },
];
