import { type JSONPath, type ParseError, parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { appendItem, cutItem } from './edit-json.ts';

const read = (text: string): unknown => {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : `no JSON: ${text}`;
};

const comments = (text: string): string[] => text.match(/\/\/[^\r\n]*|\/\*.*?\*\//gs) ?? [];

test.each<[why: string, text: string, path: JSONPath, left: unknown]>([
  ['a comment in front of the only item', '[ // none yet\n  1\n]', [0], []],
  ['and no line break behind it', '[ // none yet\n1]', [0], []],
  ['and no line break in front of a comment behind it', '[ // one\n1 /* two */]', [0], []],
  [
    'a comment in front of the only property',
    '{ "a": { // none yet\n    "b": 1\n  } }',
    ['a', 'b'],
    { a: {} },
  ],
  ['a comma in a comment behind the first item', '[1 /* a, b */, 2]', [0], [2]],
  ['a comma in a comment in front of the last item', '[1, /* a, b */ 2]', [1], [1]],
  ['a comma in a line comment', '[1, // a, b\n 2]', [1], [1]],
  ['a comment in front of the comma', '[1 // a, b\n , 2 // c\n]', [1], [1]],
  ['a trailing comma behind a comment', '[1 /* a, b */ , // c\n]', [0], []],
  ['a trailing comma behind the last item', '[1, 2 /* a */ ,]', [1], [1]],
  ['a comma in a text', '{ "a,": ",", "b": 1 // ,\n}', ['b'], { 'a,': ',' }],
])('what is cut leaves JSON with its comments: %s', (_, text, path, left) => {
  const rest = cutItem(text, path);
  expect(read(rest)).toEqual(left);
  expect(comments(rest)).toEqual(comments(text));
});

test.each([
  '[]',
  '[\n  1\n]',
  '[1]',
  '{ "a": 1, "list": [ // none yet\n  ] }',
  '{\r\n\t"list": [\r\n\t\t1 // one, two\r\n\t]\r\n}',
  '{ "list": [1, /* a, b */] }',
])('what is added and cut again leaves no trace: %j', (text) => {
  const path = text.startsWith('[') ? [] : ['list'];
  const added = appendItem(text, path, { new: true });
  const count = (read(text) as { list?: unknown[] }).list?.length ?? (read(text) as unknown[]).length;
  expect(cutItem(added, [...path, count])).toBe(text);
});
