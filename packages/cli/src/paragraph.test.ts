import { expect, test } from 'vitest';
import { writeParagraph } from './paragraph.ts';

const text = 'This hook allows what it guards if it times out, or cannot be started.';

test('a paragraph breaks at words, each line as far in as its first', () => {
  expect(writeParagraph(text, { indent: '    ', width: 40 })).toBe(
    '    This hook allows what it guards if\n    it times out, or cannot be started.',
  );
  expect(writeParagraph(`One line.\n  ${text}`, { width: 40 })).toBe(
    'One line.\n  This hook allows what it guards if it\n  times out, or cannot be started.',
  );
});

test('a paragraph has no width where nobody says one', () => {
  expect(writeParagraph(text, { indent: '  ', width: Number.POSITIVE_INFINITY })).toBe(`  ${text}`);
});

test('a word that is longer than the line stays whole, and colours take no room', () => {
  const path = 'a/very/long/path/to/a/file.json';
  expect(writeParagraph(`See ${path} there.`, { width: 20 })).toBe(`See\n${path}\nthere.`);
  const red = (word: string): string => `\u001b[31m${word}\u001b[39m`;
  expect(writeParagraph(`${red('aaaa')} ${red('bbbb')} cccc`, { width: 9 })).toBe(
    `${red('aaaa')} ${red('bbbb')}\ncccc`,
  );
});

test('blanks inside of a line stay as they are', () => {
  expect(writeParagraph('a  b   c', { width: 40 })).toBe('a  b   c');
  expect(writeParagraph('aaaa  bbbb  cccc', { width: 10 })).toBe('aaaa  bbbb\ncccc');
});

test('characters of two columns count twice', () => {
  expect(writeParagraph('日本 日本 日本', { width: 9 })).toBe('日本 日本\n日本');
});
