import { expect, test } from 'vitest';
import { MAX_BYTES } from './bounded-fetch.ts';
import { LineBuffer } from './line-buffer.ts';

test.each([1, 2, 3, 7, 1_000])('gives the same lines in pieces of %s bytes', (size) => {
  const text = 'one\ntwo\r\n\nZürich 東京 👩🏽‍💻\nlast';
  const bytes = Buffer.from(text);
  const buffer = new LineBuffer();
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += size) lines.push(...buffer.append(bytes.subarray(at, at + size)));
  expect(lines).toEqual(['one', 'two', '', 'Zürich 東京 👩🏽‍💻']);
  expect(buffer.append(Buffer.from('\n'))).toEqual(['last']);
});

test('refuses a line that is too long, in one piece or in many, and goes on behind it', () => {
  const buffer = new LineBuffer();
  expect(buffer.append(Buffer.alloc(MAX_BYTES, 'x'))).toEqual([]);
  expect(() => buffer.append(Buffer.from('x'))).toThrow(RangeError);
  expect(() => buffer.append(Buffer.alloc(MAX_BYTES + 1, 'x'))).toThrow(RangeError);
  expect(buffer.append(Buffer.from('next\n'))).toEqual(['next']);
});

test('a line in a thousand pieces is put together once', () => {
  const buffer = new LineBuffer();
  const concat = Buffer.concat;
  let copied = 0;
  Buffer.concat = (list, total) => {
    const made = concat(list, total);
    copied += made.length;
    return made;
  };
  try {
    for (let n = 0; n < 1_000; n++) buffer.append(Buffer.alloc(1_000, 'x'));
    expect(buffer.append(Buffer.from('\n'))[0]).toHaveLength(1_000_000);
    expect(copied).toBe(1_000_000);
  } finally {
    Buffer.concat = concat;
  }
});
