import type { AnyHook } from '@spec/hooks';
import { expectTypeOf, test } from 'vitest';
import { createRules, defineRule, type RuleInput, type Rules } from './index.ts';

test('a rule in TypeScript', () => {
  expectTypeOf(defineRule({ action: 'deny', matcher: '^bash$' })).toEqualTypeOf<RuleInput>();
  expectTypeOf(createRules).returns.resolves.toEqualTypeOf<Rules>();
  expectTypeOf<Rules['hooks']>().toEqualTypeOf<readonly AnyHook[]>();
});

test('what cannot be meant does not compile', () => {
  // @ts-expect-error a rule does something
  defineRule({ matcher: '^bash$' });
  // @ts-expect-error no such action
  defineRule({ action: 'block' });
  // @ts-expect-error no such event
  defineRule({ action: 'log', event: 'pre_tool_use' });
  // @ts-expect-error patterns are texts
  defineRule({ action: 'log', inputMatchers: { command: /rm/ } });
  // @ts-expect-error no such field
  defineRule({ action: 'log', match: 'bash' });
});
