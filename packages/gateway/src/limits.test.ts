import { expect, test } from 'vitest';
import { readLimits } from './limits.ts';

test('the limits are those that their types tell, where nobody says otherwise', () => {
  expect(readLimits({})).toEqual({
    start: 60_000,
    firstAnswer: 8_000,
    call: 120_000,
    total: 3_600_000,
    person: 600_000,
    resultCharacters: 10_000_000,
    calls: 256,
  });
});

test('times are given in milliseconds or in words, counts as numbers', () => {
  expect(readLimits({ call: '3m', start: 500, calls: 2 })).toMatchObject({
    call: 180_000,
    start: 500,
    calls: 2,
  });
});
