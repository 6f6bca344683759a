import type { TurnMark } from '@spec/hooks';
import { expect, test } from 'vitest';
import type { NamedRun } from '../src/api.ts';
import { layOutTurn, shareTimes } from '../src/page/lib/timeline.ts';

const origin = { threadId: 't', turnId: 'u', step: 1 };
const second = 1_000_000;
const start = 1_790_000_000 * second;

const run = (id: string, at: number, ms: number, outcome: NamedRun['outcome'] = 'ok'): NamedRun => ({
  ...{ ...origin, run: id, hook: 'before_tool_call', id, source: 'policy', outcome, changed: false },
  ...{ at: start + at * second, ms, sizeBefore: 1, sizeAfter: 1 },
});
const ask: TurnMark = {
  ...origin,
  kind: 'ask',
  about: 'tool_call',
  allowed: true,
  at: start + 95 * second,
  ms: 94_000,
};
const tool: TurnMark = {
  ...origin,
  kind: 'tool',
  call: 'c',
  tool: 'fetch_page',
  status: 'success',
  at: start + 96 * second,
  ms: 1_000,
};
const end: TurnMark = { ...origin, kind: 'end', status: 'completed', at: start + 96 * second, ms: 96_000 };
const turn = { runs: [run('guard', 1, 1_000), run('other', 1, 0, 'skipped')], marks: [ask, tool, end] };

test('the time in which a person is asked is drawn short, and all else by how long it took', () => {
  const { bars, folds, ms, place } = layOutTurn(turn, false);
  expect(bars.map(({ name }) => name)).toEqual(['guard', 'a person', 'fetch_page']);
  expect(ms).toBe(96_000);
  expect(folds).toEqual([{ from: start + second, to: start + 95 * second }]);
  expect([0, 1, 95, 96].map((at) => place(start + at * second))).toEqual([
    0,
    expect.closeTo(0.48),
    expect.closeTo(0.52),
    expect.closeTo(1),
  ]);
  expect(shareTimes(bars)).toEqual([
    ['hook', 0.5],
    ['model', 0],
    ['tool', 0.5],
  ]);
});

test('unfolded it has the length that it took, and a turn without times is empty', () => {
  const { folds, place } = layOutTurn(turn, true);
  expect(folds).toEqual([]);
  expect(place(start + 48 * second)).toBeCloseTo(0.5);
  expect(layOutTurn({ runs: [], marks: [] }, false)).toMatchObject({ bars: [], folds: [], ms: 0 });
  expect(shareTimes([])).toEqual([]);
});
