import type { CommandEntry } from '@spec/commands';
import { createRules } from '@spec/rules';
import { expect, test } from 'vitest';
import { launchProblem } from '../src/check/programs.ts';
import { ofRule } from '../src/explain/of-rule.ts';

test('a rule that allows has no say at the end of a turn, where only a deny counts', async () => {
  const { rules, close } = await createRules([
    { id: 'may_stop', event: 'Stop', action: 'allow' },
    { id: 'not_yet', event: 'Stop', action: 'deny', reason: 'Test first.' },
  ]);
  await close();
  const occasion = { hook: 'before_stop', args: [{ reason: 'completed' }] } as const;
  expect(rules.map((rule) => [rule.id, ofRule(rule, occasion).opinion])).toEqual([
    ['may_stop', { decision: null, reason: null }],
    ['not_yet', { decision: 'deny', reason: 'Test first.' }],
  ]);
});

test.each([
  ['no-such-program-anywhere --now', undefined, 'no_such_command'],
  ['PATH=/opt/tools/bin no-such-program-anywhere', undefined, undefined],
  ['no-such-program-anywhere || true', undefined, undefined],
  ['$TOOLS/no-such-program-anywhere', ['a'], undefined],
  ['true', undefined, undefined],
])('of %j it is certain whether it can be started: %j %j', (command, args, problem) => {
  const handler = { type: 'command', command, ...(args === undefined ? {} : { args }) };
  expect(launchProblem({ handler } as unknown as CommandEntry, '/')).toBe(problem);
});
