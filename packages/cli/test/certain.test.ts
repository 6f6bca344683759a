import type { CommandEntry } from '@spec/commands';
import { expect, test } from 'vitest';
import { launchProblem } from '../src/check/programs.ts';

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
