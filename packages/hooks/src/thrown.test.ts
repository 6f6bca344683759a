import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { RunError } from './errors.ts';
import { toFailure } from './executor/failure.ts';
import { whereThrown } from './thrown.ts';

const here = /^TypeError at src[/\\]thrown\.test\.ts:\d+:\d+$/;

describe('where something was thrown', () => {
  test('is the sort of error, its file and its line', () => {
    expect(whereThrown(new TypeError('secret'))).toMatch(here);
    expect(whereThrown(new TypeError(''))).toMatch(here);
    expect(whereThrown(new TypeError('at secret.ts:1:2'))).toMatch(here);
  });

  test('is the sort alone where the stack may hold something else', () => {
    const renamed = Object.assign(new RangeError('other'), {
      stack: 'RangeError: first\n    at secret.ts:1:2',
    });
    const edited = Object.assign(new Error('a'), { stack: 'Error: secret\nsecret\n    at secret.ts:1:2' });
    const odd = Object.assign(new Error('a'), { stack: 5 });
    const none = Object.assign(new Error('a'), { stack: undefined });
    const data = Object.assign(new Error('a'), {
      stack: 'Error: a\n    at data:text/javascript,secret()/*:1:2',
    });
    const base64 = Object.assign(new Error('a'), {
      stack: 'Error: a\n    at data:text/javascript;base64,c2VjcmV0:1:2',
    });
    expect(whereThrown(new Error('line\n    at secret.ts:1:2'))).toBe('Error');
    for (const error of [edited, odd, none, data, base64]) expect(whereThrown(error)).toBe('Error');
    expect(whereThrown(renamed)).toBe('RangeError');
  });

  test('is not known of what is no error', () => {
    for (const thrown of [undefined, null, 'secret', { message: 'secret', stack: 'secret' }])
      expect(whereThrown(thrown)).toBeUndefined();
    expect(whereThrown(runInNewContext('new Error("secret")'))).toBeUndefined();
  });
});

describe('a failure', () => {
  test('of a hook that was refused something says the code', () => {
    expect(toFailure(new RunError('late_write', 'secret'))).toMatchObject({
      code: 'hook_failed',
      why: 'it was refused something: late_write',
    });
    expect(toFailure(new RunError('secret 4111' as never, ''))).toMatchObject({
      why: 'it was refused something',
    });
  });
});
