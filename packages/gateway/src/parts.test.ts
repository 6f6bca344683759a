import { expect, test } from 'vitest';
import { joinParts, splitParts } from './parts.ts';

const join = (texts: readonly string[]): string => joinParts(texts.map((text) => ({ text })));

test.each([
  [['one', 'two', 'three']],
  [['', '', '']],
  [['\n', '\n--- part', ' ---\n']],
  [['a line of another: \n--- part 3 of 3 ---\n, before its place', 'two', 'three']],
  [['\n--- part 3 of 3 ---', 'two', 'three']],
  [['\n--- part 02 of 3 ---\n', '\n--- part 9 of 3 ---\n', '\n--- part 1 of 3 ---\n']],
])('what was joined is parted again: %j', (texts) => {
  expect(splitParts(join(texts), texts.length)).toEqual(texts);
});

test.each([
  ['a line is gone', 'one\n--- part 3 of 3 ---\nthree'],
  ['a line comes twice', join(['one\n--- part 2 of 3 ---\n', 'two', 'three'])],
  ['a line comes again later', join(['one', 'two', 'three\n--- part 2 of 3 ---\n'])],
  ['two lines share their break', 'one\n--- part 2 of 3 ---\n--- part 3 of 3 ---\nthree'],
])('nothing is told of parts where %s', (_, text) => {
  expect(splitParts(text, 3)).toBeUndefined();
});
