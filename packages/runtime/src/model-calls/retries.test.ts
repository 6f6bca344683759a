import { expect, test } from 'vitest';
import type { Failure } from '../model/failure.ts';
import { findDelay } from './retries.ts';

const passing = { mayPass: true } as Failure;

test('a call that failed is made again twice, after 2 and 4 seconds, where nobody says otherwise', () => {
  expect([0, 1, 2].map((made) => findDelay(passing, made))).toEqual([2_000, 4_000, undefined]);
});

test('a server may ask for a minute, and no longer, where nobody says otherwise', () => {
  expect(findDelay({ ...passing, retryAfterMs: 60_000 }, 0)).toBe(60_000);
  expect(findDelay({ ...passing, retryAfterMs: 60_001 }, 0)).toBeUndefined();
  expect(findDelay({ ...passing, retryAfterMs: 60_001 }, 0, { maxDelay: '2m' })).toBe(60_001);
});

test('the waits grow to the longest that is allowed', () => {
  const delays = [0, 1, 2, 3, 4, 5].map((made) => findDelay(passing, made, { attempts: 6 }));
  expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
});
