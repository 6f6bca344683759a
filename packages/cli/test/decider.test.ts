import { describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

const call = { tool_name: 'Bash', tool_input: { command: 'ls' } };
const run = (command: string): object => ({ type: 'command', command });
const guarded = (...commands: readonly string[]): object => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: commands.map(run) }] },
});

const asking = `import { defineHook } from '@spec/hooks';
const ask = (id) => defineHook({ hook: 'before_tool_call', id, execute: async () => ({ decision: 'ask', reason: 'ask ' + id }) });
export default [ask('ha'), ask('hb'), defineHook({ hook: 'before_tool_call', id: 'hc', execute: async (_state, call) =>
  JSON.parse(call.function.arguments).command === 'ls' ? { input: { command: 'ls -l' } } : null })];
`;

interface Explained {
  readonly hooks: readonly { readonly id: string; readonly runs: boolean | null; readonly why: string }[];
  readonly combination: {
    readonly decision: string | null;
    readonly by: string | null;
    readonly reason: string | null;
  };
}

describe('who decides', { timeout: 60_000 }, () => {
  const about = ['--event', 'PreToolUse', '--input', 'call.json'];

  test('of hooks that are asked again after a rewrite, the one that gave the reason', async () => {
    const project = projectFolder({ 'call.json': call, 'hooks/own.ts': asking });
    const { stdout, code } = await project.cli(['run', ...about, '--hooks', 'hooks']);
    expect(code).toBe(4);
    expect(stdout).toContain('? a person is asked by ha  PreToolUse');
    expect(stdout).toContain('reason: ask ha');
  });

  test('of entries that deny at the same time the first, whichever ends first', async () => {
    const slow = 'sleep 0.5; echo slow >&2; exit 2';
    const settings = guarded('exit 0', 'echo quick >&2; exit 2', slow);
    const project = projectFolder({ 'call.json': call, 'claude.json': settings });
    const { stdout } = await project.cli(['run', ...about, '--config', 'claude.json', '--trust']);
    expect(stdout).toContain('✗ denied by claude_project_pre_tool_use_2  PreToolUse');
    expect(stdout).toMatch(/reason: \n {2}quick\n {2}slow\n/);
  });

  test('of guards that are not trusted the first in run and in explain', async () => {
    const project = projectFolder({ 'call.json': call, 'claude.json': guarded('a', 'b', 'c') });
    const { stdout } = await project.cli(['run', ...about, '--config', 'claude.json']);
    expect(stdout).toContain('✗ denied by claude_project_pre_tool_use_1  PreToolUse');
    const explained = await project.json<Explained>(['explain', ...about, '--config', 'claude.json']);
    expect(explained.combination.by).toBe('claude_project_pre_tool_use_1');
  });

  test('that an entry before may decide first is told: the decision is certain, and who makes it is not', async () => {
    const rules = 'rules:\n  - { id: never, action: deny, matcher: ^Bash$, reason: Not here. }\n';
    const files = { 'call.json': call, 'claude.json': guarded('echo no >&2; exit 2'), 'rules.yaml': rules };
    const project = projectFolder(files);
    const args = ['explain', ...about, '--config', 'claude.json', 'rules.yaml', '--trust'];
    const { combination } = await project.json<Explained>(args);
    expect(combination).toMatchObject({ decision: 'deny', by: null, reason: null });
    const { stdout } = await project.cli(args);
    expect(stdout).toContain('As the input stands, never makes it denied, if no hook before it does.');
    expect(stdout).not.toContain('reason:');
  });

  test('an entry whose handler is that of one before it does not run, in explain as in run', async () => {
    const project = projectFolder({ 'call.json': call, 'claude.json': guarded('exit 0', 'true', 'exit 0') });
    const args = [...about, '--config', 'claude.json', '--trust'];
    const { hooks } = await project.json<Explained>(['explain', ...args]);
    expect(hooks.map(({ runs, why }) => [runs, why])).toEqual([
      [true, 'its matcher fits'],
      [true, 'its matcher fits'],
      [false, 'claude_project_pre_tool_use_1 has the same handler'],
    ]);
    expect((await project.cli(['run', ...args])).stdout).toContain(hooks[2]?.why);
  });
});
