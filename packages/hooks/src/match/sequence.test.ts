import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANY_RUN, fits, type PatternStep, wildcardSteps } from './sequence.ts';

describe('fits', () => {
  test.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'anything\n', true],
    ['get_*', 'get_user', true],
    ['get_*', 'get_', true],
    ['get_*', 'get', false],
    ['*_user', 'get_user', true],
    ['*_user', 'get_users', false],
    ['a*b*c', 'a__b__b__c', true],
    ['a*b*c', 'a__c__b', false],
    ['**', 'x', true],
  ])('%s against %j: %s', (pattern, text, expected) => {
    expect(fits(wildcardSteps(pattern), text)).toBe(expected);
  });

  test('agrees with a regular expression on every wildcard pattern', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }).map((chars) => chars.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 10 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(pattern, text, (wild, string) => {
        const regex = new RegExp(`^${wild.replaceAll('*', '[^]*')}$`);
        expect(fits(wildcardSteps(wild), string)).toBe(regex.test(string));
      }),
      { numRuns: 1_000 },
    );
  });

  test('steps may be tests of one item, and items may be any strings', () => {
    const steps: PatternStep<string>[] = ['src', ANY_RUN, (name) => name.endsWith('.ts')];
    expect(fits(steps, ['src', 'a', 'b', 'c.ts'])).toBe(true);
    expect(fits(steps, ['src', 'c.ts'])).toBe(true);
    expect(fits(steps, ['src', 'c.ts', 'd'])).toBe(false);
  });

  test('a pattern with many runs stays quick where backtracking would explode', () => {
    const started = process.cpuUsage();
    expect(fits(wildcardSteps(`${'*a'.repeat(20)}b`), 'a'.repeat(20_000))).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(500_000); // µs
  });
});
