import { describe, expect, test } from 'vitest';
import type { KnownHook } from '../src/project/known-hooks.ts';
import { projectFolder } from './project-folder.ts';
import { runCliApart } from './run-cli.ts';

const hook = (id: string, more = '', name = 'before_tool_call'): string =>
  `defineHook({ hook: '${name}', id: '${id}', ${more} execute: async (_state) => null as never })`;
const module = (...hooks: string[]): string =>
  `import { defineHook } from '@spec/hooks';\nexport default [\n${hooks.join(',\n')},\n];\n`;

const files = {
  'hooks.config.ts': `import { defineConfig } from '@spec/cli';
    export default defineConfig({
      hooks: 'hooks', policies: 'policies', settings: ['settings.json', 'hub.json'], rules: 'rules.yaml', triggers: 'triggers.json',
    });`,
  'hooks/named.ts': module(
    hook('named_guard', `timeout: '2s', onTimeout: 'ask', match: 'Bash(git push:*)',`),
  ),
  'policies/first.ts': module(hook('late', 'priority: -1,'), hook('early', 'priority: 5,')),
  'settings.json': {
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'true', timeout: 3 }] },
        { matcher: 'Write|Edit', hooks: [{ type: 'command', command: 'true' }] },
      ],
    },
  },
  'hub.json': { hooks: { AgentEnd: [{ command: 'echo {{sandbox}}' }] } },
  'rules.yaml':
    'rules:\n  - id: no_rm\n    matcher: Bash\n    action: deny\n  - action: script\n    script: return null\n    priority: 2\n',
  'triggers.json': { triggers: [{ id: 'tests_red', tool: 'run_tests', message: 'Mend them.' }] },
};

interface Listed {
  readonly hooks: readonly KnownHook[];
  readonly problems: readonly { readonly part: string; readonly file: string }[];
}

describe('spec-hooks list', { timeout: 60_000 }, () => {
  test('where nothing is listed, says why', async () => {
    const project = projectFolder({
      'settings.json': { hooks: { BeforeLunch: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
      'hooks/own.ts':
        "import { defineHook } from '@spec/hooks';\nexport default defineHook({ hook: 'before_stop', id: 'own', execute: async () => null });\n",
    });
    expect(await project.cli(['list', '--config', 'settings.json'])).toEqual({
      code: 1,
      stdout: 'No hook is loaded.\n',
      stderr:
        'spec-hooks: an entry of settings.json is not loaded; spec-hooks check --config settings.json says why.\n',
    });
    const listed = await project.json<Listed>(['list', '--config', 'settings.json']);
    expect([listed.code, listed.problems]).toMatchObject([1, [{ part: 'settings', code: 'unknown_event' }]]);
    expect((await project.cli(['status', '--config', 'settings.json'])).code).toBe(1);
    expect((await project.cli(['list', '--hook', 'before_tool_call'])).stdout).toBe('No hook matches.\n');
    expect((await projectFolder().cli(['list'])).stdout).toMatch(/^There are no hooks here yet\./);
  });

  test('shows what the file calls an entry, and what it runs', async () => {
    const command = "echo '[Hook] User submitted a prompt'";
    const project = projectFolder({
      'settings.json': {
        hooks: {
          enabled: true,
          UserPromptSubmit: [{ name: 'test-hook', hooks: [{ type: 'command', command }] }],
        },
      },
    });
    const args = ['list', '--config', 'settings.json'];
    expect((await project.cli(args)).stdout).toContain("test-hook: echo '[Hook] User submitted");
    const { hooks } = await project.json<Listed>([...args]);
    expect(hooks.map(({ name, runs }) => [name, runs])).toEqual([['test-hook', command]]);
  });

  test('has every hook with where it comes from, in the order in which it runs', async () => {
    const { hooks, problems, code } = await projectFolder(files).json<Listed>(['list']);
    expect([code, problems]).toEqual([0, []]);
    const row = ({
      hook: name,
      id,
      from,
      source,
      scope,
      priority,
      timeoutMs,
      onError,
      onTimeout,
    }: KnownHook) => [name, id, from, source, scope, priority, timeoutMs, onError, onTimeout].join(' ');
    expect(hooks.map(row)).toEqual([
      'before_tool_call early module policies/first.ts:4 policy 5  block block',
      'before_tool_call claude_project_pre_tool_use_1 settings settings.json:7 policy 0 3000 continue continue',
      'before_tool_call claude_project_pre_tool_use_2 settings settings.json:17 policy 0 600000 continue continue',
      'before_tool_call rules_2 rules rules.yaml:5 policy 2 1000 continue continue',
      'before_tool_call no_rm rules rules.yaml:2 policy 0  block block',
      'before_tool_call late module policies/first.ts:3 policy -1  block block',
      'before_tool_call named_guard module hooks/named.ts:3 named 0 2000 block ask',
      'after_tool_batch tests_red triggers triggers.json policy 0  continue continue',
      'after_session_ended hub_project_2_agent_end_1 settings hub.json:4 policy 0 5000 continue continue',
    ]);
    expect(hooks[1]).toEqual({
      id: 'claude_project_pre_tool_use_1',
      hook: 'before_tool_call',
      kind: 'decide',
      from: 'settings',
      source: 'settings.json:7',
      scope: 'policy',
      priority: 0,
      timeoutMs: 3_000,
      onError: 'continue',
      onTimeout: 'continue',
      event: 'PreToolUse',
      matcher: 'Bash',
      runsIn: 'claude_project_before_tool_call',
      name: null,
      runs: 'true',
      effects: {
        onBlockingExit: 'block',
        onExit: 'continue',
        onTimeout: 'continue',
        onLaunchError: 'continue',
        onInvalidOutput: 'continue',
      },
    });
  });

  test('prints a table, and says what could not be loaded', async () => {
    const project = projectFolder({ ...files, 'policies/bad.ts': 'export default 1;' });
    const { code, stdout, stderr } = await project.cli(['list', '--hook', 'before_tool_call', '--all']);
    expect(code).toBe(1);
    expect(stdout).not.toContain('\u001b[');
    expect(stdout).toContain('before_tool_call  decide; before a tool call runs');
    expect(stdout).toMatch(
      /named_guard +hooks\/named\.ts:3 +named +Bash\(git push:\*\) +- +0 +2 s +block, ask on timeout/,
    );
    expect(stdout).toMatch(/claude_project_before_tool_call /);
    expect(stdout).not.toContain('tests_red');
    expect(stderr).toBe('spec-hooks: policies could not be loaded: spec-hooks check says why.\n');
  });

  test('has no colours where its output is no terminal, on a build server too', async () => {
    const { path } = projectFolder(files);
    const env = { NO_COLOR: undefined, CI: 'true' };
    expect((await runCliApart(['list'], { cwd: path, env })).stdout).not.toContain('\u001b[');
    const forced = { ...env, FORCE_COLOR: '1' };
    expect((await runCliApart(['list'], { cwd: path, env: forced })).stdout).toContain('\u001b[');
  });

  test('says how it is used', async () => {
    const project = projectFolder();
    expect((await project.cli(['list', '--help'])).stdout).toMatchSnapshot();
    const wrong = await project.cli(['list', '--hook', 'before_tool_cal']);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no hook "before_tool_cal". Did you mean "before_tool_call"?'),
    });
    const event = await project.cli(['list', '--hook', 'PreToolUse']);
    expect(event.stderr).toContain(
      'PreToolUse is an event of settings files. The hook that runs at this moment is "before_tool_call".',
    );
  });
});

