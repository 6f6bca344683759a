import { expectTypeOf, test } from 'vitest';
import { type CompiledMatcher, compileMatcher, type Matcher } from './matcher.ts';

test('what a matcher may be', () => {
  expectTypeOf(compileMatcher('Bash')).toEqualTypeOf<CompiledMatcher>();
  expectTypeOf({
    tools: ['a', /b/],
    paths: ['c'],
    commands: [/d/],
    input: { e: 'f' },
  } as const).toExtend<Matcher>();
  // @ts-expect-error a condition that does not exist
  compileMatcher({ tool: 'Bash' });
  // @ts-expect-error paths are globs
  compileMatcher({ paths: /x/ });
  // @ts-expect-error a list of tools goes into tools
  compileMatcher(['Bash']);
});
