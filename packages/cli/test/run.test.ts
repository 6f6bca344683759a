import { describe, expect, test } from 'vitest';
import { guardedProject, jsonFile } from './guarded-project.ts';
import { projectFolder } from './project-folder.ts';
import { runCli } from './run-cli.ts';

const call = (command: string): object => ({ tool_name: 'Bash', tool_input: { command } });

/** A run without the time it took, which differs. */
const timeless = ({ ms, ...run }: { ms: number }): object => ({ ...run, ms: typeof ms });

describe.concurrent('spec-hooks run', { timeout: 60_000 }, () => {
  test('denies by a rule, with exit code 3 and exactly the documented shape', async () => {
    const cwd = guardedProject();
    const args = ['run', '--event', 'PreToolUse', '--input', '-', '--json'];
    const { code, stdout, stderr } = await runCli(args, { cwd, input: JSON.stringify(call('rm -rf /')) });
    expect([code, stderr]).toEqual([3, '']);
    const { runs, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      decision: 'deny',
      reason: 'Nothing is removed here.',
      userMessage: null,
      input: null,
      context: [],
      result: null,
      notLoaded: [],
      switchedOff: [],
      notRead: [],
    });
    expect(runs.map(timeless)).toEqual([
      {
        id: 'claude_user_pre_tool_use_1',
        hook: 'before_tool_call',
        outcome: 'ok',
        ms: 'number',
        changed: false,
      },
      {
        id: 'claude_user_before_tool_call',
        hook: 'before_tool_call',
        outcome: 'ok',
        ms: 'number',
        changed: false,
      },
      { id: 'no_rm', hook: 'before_tool_call', outcome: 'denied', ms: 'number', changed: false },
      { id: 'rules_pre_tool_use', hook: 'before_tool_call', outcome: 'denied', ms: 'number', changed: false },
      { id: 'trim_command', hook: 'before_tool_call', outcome: 'skipped', ms: 'number', changed: false },
    ]);
  });

  test('asks the command again about a rewritten input, and a command may deny', async () => {
    const cwd = guardedProject();
    const { code, stdout } = await runCli(['run', '--event', 'before_tool_call', '--input', '-', '--json'], {
      cwd,
      input: JSON.stringify({
        id: 'c1',
        type: 'function',
        function: { name: 'Bash', arguments: '{"command":"ls "}' },
      }),
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ decision: null, input: { command: 'ls' } });
    const denied = await runCli(
      ['run', '--event', 'PreToolUse', '--input', jsonFile(cwd, call('cat secret'))],
      { cwd },
    );
    expect(denied.code).toBe(3);
    expect(denied.stdout).toContain('✗ denied by claude_user_pre_tool_use_1  PreToolUse (before_tool_call)');
    expect(denied.stdout).toContain('reason: secrets stay here');
  });

  test('gives hooks a real thread: context that they inject and messages for the person are told', async () => {
    const cwd = guardedProject();
    const input = jsonFile(cwd, { ...call('ls'), tool_response: { stdout: 'a.txt' } });
    const after = await runCli(['run', '--event', 'PostToolUse', '--input', input, '--json'], { cwd });
    expect(JSON.parse(after.stdout)).toMatchObject({
      decision: null,
      context: ['LINT ME'],
      userMessage: null,
    });
    expect(JSON.parse(after.stdout).runs.map(({ id }: { id: string }) => id)).toContain('shout');
    const stop = await runCli(['run', '--event', 'SubagentStop', '--json'], { cwd });
    expect(stop.code).toBe(3);
    expect(JSON.parse(stop.stdout)).toMatchObject({ decision: 'deny', reason: 'Run the tests first.' });
    const mainStop = await runCli(['run', '--event', 'Stop', '--json'], { cwd });
    expect(JSON.parse(mainStop.stdout)).toMatchObject({ decision: null, userMessage: 'bye' });
  });

  test('shows what a transform made of its subject, and fails where the step would', async () => {
    const cwd = guardedProject();
    const message = { role: 'user', content: 'hello' };
    const args = ['run', '--event', 'before_create_message', '--json', '--input'];
    const { stdout } = await runCli([...args, jsonFile(cwd, message)], { cwd });
    expect(JSON.parse(stdout).result).toEqual({ role: 'user', content: 'HELLO' });
    const failed = await runCli([...args, jsonFile(cwd, { role: 'user', content: 'fail' })], { cwd });
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      decision: null,
      runs: [{ id: 'shout', outcome: 'failed' }],
    });
    expect(failed.stdout).not.toContain('my secret text');
  });

  test('runs nothing of a file that nobody trusts, and says so', async () => {
    const cwd = guardedProject({ isTrusted: false });
    const args = ['run', '--event', 'PreToolUse', '--input', jsonFile(cwd, call('ls')), '--json'];
    const { code, stderr, stdout } = await runCli(args, { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('.claude/settings.json is not trusted yet: none of its hooks runs');
    expect(JSON.parse(stdout).decision).toBe('deny');
    expect((await runCli([...args, '--trust'], { cwd })).code).toBe(0);
  });

  test('tells what is wrong in one sentence', async () => {
    const cwd = guardedProject();
    const told = async (...args: string[]): Promise<unknown> => {
      const { code, stderr } = await runCli(['run', ...args], { cwd });
      return [code, stderr.split('\n')[0]];
    };
    expect(await told('--event', 'PreTolUse')).toEqual([
      2,
      'spec-hooks: There is no event "PreTolUse". Did you mean "PreToolUse"?',
    ]);
    expect(await told('--event', 'PreToolUse', '--input', 'none.json')).toEqual([
      1,
      'spec-hooks: There is no file none.json: give a file with what the event is about, or - for standard input.',
    ]);
    expect(await told('--event', 'PreToolUse')).toEqual([
      1,
      expect.stringMatching(
        /^spec-hooks: the input, which --input FILE gives, names no tool: this event needs/,
      ),
    ]);
    expect(
      await told('--event', 'PreToolUse', '--input', jsonFile(cwd, { tool_nam: 'x' }, 'typo.json')),
    ).toEqual([
      1,
      expect.stringMatching(/typo\.json names no tool: .* was "tool_nam" meant to be "tool_name"\?$/),
    ]);
  });

  test('has help with examples', async ({ expect }) => {
    expect((await runCli(['run', '--help'])).stdout).toMatchSnapshot();
  });
});

test('what a hook throws is told to its author, at the terminal alone', async () => {
  const project = projectFolder({
    'hooks/fails.mjs': `import { defineHook } from '@spec/hooks';
export default defineHook({
  hook: 'before_create_message',
  id: 'fails',
  execute: async () => { throw new Error('no database'); },
});\n`,
  });
  const args = ['run', '--event', 'before_create_message', '--hooks', 'hooks', '--input', '-'];
  const message = JSON.stringify({ role: 'user', content: 'Hi.' });
  const shown = await project.cli(args, message);
  expect(shown.code).toBe(1);
  expect(shown.stdout).toContain('fails threw: Error: no database');
  expect((await project.cli([...args, '--json'], message)).stdout).not.toContain('no database');
});

test('what a module throws is told with --debug', async () => {
  const project = projectFolder({ 'hooks/throws.mjs': `throw new Error('no DATABASE_URL');\n` });
  const args = ['run', '--event', 'before_stop', '--hooks', 'hooks', '--input', '-'];
  expect((await project.cli(['--debug', ...args], '{}')).stderr).toContain(
    'Caused by: Error: no DATABASE_URL',
  );
  expect((await project.cli(args, '{}')).stderr).not.toContain('no DATABASE_URL');
});
