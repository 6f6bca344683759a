import { expect, test } from 'vitest';
import { type Done, leaveOutCarriers } from './carried.ts';

const carried = { carriers: new Set(['around']), members: new Set(['entry', 'other']) };
const done = (id: string, outcomes: Done['outcomes'], changed = 0, hook = 'before_tool_call'): Done => ({
  hook,
  id,
  changed,
  outcomes,
});
const left = (...all: Done[]): string[] => leaveOutCarriers(all, carried).map(({ id }) => id);

test('a hook is left out where its entries say all that it did', () => {
  expect(
    left(done('entry', { denied: 2 }), done('own', { ok: 1 }), done('around', { denied: 2, ok: 5 })),
  ).toEqual(['entry', 'own']);
  expect(
    left(done('entry', { ok: 1 }), done('other', { changed: 1 }, 1), done('around', { changed: 1 }, 1)),
  ).toEqual(['entry', 'other']);
});

test.each<[string, Done, Done]>([
  ['it failed, and no entry did', done('entry', { ok: 1 }), done('around', { timed_out: 1 })],
  ['it denied more often', done('entry', { denied: 1 }), done('around', { denied: 2 })],
  ['it changed what no entry did', done('entry', { ok: 1 }), done('around', { changed: 1 }, 1)],
  ['no entry of this event ran', done('entry', { ok: 1 }, 0, 'before_stop'), done('around', { ok: 1 })],
  ['what ran beside it is no entry', done('own', { denied: 1 }), done('around', { denied: 1 })],
])('a hook stays where %s', (_, entry, around) => {
  expect(left(entry, around)).toEqual([entry.id, 'around']);
});
