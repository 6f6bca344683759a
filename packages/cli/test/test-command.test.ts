import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { guardedProject, write } from './guarded-project.ts';
import { runCli } from './run-cli.ts';

const gates = `cases:
  - name: nothing is removed
    event: PreToolUse
    input: { tool_name: Bash, tool_input: { command: rm -rf / } }
    expect: { decision: deny, by: no_rm, reason: removed here }
  - name: secrets stay
    event: PreToolUse
    input: { tool_name: Bash, tool_input: { command: cat secret } }
    expect: { decision: deny, by: claude_user_pre_tool_use_1, reason: /^secrets/ }
  - name: commands are trimmed
    event: PreToolUse
    input: { tool_name: Bash, tool_input: { command: 'ls ', timeout: 5 } }
    expect: { decision: none, reason: null, output: { command: ls }, context: [] }
  - name: the linter speaks
    event: PostToolUse
    input: { tool_name: Bash, tool_input: {}, tool_response: a.txt }
    expect: { context: LINT ME, output: a.txt }
  - name: tests first
    event: SubagentStop
    expect: { decision: deny }
neverDenies: [trim_command, claude_user_stop_1]
`;

describe.concurrent('spec-hooks test', { timeout: 60_000 }, () => {
  test('passes where all cases hold and every gate has one that it denies', async () => {
    const cwd = guardedProject();
    write(cwd, 'hooks/gates.hooks.yaml', gates);
    const { code, stdout, stderr } = await runCli(['test', '--json'], { cwd });
    const report = JSON.parse(stdout);
    expect(report.findings).toEqual([]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^(a hook may print\n)*$/);
    expect(Object.keys(report)).toEqual(['ok', 'cases', 'gates', 'findings']);
    expect({ ...report.cases[0], ms: 0 }).toEqual({
      name: 'nothing is removed',
      file: 'hooks/gates.hooks.yaml',
      line: 2,
      event: 'PreToolUse',
      ok: true,
      decision: 'deny',
      ms: 0,
      failures: [],
      problem: null,
    });
    expect(report.gates).toEqual([
      {
        id: 'claude_user_pre_tool_use_1',
        hook: 'before_tool_call',
        source: '.claude/settings.json:7',
        isProven: true,
      },
      { id: 'no_rm', hook: 'before_tool_call', source: 'rules.yaml:2', isProven: true },
      {
        id: 'claude_user_subagent_stop_1',
        hook: 'before_stop',
        source: '.claude/settings.json:28',
        isProven: true,
      },
    ]);
  });

  test('fails for a case that does not hold, and for a gate without a case', async () => {
    const cwd = guardedProject();
    const file = write(
      cwd,
      'one.hooks.yaml',
      `cases:
  - event: PreToolUse
    input: { tool_name: Bash, tool_input: { command: rm x } }
    expect: { decision: allow, reason: fine }
  - event: PreTolUse
    expect: { decision: deny }
`,
    );
    const { code, stdout } = await runCli(['test', file], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('✗ case 1  line 2');
    expect(stdout).toContain('decision: expected "allow", got "deny"');
    expect(stdout).toContain('reason: expected "fine", got "Nothing is removed here."');
    expect(stdout).toContain('There is no event "PreTolUse". Did you mean "PreToolUse"?');
    expect(stdout).toContain(
      'no_rm (before_tool_call, rules.yaml:2) can deny, and no case shows that it does',
    );
    expect(stdout).toContain('✗ 0 cases passed, 2 failed, 0 of 5 gates proven.');
  });

  test('fails for a name in "neverDenies" that no hook has', async () => {
    const cwd = guardedProject();
    write(
      cwd,
      'hooks/gates.hooks.yaml',
      gates.replace('[trim_command,', '[trim_command, trim_comand, nosuch_hook,'),
    );
    const { code, stdout } = await runCli(['test', '--json'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toEqual([
      '"neverDenies" names trim_comand, and there is no such hook. Did you mean "trim_command"?',
      '"neverDenies" names nosuch_hook, and there is no such hook. Remove it, or correct it.',
    ]);
  });

  test('tells what is wrong with a file by its place, and that there is none', async () => {
    const cwd = guardedProject();
    const broken = write(cwd, 'a.yaml', 'cases:\n  - event: Stop\n    expect: { desision: deny }\n');
    const { code, stderr } = await runCli(['test', broken], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /a\.yaml:3 cases\.0\.expect: there is no field "desision"\. Did you mean "decision"\?\n$/,
    );
    const hook = write(cwd, 'hooks/x.mjs', 'export default [];\n');
    expect((await runCli(['test', hook], { cwd })).stderr).toMatch(
      /x\.mjs is not a file with cases: they are kept in files called \*\.hooks\.yaml\./,
    );
    const tabs = write(cwd, 'tabs.yaml', 'cases:\n\t- event: Stop\n');
    expect((await runCli(['test', tabs], { cwd })).stderr).toMatch(/:2:1 is not YAML: tab as indent\.\n$/);
    const empty = write(cwd, 'empty.yaml', 'cases: []\n');
    expect((await runCli(['test', empty], { cwd })).stdout).toMatch(
      /There are no cases in .*empty\.yaml: "cases" is a list of them\./,
    );
    const none = await runCli(['test', 'hooks'], { cwd });
    expect(none.code).toBe(1);
    expect(none.stdout).toContain('There are no cases: keep them in files called *.hooks.yaml below hooks.');
    const here = await runCli(['test'], { cwd: mkdtempSync(join(tmpdir(), 'spec-hooks-empty-')) });
    expect(here.stdout).toContain('below the working folder.\n');
  });

  test('takes a --config for each settings file, so that paths may stand behind it', async () => {
    const cwd = guardedProject();
    const cases = write(
      cwd,
      'gate.yaml',
      `cases: [{ event: PreToolUse, input: { tool_name: Bash, tool_input: { command: rm x } }, expect: { by: no_rm } }]\n`,
    );
    const { code, stderr, stdout } = await runCli(['test', '--json', '--config', 'rules.yaml', cases], {
      cwd,
    });
    expect([code, stderr, JSON.parse(stdout).cases.length]).toEqual([0, '', 1]);
    const missing = await runCli(['test', 'none.hooks.yaml'], { cwd });
    expect([missing.code, missing.stderr]).toEqual([
      1,
      'spec-hooks: There is no file or folder none.hooks.yaml.\n',
    ]);
  });

  test('has help with the form of a case', async ({ expect }) => {
    expect((await runCli(['test', '--help'])).stdout).toMatchSnapshot();
  });
});
