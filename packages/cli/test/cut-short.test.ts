import { describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

const ending = 'process.exit(0);\nexport default [];\n';
const endsInItsRun = `
import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'ends', execute: async () => process.exit(0) });
`;
const call = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'ls' } });
const told = 'spec-hooks: a module or a hook ended the process, before the command was done.\n';

describe('a process that is ended before the command is done fails', { timeout: 60_000 }, () => {
  test.each([['list'], ['check'], ['status', '--json'], ['test']])(
    'by a module that %s loads',
    async (...args) => {
      const project = projectFolder({ 'hooks/ends.ts': ending });
      expect(await project.cliApart(args)).toMatchObject({ code: 1, stderr: told });
    },
  );

  test('by the configuration', async () => {
    const project = projectFolder({ 'hooks.config.ts': ending });
    expect(await project.cliApart(['list'])).toMatchObject({ code: 1, stdout: '', stderr: told });
  });

  test('by a hook that runs', async () => {
    const project = projectFolder({ 'hooks/ends.ts': endsInItsRun });
    const { code, stdout, stderr } = await project.cliApart(
      ['run', '--event', 'PreToolUse', '--input', '-'],
      call,
    );
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: told });
  });

  test('by what is awaited and never comes', async () => {
    const project = projectFolder({
      'hooks.config.mjs': 'await new Promise(() => {});\nexport default [];\n',
    });
    const { code, stderr } = await project.cliApart(['list']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('waits for something that never comes')]);
  });
});
