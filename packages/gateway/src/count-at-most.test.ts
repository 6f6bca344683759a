import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countAtMost } from './count-at-most.ts';

test('no value has more characters as JSON than are counted', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(countAtMost(value)).toBeGreaterThanOrEqual(JSON.stringify(value).length);
    }),
  );
  for (const text of ['\u0000\u001f"\\\ud800', '\u{1f600}\u2028'])
    expect(countAtMost({ [text]: [text] })).toBeGreaterThanOrEqual(JSON.stringify({ [text]: [text] }).length);
  for (const number of [-Number.MAX_VALUE, Number.MIN_VALUE, -0.000_001_234_567_890_123_456, 1 / 3])
    expect(countAtMost(number)).toBeGreaterThanOrEqual(JSON.stringify(number).length);
});

test('a short text is counted as no more than six times as long', () => {
  expect(countAtMost('order')).toBe(32);
});

test('what is nested too deep is without end', () => {
  let value: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  expect(countAtMost(value)).toBe(Number.POSITIVE_INFINITY);
});
