import { describe, expect, test } from 'vitest';
import type { CheckFinding } from '../src/check/finding.ts';
import type { CheckResult } from '../src/check/to-text.ts';
import { projectFolder } from './project-folder.ts';

const config = (fields: string): string =>
  `import { defineConfig } from '@spec/cli';\nexport default defineConfig({ ${fields} });\n`;

const command = (line: string, more: object = {}): object => ({ type: 'command', command: line, ...more });
const settings = (...hooks: object[]): object => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } });
const hardened = `harden: { onTimeout: 'block', onExit: 'block', onLaunchError: 'block', onInvalidOutput: 'block' }`;

const told = ({ level, code, file, line, entry }: CheckFinding): string =>
  [level, code, file, line, entry].map((part) => part ?? '-').join(' ');

/** What `check` finds in a project, without what other checks say of it. */
async function findingsIn(files: Readonly<Record<string, unknown>>, args: readonly string[] = []) {
  const result = await projectFolder(files).json<CheckResult>(['check', ...args]);
  return { ...result, told: result.findings.map(told) };
}

describe('spec-hooks check', { timeout: 60_000 }, () => {
  test('finds everything that is wrong, with its place', async () => {
    const {
      told: all,
      findings,
      counts,
      ok,
      code,
      files,
    } = await findingsIn({
      'hooks.config.ts':
        config(`hooks: 'hooks', policies: 'policies', rules: 'rules.yaml', triggers: 'triggers.json',
        settings: ['claude.json', 'hub.json', 'settings.json', 'broken.json'], tools: ['Bash', 'Read'],
        agents: [{ name: 'support', hooks: ['last_20', 'gard', 'last_20'] }], trust: 'trusted.json'`),
      'hooks/a.ts': `import { defineHook } from '@spec/hooks';
        export default [
          defineHook({ hook: 'filter_messages', id: 'last_20', execute: async (_state, messages) => messages }),
          defineHook({ hook: 'before_tool_call', id: 'guard', match: 'Reed', onError: 'continue', execute: async () => null }),
        ];`,
      'policies/bad.ts': `import { nothing } from './nowhere.ts';\nexport default nothing;`,
      'rules.yaml': `rules:
  - { id: no_reads, matcher: Read, action: deny, priority: 10 }
  - { id: some_reads, matcher: Read, action: allow, inputMatchers: { path: '^/tmp' } }
  - { id: guard, action: script, script: return null }`,
      'triggers.json': { triggers: [{ id: 'x', tool: 'Bashh', message: 'hey' }] },
      'claude.json': settings(
        command('no-such-program --x', { timeout: 60_000 }),
        command('python3 scripts/gone.py'),
        command(`echo '{"decision":"alow"}'`),
      ),
      'hub.json': {
        hooks: {
          PreToolUse: [
            { matcher: '(', command: 'true', continueOnError: false },
            { command: `echo {{toolName}} '{"decision":"deny"}'`, continueOnError: true },
          ],
        },
      },
      'settings.json': {
        hooks: {
          PreToolUze: [{ command: 'true' }],
          PreToolUse: [
            { matcher: 'Bsh(git:*)', command: 'test -n "$INPTU"', timeout: 5, continueOnFailure: false },
          ],
        },
      },
      'broken.json': '{ "hooks": [',
    });
    expect(all.toSorted()).toEqual(
      [
        'error bad_module policies/bad.ts - -',
        'error bad_json broken.json 1 -',
        'warning suspicious_timeout claude.json 10 hooks.PreToolUse[0].hooks[0].timeout',
        'error untrusted claude.json 1 -',
        'error bad_matcher hub.json 4 hooks.PreToolUse[0]',
        'error untrusted hub.json 1 -',
        'error unknown_event settings.json 3 hooks.PreToolUze',
        'warning suspicious_timeout settings.json 12 hooks.PreToolUse[0].timeout',
        'warning unknown_variable settings.json 11 hooks.PreToolUse[0].command',
        'error untrusted settings.json 1 -',
        'warning duplicate_id hooks/a.ts 4 guard',
        'error unknown_id hooks.config.ts - agents[0]',
        'error duplicate_id hooks.config.ts - agents[0]',
        'note never_named hooks/a.ts 4 guard',
        'warning no_such_tool hooks/a.ts 4 guard',
        'warning no_such_tool settings.json 9 settings_project_3_pre_tool_use_1',
        'warning no_such_tool triggers.json - x',
        'warning unreachable_rule rules.yaml 3 some_reads',
        'risk fails_open claude.json 7 hooks.PreToolUse[0].hooks[0]',
        'note fails_open rules.yaml 4 guard',
        'warning no_such_command claude.json 7 hooks.PreToolUse[0].hooks[0]',
        'warning no_such_script claude.json 12 hooks.PreToolUse[0].hooks[1]',
        'warning unread_output claude.json 16 hooks.PreToolUse[0].hooks[2]',
        'warning unread_output hub.json 9 hooks.PreToolUse[1]',
      ].toSorted(),
    );
    expect([ok, code, counts]).toEqual([false, 1, { error: 9, warning: 12, risk: 1, note: 2 }]);
    expect(files[0]).toEqual({
      file: 'claude.json',
      layer: 'project',
      dialect: 'claude',
      chosenBy: 'shape',
      hooks: 3,
      trust: 'unknown',
    });
    const message = (code: string) => findings.find((one) => one.code === code)?.message;
    expect(message('untrusted')).toMatch(/Run: spec-hooks trust claude\.json$/);
    expect(message('unknown_id')).toBe(
      '"support" names the hook "gard", but there is no such hook. Did you mean "guard"?',
    );
    expect(message('fails_open')).toBe(
      "This hook and those of lines 12, 16 allow what they guard if one of them times out, or cannot be started, or exits with a code that the format does not know, as after a crash, or gives an answer that cannot be read. To deny instead, set \"onFailure\": \"block\" (Claude Code 2.1.295 or newer) in the file, or harden: { onTimeout: 'block', onLaunchError: 'block', onExit: 'block', onInvalidOutput: 'block' } in hooks.config.ts. To accept the risk, write 'continue' there.",
    );
    expect(message('no_such_tool')).toContain('Did you mean "Read"?');
    expect(message('bad_module')).toBe(
      'imports "./nowhere.ts", and there is no such file. No hook of the folder is loaded.',
    );
  });

  test('ends what a module says with one mark', async () => {
    const { cli } = projectFolder({
      'hooks/odd.mjs': `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'odd', match: { tool: 'x' }, execute: async () => null });\n`,
    });
    const { stdout } = await cli(['check', '--json']);
    expect(JSON.parse(stdout).findings[0].message).toMatch(
      /Did you mean "tools"\? No hook of the folder is loaded\.$/,
    );
  });

  test('has nothing to say of a project that is well, and goes by the environment of its commands', async () => {
    const project = projectFolder({
      'hooks.config.ts': config(
        `settings: ['.claude/settings.json'], rules: 'rules.yaml', tools: ['Bash'], ${hardened}`,
      ),
      'rules.yaml':
        'rules:\n  - { id: no_rm, matcher: Bash, inputMatchers: { command: rm }, action: deny }\n  - { id: log, action: log }\n',
      '.claude/settings.json': settings(
        command('sh "$CLAUDE_PROJECT_DIR"/guard.sh && f() { :; } && f'),
        command('command -v no-such-program && no-such-program --fix'),
        command(`echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'`),
        command(`cat <<< '{"id": 7}' > /dev/null; echo '{"continue":true,"suppressOutput":true}'`),
      ),
      'guard.sh': 'exit 0\n',
    });
    const { code, stdout } = await project.cli(['check', '--trust']);
    expect(stdout.split('\n').slice(0, 1)).toEqual([
      '.claude/settings.json  project, format claude (by its path), 4 hooks',
    ]);
    expect(stdout).toContain('6 hooks checked: nothing to report.');
    expect(code).toBe(0);
  });

  test('tells of rules behind a deny that fits the names that they spell out, and of no others', async () => {
    const files = {
      'rules.yaml': `rules:
  - { id: no_bash, matcher: Bash, action: deny, priority: 10 }
  - { id: bash, matcher: '^Bash$', action: log }
  - { id: both, matcher: '^(Bash|BashOutput)$', action: log }
  - { id: other, matcher: '^(Bash|Read)$', action: log }
  - { id: open, matcher: '^Ba', action: log }
  - { id: lower, matcher: '^bash$', action: log }`,
    };
    expect((await findingsIn(files, ['--config', 'rules.yaml'])).told).toEqual([
      'note other_case rules.yaml 7 lower',
      'warning unreachable_rule rules.yaml 3 bash',
      'warning unreachable_rule rules.yaml 4 both',
    ]);
  });

  test('tells of matchers that name a tool in another case, in check and in list', async () => {
    const guard = (match: string) => `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'guard', match: '${match}', execute: async () => null });`;
    const configured = projectFolder({
      'hooks.config.ts': config(`hooks: 'hooks', tools: ['run_command', 'Bash']`),
      'hooks/a.ts': guard('RunCommand'),
    });
    const told = async (project: typeof configured) => {
      const { findings } = await project.json<{ findings: CheckFinding[] }>(['check']);
      return findings
        .filter(({ code }) => code !== 'never_named')
        .map(({ level, code, message }) => [level, code, message]);
    };
    const never =
      'The matcher RunCommand matches none of the configured tools, so this never runs. Did you mean "run_command"?';
    expect(await told(configured)).toEqual([['warning', 'no_such_tool', never]]);
    expect((await configured.cli(['list'])).stderr).toBe(`spec-hooks: hooks/a.ts:2 guard: ${never}\n`);
    configured.write('hooks/a.ts', guard('RunCommand|Bash'));
    const part =
      'No configured tool is called "RunCommand", so this part of the matcher never fits. Did you mean "run_command"?';
    expect(await told(configured)).toEqual([['warning', 'part_never_matches', part]]);
    expect((await configured.cli(['list'])).stderr).toBe(`spec-hooks: hooks/a.ts:2 guard: ${part}\n`);

    const bare = projectFolder({ 'hooks/a.ts': guard('bash') });
    expect(await told(bare)).toEqual([
      [
        'note',
        'other_case',
        expect.stringMatching(
          /^The tool "bash" is called "Bash" in Claude Code .+ "tools" in hooks\.config\.ts\.$/,
        ),
      ],
    ]);
    expect((await bare.cli(['list'])).stderr).toBe('');

    const settings = {
      hooks: { PreToolUse: [{ matcher: 'bash', hooks: [{ type: 'command', command: 'true' }] }] },
    };
    const claude = projectFolder({ '.claude/settings.json': settings });
    expect((await claude.cli(['list'])).stderr).toMatch(
      /settings\.json:\d+ .+ has no tool "bash", so this never runs\. Write "Bash"\.\n$/,
    );
  });

  test('tells of two hooks with one id, that no runtime takes', async () => {
    const hook = `import { defineHook } from '@spec/hooks';
      export default defineHook({ hook: 'after_thread_created', id: 'twin', execute: async (_state) => {} });`;
    const files = {
      'hooks.config.ts': config(`hooks: ['one', 'two']`),
      'one/a.ts': hook,
      'two/b.ts': hook,
    };
    expect((await findingsIn(files)).told).toEqual(['error duplicate_id two/b.ts 2 twin']);
  });

  test('takes notes for findings when it is strict, and a broken configuration for one', async () => {
    const files = {
      'hooks/a.ts': `import { defineHook } from '@spec/hooks';
      export default defineHook({ hook: 'before_tool_call', id: 'lax', onTimeout: 'continue', execute: async () => null });`,
    };
    expect(await findingsIn(files)).toMatchObject({
      code: 0,
      ok: true,
      counts: { error: 0, warning: 0, risk: 0, note: 1 },
    });
    expect(await findingsIn(files, ['--strict'])).toMatchObject({ code: 1, ok: false });
    const missing = await findingsIn({}, ['--config', 'none.json']);
    expect([missing.code, missing.findings.map(({ message }) => message)]).toEqual([
      1,
      ['There is no file none.json: --config takes settings and rule files.'],
    ]);
    const broken = await findingsIn({ 'hooks.config.ts': config(`hoks: 'hooks'`) });
    expect(broken.findings).toEqual([
      {
        level: 'error',
        code: 'bad_definition',
        file: null,
        line: null,
        column: null,
        entry: null,
        message:
          'hooks.config.ts has a field "hoks" that a configuration does not have. Did you mean "hooks"?',
      },
    ]);
  });

  test('says how it is used, also as doctor', async () => {
    const { stdout } = await projectFolder().cli(['doctor', '--help']);
    expect(stdout).toMatchSnapshot();
  });
});
