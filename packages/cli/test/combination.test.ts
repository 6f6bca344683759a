import type { Strategy } from '@spec/commands';
import type { LifecycleName } from '@spec/hooks';
import { expect, test } from 'vitest';
import { afterDeny, combineExplained } from '../src/explain/combination.ts';
import type { Explained } from '../src/explain/explained.ts';

type Said = 'allow' | 'deny' | 'ask' | 'open' | null;

/** Entries of one file, in their order, by what is certain of them. */
function makeEntries(says: readonly Said[], strategy?: Strategy): Explained[] {
  return says.map((say, i) => {
    const known = { id: `e${i + 1}`, from: 'settings', runsIn: 'file' } as Explained['known'];
    const opinion = say === 'open' ? say : { decision: say, reason: say && `because ${i + 1}` };
    return {
      known,
      runs: true,
      why: '',
      opinion,
      onError: 'block',
      ...(strategy === undefined ? {} : { strategy }),
    };
  });
}

const combineDecisions = (says: readonly Said[], strategy?: Strategy): unknown[] => {
  const { decision, by, reason } = combineExplained(makeEntries(says, strategy), 'before_tool_call');
  return [decision, by, reason];
};

test('a deny is certain whatever stands beside it; what is less strict only where nothing is open', () => {
  expect(combineDecisions(['allow', 'deny', 'ask'])).toEqual(['deny', 'e2', 'because 2']);
  expect(combineDecisions(['allow', 'ask'])).toEqual(['ask', 'e2', 'because 2']);
  expect(combineDecisions([null, 'allow'])).toEqual(['allow', 'e2', 'because 2']);
  expect(combineDecisions(['allow', 'open'])).toEqual([null, null, null]);
  expect(combineDecisions(['open', 'ask'])).toEqual([null, null, null]);
});

test('who denies is certain where none before may do so first, and why where none beside may', () => {
  expect(combineDecisions(['open', 'deny'])).toEqual(['deny', null, null]);
  expect(combineDecisions(['deny', 'open'], 'parallel')).toEqual(['deny', 'e1', null]);
  expect(combineDecisions(['deny', 'deny'], 'parallel')).toEqual(['deny', 'e1', null]);
  expect(combineDecisions(['deny', 'allow'], 'parallel')).toEqual(['deny', 'e1', 'because 1']);
  expect(combineDecisions(['deny', 'open'], 'serial')).toEqual(['deny', 'e1', 'because 1']);
});

test('where the first decision counts, nothing behind one that decides or may decide is certain', () => {
  expect(combineDecisions(['ask', 'deny'], 'first-decision')).toEqual(['ask', 'e1', 'because 1']);
  expect(combineDecisions(['open', 'deny'], 'first-decision')).toEqual([null, null, null]);
  expect(combineDecisions([null, 'deny'], 'first-decision')).toEqual(['deny', 'e2', 'because 2']);
});

const listRunning = (says: readonly Said[], hook: LifecycleName, strategy: Strategy): unknown[] =>
  afterDeny(makeEntries(says, strategy), hook).map(({ runs, opinion }) => [runs, opinion === 'open']);

test('behind a deny runs what was started with it, and at the end of a turn what is asked one after another', () => {
  const [runs, not] = [
    [true, false],
    [false, false],
  ];
  expect(listRunning(['deny', 'allow'], 'before_tool_call', 'serial')).toEqual([runs, not]);
  expect(listRunning(['deny', 'allow'], 'before_tool_call', 'parallel')).toEqual([runs, runs]);
  expect(listRunning(['deny', 'allow'], 'before_stop', 'serial')).toEqual([runs, runs]);
  expect(listRunning(['deny', 'open'], 'before_stop', 'first-decision')).toEqual([runs, not]);
});
