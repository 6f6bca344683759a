import { describe, expect, test } from 'vitest';
import { guardedProject, jsonFile } from './guarded-project.ts';
import { runCli } from './run-cli.ts';

describe.concurrent('spec-hooks explain', { timeout: 60_000 }, () => {
  test('says for each hook which clause decides, in the order in which they are asked, and runs none', async () => {
    const cwd = guardedProject();
    const input = jsonFile(cwd, { tool_name: 'Bash', tool_input: { command: 'rm secret' } });
    const { code, stdout, stderr } = await runCli(
      ['explain', '--event', 'PreToolUse', '--input', input, '--json'],
      { cwd },
    );
    expect([code, stderr]).toEqual([0, '']);
    const { hooks, combination, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      event: 'PreToolUse',
      hook: 'before_tool_call',
      notLoaded: [],
      switchedOff: [],
      notRead: [],
    });
    const ofEvent = hooks.filter(({ hook }: { hook: string }) => hook === 'before_tool_call');
    expect(ofEvent).toEqual([
      {
        id: 'claude_user_pre_tool_use_1',
        hook: 'before_tool_call',
        from: 'settings',
        source: '.claude/settings.json:7',
        onError: 'continue',
        runs: true,
        why: 'its matcher fits',
        decision: null,
      },
      {
        id: 'no_rm',
        hook: 'before_tool_call',
        from: 'rules',
        source: 'rules.yaml:2',
        onError: 'block',
        runs: true,
        why: 'its conditions hold: deny',
        decision: 'deny',
      },
      {
        id: 'trim_command',
        hook: 'before_tool_call',
        from: 'module',
        source: 'hooks/own.ts:3',
        onError: 'block',
        runs: false,
        why: 'the rule "no_rm" denies before',
        decision: null,
      },
    ]);
    expect(hooks.find(({ id }: { id: string }) => id === 'shout')).toMatchObject({
      runs: false,
      why: 'it is for before_create_message',
    });
    expect(combination).toEqual({
      kind: 'decide',
      how: expect.stringContaining('deny > ask > allow'),
      decision: 'deny',
      by: null,
      reason: null,
    });
  });

  test('names the condition that does not hold, by patterns and tool names, never by values', async () => {
    const cwd = guardedProject({ isTrusted: false });
    const input = jsonFile(cwd, { tool_name: 'Bash', tool_input: { command: 'my secret value' } });
    const { stdout } = await runCli(['explain', '--event', 'PreToolUse', '--input', input], { cwd });
    expect(stdout).toContain('inputMatchers.command /\\brm\\b/ does not match');
    expect(stdout).toContain('its file is not trusted yet; what it guards is denied');
    expect(stdout).toContain('As the input stands, claude_project_pre_tool_use_1 makes it denied.');
    expect(stdout).toContain('reason: A hook of .claude/settings.json guards this, and cannot run');
    expect(stdout).not.toContain('my secret value');
    expect(stdout).toContain('hooks of other events: --all lists them.');
    const other = jsonFile(cwd, { tool_name: 'Read', tool_input: {} });
    const read = await runCli(
      ['explain', '--event', 'PreToolUse', '--input', other, '--agent', 'quiet', '--json'],
      { cwd },
    );
    const why = Object.fromEntries(
      JSON.parse(read.stdout).hooks.map((one: { id: string; why: string }) => [one.id, one.why]),
    );
    expect(why).toMatchObject({
      claude_project_pre_tool_use_1: 'the matcher Bash does not match Read',
      no_rm: 'matcher /^Bash$/ does not match Read',
      trim_command: 'the agent does not name it',
    });
  });

  test('has help with examples', async ({ expect }) => {
    expect((await runCli(['explain', '--help'])).stdout).toMatchSnapshot();
  });
});
