import { expect, test } from 'vitest';
import { compareTexts } from './compare-texts.ts';

const write = (before: string, after: string): string =>
  compareTexts(before, after)
    .flatMap(({ parts }) => parts)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
    .join('');

test('words that stand beside each other and were replaced are one change, with the blank between them', () => {
  expect(write('Paid by old card today.', 'Paid by new account today.')).toBe(
    'Paid by [-old card-]{+new account+} today.',
  );
  expect(write('Card 4111 1111 1111 1111.', 'Card [CARD].')).toBe('Card [-4111 1111 1111 1111-]{+[CARD]+}.');
  expect(write('Paid by 4111 1111 1111 1111 on Monday.', 'Paid by [CARD] on Monday.')).toBe(
    'Paid by [-4111 1111 1111 1111-]{+[CARD]+} on Monday.',
  );
  expect(write('Ask Ann today', 'Ask our good neighbour today')).toBe(
    'Ask [-Ann-]{+our good neighbour+} today',
  );
  expect(write('one two three', 'four five six')).toBe('[-one two three-]{+four five six+}');
});

test('what was only added, only removed, or stands on another line is a change of its own', () => {
  expect(write('a b', 'a new b')).toBe('a {+new +}b');
  expect(write('a old b', 'a b')).toBe('a [-old -]b');
  expect(write('one\ntwo', 'three\nfour')).toBe('[-one-]{+three+}\n[-two-]{+four+}');
});

test.each([
  ['a b c d', 'x b y z d'],
  ['  a  b ', ' c  d  '],
  ['one two, three four.', 'two one, four three.'],
  ['', 'something new'],
  ['a\t\tb c', 'd\t\te'],
])('the parts make the text before and the text after: %j, %j', (before, after) => {
  const parts = compareTexts(before, after).flatMap((change) => change.parts);
  const join = (left: 'added' | 'removed'): string =>
    parts
      .filter(({ kind }) => kind !== left)
      .map(({ text }) => text)
      .join('');
  expect([join('added'), join('removed')]).toEqual([before, after]);
});
