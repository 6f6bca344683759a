import { expect, test } from 'vitest';
import { hardTexts, run, t } from '../../testing/store-suite-samples.ts';
import { packRow } from './packed-runs.ts';
import { decodeRuns, encodeRuns, withoutRunsBefore } from './run-row.ts';

const entries = [
  run('a', {
    turnId: 'turn',
    step: 1,
    at: 1_760_000_000_000_500,
    source: 'prompt:p',
    about: { message: 'turn.1.answer' },
  }),
  run('b', {
    turnId: 'turn',
    step: 1,
    at: 1_760_000_000_000_400,
    source: 'prompt:p',
    about: { message: 'turn.1.answer' },
    outcome: 'ok',
    changed: false,
  }),
  run('c', {
    turnId: 'turn',
    step: 3,
    at: 1_760_000_000_001_000,
    source: '',
    why: 'a rule',
    outcome: 'skipped',
  }),
  run('d', {
    turnId: 'turn',
    step: 2,
    at: 1_760_000_000_002_000,
    source: '',
    code: 'hook_failed',
    outcome: 'failed',
  }),
  run('e', {
    turnId: 'turn',
    step: 2,
    at: 1_760_000_000_003_000,
    hook: 'before_stop',
    values: { before: [...hardTexts] },
  }),
] as const;

test('runs of one turn share a row and come back as they were', () => {
  const rows = encodeRuns(entries);
  expect(rows.map(({ turnId, step }) => [turnId, step])).toEqual([['turn', 1]]);
  expect(rows.flatMap((row) => decodeRuns(row, t))).toEqual(entries);
  const others = [
    run('x', { turnId: null }),
    run('y', { at: Number.NaN }),
    run('z', { step: 0.5 }),
    ...entries,
  ];
  expect(encodeRuns(others).map(({ turnId }) => turnId)).toEqual([null, 'turn-1', 'turn-1', 'turn']);
});

test('a run takes few bytes', () => {
  const [row] = encodeRuns(entries.slice(0, 2));
  expect(row?.runs).toBe(
    '[3,["bcm","a","prompt:p","t.1.answer","c",1,0.25,20,18,1760000000000500],["bcm","b",0,0,"ok",0,0.25,20,18,-100]]',
  );
});

test('a row without some of its runs tells the others as before', () => {
  const [row] = encodeRuns(entries);
  for (const [index, { at }] of [...entries].sort((a, b) => a.at - b.at).entries()) {
    const cut = withoutRunsBefore({ turnId: 'turn', runs: row?.runs ?? '' }, at);
    expect(cut.dropped.runs).toBe(index);
    expect(cut.oldest).toBe(at);
    const left = decodeRuns({ turnId: 'turn', step: 1, runs: cut.runs ?? '' }, t);
    expect(left).toEqual(entries.filter((entry) => entry.at >= at));
  }
  expect(withoutRunsBefore({ turnId: 'turn', runs: row?.runs ?? '' }, Number.MAX_SAFE_INTEGER)).toMatchObject(
    {
      runs: null,
      dropped: { data: true },
    },
  );
});

test('what runs are about comes back, whatever the order and the ids', () => {
  const ids = ['turn', 'turn.1.answer', 'tur', '', 'c', ...hardTexts];
  const subjects = ids.flatMap((id) => [{ message: id }, undefined, { call: id }, { call: id }]);
  for (const turnId of ['turn', null, '', '\ud83d']) {
    const runs = [...subjects, ...subjects.toReversed()].map((about, index) =>
      run(`${index}`, { turnId, ...(about && { about }) }),
    );
    const [row, ...more] = encodeRuns(runs);
    expect(more).toEqual([]);
    expect(decodeRuns({ turnId, step: 1, runs: row?.runs ?? '' }, t)).toEqual(runs);
  }
});

test('rows of the second version are read', () => {
  const runs = '["bcm","a","prompt:p","c",1,0.25,20,18,1000],["btc","b",0,"s",0,0,2,2,-100,1,null,"a rule"]';
  expect(decodeRuns({ turnId: 'turn-1', step: 1, runs: `[2,${runs}]` }, t)).toEqual([
    run('a', { source: 'prompt:p', at: 1000 }),
    run('b', {
      source: 'prompt:p',
      hook: 'before_tool_call',
      outcome: 'skipped',
      changed: false,
      ms: 0,
      sizeBefore: 2,
      sizeAfter: 2,
      at: 900,
      step: 2,
      why: 'a rule',
    }),
  ]);
});

test('rows of the first version are read', () => {
  const plain = '["before_create_message","a","policy","changed",1,0.25,20,18,1760000000000003,null,null]';
  const full =
    '["before_tool_call","b","policy","failed",0,1,2,2,7,"hook_failed","a rule",{"values":{"before":1}}]';
  expect(decodeRuns({ turnId: 'turn-1', step: 1, runs: `[${plain},${full}]` }, t)).toEqual([
    run('a'),
    run('b', {
      hook: 'before_tool_call',
      outcome: 'failed',
      changed: false,
      ms: 1,
      sizeBefore: 2,
      sizeAfter: 2,
      at: 7,
      code: 'hook_failed',
      why: 'a rule',
      values: { before: 1 },
    }),
  ]);
  expect(packRow({ turnId: 'turn-1', runs: [run('a')], marks: [] }, 1)).toMatch(/^\[3,/);
});
