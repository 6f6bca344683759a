import { expect, test } from 'vitest';
import { parseOrText } from './json.ts';

const values = [null, true, false, 0, -1.5, 1e21, '', 'a "b"', [], [[]], [[[1]]], {}, { a: [{ b: null }] }];

test.each(values.flatMap((value) => [JSON.stringify(value), ` \n\t${JSON.stringify(value, null, 2)} `]))(
  'what is JSON is its value: %j',
  (json) => {
    expect(parseOrText(json)).toEqual(JSON.parse(json));
  },
);

test.each([
  ...[
    '',
    ' ',
    'sent',
    '[MAIL]: sent',
    '[ ',
    '[[x]]',
    '{',
    '{ a: 1 }',
    '-',
    '12 items',
    'nullable',
    '"open',
    'true story',
  ],
])('what is none is the text: %j', (text) => {
  expect(parseOrText(text)).toBe(text);
});
