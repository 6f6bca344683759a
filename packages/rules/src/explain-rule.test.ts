import { expect, test } from 'vitest';
import { createRules } from './create-rules.ts';
import { explainRule } from './explain-rule.ts';
import type { Rule, RuleInput } from './rule.ts';

async function makeRule(input: Omit<RuleInput, 'action'> & Partial<RuleInput>): Promise<Rule> {
  const { rules, close } = await createRules([{ action: 'deny', ...input }]);
  await close();
  return rules[0] as Rule;
}

test('names the condition that does not hold, by patterns and tool names, never by values', async () => {
  const rule = await makeRule({ matcher: '^Bash$', inputMatchers: { command: 'rm', path: '^/' } });
  const why = (toolName: string, toolInput: Record<string, unknown>): string | undefined =>
    explainRule(rule, { toolName, toolInput }).why;
  expect(why('Read', {})).toBe('matcher /^Bash$/ does not match Read');
  expect(why('Bash', { command: 'my secret', path: '/' })).toBe('inputMatchers.command /rm/ does not match');
  expect(why('Bash', { command: 'rm' })).toBe('inputMatchers.path: there is no such text');
  expect(why('Bash', { command: 'rm', path: '/x' })).toBeUndefined();
});

test('prompts and reasons to stop are looked at as fields; without a condition a rule holds', async () => {
  const rule = await makeRule({
    event: 'UserPromptSubmit',
    inputMatchers: { prompt: 'key' },
    reason: 'No keys.',
  });
  expect(explainRule(rule, { prompt: 'a key' })).toEqual({
    applies: true,
    answer: { decision: 'deny', reason: 'No keys.' },
  });
  expect(explainRule(rule, { prompt: 'no' })).toEqual({
    applies: false,
    why: 'inputMatchers.prompt /key/ does not match',
    answer: {},
  });
  const stop = explainRule(await makeRule({ event: 'Stop' }), { stopReason: 'completed' });
  expect(stop).toMatchObject({ applies: true, answer: { decision: 'deny' } });
});

test('says what is certain of each action, and nothing of what a script would say', async () => {
  const answer = async (input: RuleInput): Promise<unknown> =>
    explainRule(await makeRule(input), { toolName: 'Bash', toolInput: {} }).answer;
  expect(await answer({ action: 'allow' })).toEqual({ decision: 'allow' });
  expect(await answer({ action: 'log' })).toEqual({});
  expect(await answer({ action: 'script', script: 'return null' })).toBeUndefined();
});

test('of a pattern that takes too long: a deny rule denies, an allow rule does nothing, and neither where another clause rules it out', async () => {
  const slow = { inputMatchers: { command: '(a+)+$' } };
  const occasion = { toolName: 'x', toolInput: { command: `${'a'.repeat(40)}!` } };
  const denied = explainRule(await makeRule(slow), occasion);
  expect(denied).toMatchObject({ applies: true, why: expect.stringContaining('inputMatchers.command') });
  expect(denied.answer).toMatchObject({
    decision: 'deny',
    reason: expect.stringContaining('could not be tested'),
  });
  expect(explainRule(await makeRule({ ...slow, action: 'allow' }), occasion)).toMatchObject({ answer: {} });
  const other = { inputMatchers: { ...slow.inputMatchers, path: '^/' } };
  expect(explainRule(await makeRule(other), occasion)).toMatchObject({
    applies: false,
    why: 'inputMatchers.path: there is no such text',
  });
});
