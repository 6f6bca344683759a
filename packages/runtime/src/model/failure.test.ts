import { expect, test } from 'vitest';
import { readFailure } from './failure.ts';

const SECRET = 'sk-123';

function fetchFailed(code: string): Error {
  const cause = Object.assign(new Error(SECRET), { code });
  return Object.assign(new Error('Cannot connect', { cause: new TypeError('fetch failed', { cause }) }), {
    isRetryable: true,
  });
}

test.each([
  [fetchFailed('ECONNREFUSED'), { how: 'it could not be reached (ECONNREFUSED)', mayPass: true }],
  [fetchFailed('ENOTFOUND'), { how: 'it could not be reached (ENOTFOUND)', mayPass: false }],
  [fetchFailed(SECRET), { how: 'its provider reported an error', mayPass: true }],
  [fetchFailed('toString'), { how: 'its provider reported an error', mayPass: true }],
  [{ statusCode: 401 }, { how: 'HTTP 401 (check the API key)', mayPass: false }],
  [{ statusCode: 404 }, { how: 'HTTP 404 (check the base URL and the name of the model)', mayPass: false }],
  [{ statusCode: 503 }, { how: 'HTTP 503', mayPass: true }],
  [
    { statusCode: 503, isRetryable: false },
    { how: 'HTTP 503', mayPass: false },
  ],
  [
    { statusCode: 429, responseHeaders: { 'retry-after': '2' } },
    { how: 'HTTP 429', mayPass: true, retryAfterMs: 2_000 },
  ],
  [
    { statusCode: 429, responseHeaders: { 'retry-after-ms': '50', 'retry-after': '2' } },
    { how: 'HTTP 429', mayPass: true, retryAfterMs: 50 },
  ],
  [
    { statusCode: 429, responseHeaders: { 'retry-after': SECRET } },
    { how: 'HTTP 429', mayPass: true },
  ],
  [new Error(SECRET), { how: 'its provider reported an error', mayPass: false }],
  ['text', { how: 'its provider reported an error', mayPass: false }],
  [undefined, { how: 'its provider reported an error', mayPass: false }],
])('%o is read as what it says, without its text', (error, failure) => {
  expect(readFailure(error)).toEqual(failure);
});

test('a date says how long to wait', () => {
  const after = new Date(Date.now() + 60_000).toUTCString();
  const { retryAfterMs } = readFailure({ statusCode: 503, responseHeaders: { 'retry-after': after } });
  expect(retryAfterMs).toBeGreaterThan(50_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});

test('an error that throws when it is read is one that says nothing', () => {
  const error = new Proxy(new Error(SECRET), {
    get() {
      throw new Error(SECRET);
    },
  });
  expect(readFailure(error)).toEqual({ how: 'its provider reported an error', mayPass: false });
});
