import { describe, expect, test } from 'vitest';
import { convert } from './convert.ts';

const file = (matcher: string) => ({
  hooks: { PreToolUse: [{ matcher, command: './check.sh', continueOnFailure: false }] },
});
const listMatchers = (content: unknown): unknown[] =>
  (content as { hooks: { PreToolUse: { matcher?: unknown }[] } }).hooks.PreToolUse.map(
    ({ matcher }) => matcher,
  );

describe('an expression with flags', () => {
  test.each(['hub', 'service', 'claude'] as const)(
    'is wider in %s, which has none, and the report says so',
    (to) => {
      for (const matcher of ['/ba/i', ' /^ba/iu ', '/b a/si']) {
        const { content, losses } = convert(file(matcher), { from: 'settings', to });
        expect(listMatchers(content)).toEqual([undefined]);
        expect(losses).toContainEqual(expect.objectContaining({ level: 'changed', field: 'matcher' }));
      }
    },
  );

  test('stays as it is in its own format', () => {
    const { content, losses } = convert(file('/ba/i'), { from: 'settings', to: 'settings' });
    expect(listMatchers(content)).toEqual(['/ba/i']);
    expect(losses).toEqual([]);
  });

  test('of which the flags mean nothing here is one without', () => {
    const { content } = convert(file(' /^Ba/g '), { from: 'settings', to: 'hub' });
    expect(listMatchers(content)).toEqual(['^Ba']);
  });
});
