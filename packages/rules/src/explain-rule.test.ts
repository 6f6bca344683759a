import { expect, test } from 'vitest';
import { createRules } from './create-rules.ts';
import { explainRule } from './explain-rule.ts';
import type { Rule, RuleInput } from './rule.ts';

async function ruleOf(input: Omit<RuleInput, 'action'>): Promise<Rule> {
  const { rules, close } = await createRules([{ action: 'deny', ...input }]);
  await close();
  return rules[0] as Rule;
}

test('names the condition that does not hold, by patterns and tool names, never by values', async () => {
  const rule = await ruleOf({ matcher: '^Bash$', inputMatchers: { command: 'rm', path: '^/' } });
  const why = (toolName: string, toolInput: Record<string, unknown>): string | undefined =>
    explainRule(rule, { toolName, toolInput });
  expect(why('Read', {})).toBe('matcher /^Bash$/ does not match Read');
  expect(why('Bash', { command: 'my secret', path: '/' })).toBe('inputMatchers.command /rm/ does not match');
  expect(why('Bash', { command: 'rm' })).toBe('inputMatchers.path: there is no such text');
  expect(why('Bash', { command: 'rm', path: '/x' })).toBeUndefined();
});

test('prompts and reasons to stop are looked at as fields; without a condition a rule holds', async () => {
  const rule = await ruleOf({ event: 'UserPromptSubmit', inputMatchers: { prompt: 'key' } });
  expect(explainRule(rule, { prompt: 'a key' })).toBeUndefined();
  expect(explainRule(rule, { prompt: 'no' })).toBe('inputMatchers.prompt /key/ does not match');
  expect(explainRule(await ruleOf({ event: 'Stop' }), { stopReason: 'completed' })).toBeUndefined();
});

test('a pattern that takes too long holds, as it does where rules deny', async () => {
  const rule = await ruleOf({ inputMatchers: { command: '(a+)+$' } });
  expect(explainRule(rule, { toolName: 'x', toolInput: { command: `${'a'.repeat(40)}!` } })).toBeUndefined();
});