describe('spec-hooks status', { timeout: 60_000 }, () => {
  test('counts hooks by event', async () => {
    const project = projectFolder(files);
    const { code, ...status } = await project.json<object>([
      'status',
      '--config',
      'settings.json',
      'hub.json',
    ]);
    expect(code).toBe(0);
    expect(status).toEqual({
      enabled: false,
      hooks: 3,
      events: 2,
      byEvent: [
        { hook: 'before_tool_call', count: 2, names: ['PreToolUse'] },
        { hook: 'after_session_ended', count: 1, names: ['AgentEnd'] },
      ],
      files: [
        { file: 'settings.json', dialect: 'claude', layer: 'project', hooks: 2, trust: 'unknown' },
        { file: 'hub.json', dialect: 'hub', layer: 'project', hooks: 1, trust: 'unknown' },
      ],
      denies: ['before_tool_call'],
      problems: [],
      switchedOff: [],
      notRead: [],
      agents: [],
    });
    const { stdout } = await project.cli(['status', '--config', 'settings.json', '--trust']);
    expect(stdout).toMatch(/status +on\s/);
    expect(stdout).toMatch(/before_tool_call +PreToolUse +2/);
  });

  test('says of untrusted files what run does: what they guard is denied, and nothing else', async () => {
    const gate = (event: string) => ({ [event]: [{ hooks: [{ type: 'command', command: 'true' }] }] });
    const project = projectFolder({
      'guard.json': { hooks: { ...gate('PreToolUse'), ...gate('SessionEnd') } },
      'rules.json': { hooks: { UserPromptSubmit: [{ action: 'deny', inputMatchers: { prompt: 'x' } }] } },
      'watch.json': { hooks: gate('PostToolUse') },
      'call.json': { tool_name: 'Bash', tool_input: { command: 'ls' } },
    });
    const status = async (...args: string[]) => (await project.cli(['status', '--config', ...args])).stdout;
    expect(await status('guard.json', 'rules.json')).toMatch(
      /status +off: no hook runs, and what untrusted files guard is denied \(before_user_message, before_tool_call\)\n/,
    );
    expect(await status('watch.json')).toMatch(/status +off: no hook runs\n/);
    expect(await status('guard.json', '--trust')).toMatch(/status +on\n/);
    project.write(
      'a.mjs',
      `import { defineHook } from '@spec/hooks';
      export default defineHook({ hook: 'after_thread_created', id: 'a', execute: async () => {} });`,
    );
    expect(await status('guard.json', '--hooks', '.')).toMatch(
      /status +on, but what untrusted files guard is denied \(before_tool_call\)\n/,
    );
    const run = ['run', '--event', 'PreToolUse', '--input', 'call.json', '--config', 'guard.json'];
    expect((await project.cli(run)).stdout).toContain('denied by');
  });

  test('says how it is used', async () => {
    expect((await projectFolder().cli(['status', '--help'])).stdout).toMatchSnapshot();
  });
});
