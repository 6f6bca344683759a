import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sampleRuntime } from '../../test/plain-dialect.ts';
import { projectFolder } from '../../test/project-folder.ts';
import { loadSettings } from '../load-settings.ts';
import { trustStore } from './store.ts';

/** A project whose guard is trusted, and what a call of Bash becomes of. */
async function trustedProject(
  hook: object,
  files: Readonly<Record<string, string>>,
  executable: readonly string[] = Object.keys(files),
) {
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', ...hook }] }] };
  const project = projectFolder({ '.claude/settings.json': { hooks }, ...files });
  for (const name of executable) chmodSync(join(project.path, name), 0o755);
  const file = join(project.path, '.claude/settings.json');
  const store = trustStore(join(projectFolder().path, 'trusted.json'));
  const load = async () => {
    const loaded = await loadSettings([file], { trust: store, projectDir: project.path });
    onTestFinished(() => loaded.close());
    return loaded;
  };
  const trustAgain = async () => store.trust(file, (await load()).files[0]?.trust?.fingerprint ?? '');
  await trustAgain();
  const trusted = await load();
  const callBash = async (): Promise<string | null | undefined> => {
    const { runtime } = sampleRuntime(trusted.hooks, [{ toolCalls: [{ name: 'Bash' }] }, 'Done.']);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Hello');
    return (await thread.messages()).find(({ role }) => role === 'tool')?.content;
  };
  const status = async () => (await load()).files[0]?.trust?.status;
  const unseen = trusted.findings.filter(({ code }) => code === 'unseen_script');
  return { project, callBash, status, trustAgain, unseen: unseen.map(({ message }) => message) };
}

const CHANGED = /a script that it names has changed since it was trusted/;
const guard = { g: '#!/bin/sh\nexit 2\n' };

test.each([
  [{ command: './g' }, guard],
  [{ command: '"$CLAUDE_PROJECT_DIR"/g' }, guard],
  [{ command: './g', args: [] }, guard],
  [{ command: 'command -p true; nohup ./g' }, guard],
  [{ command: 'sh outer.sh' }, { ...guard, 'outer.sh': './g || exit $?\n' }],
])('a guard that cannot be started any more is none that was trusted: %j', async (hook, files) => {
  const { project, callBash, status } = await trustedProject(hook, files);
  expect(await callBash()).not.toMatch(CHANGED);
  chmodSync(join(project.path, 'g'), 0o644);
  expect(await callBash()).toMatch(CHANGED);
  expect(await status()).toBe('changed');
  chmodSync(join(project.path, 'g'), 0o755);
  expect(await callBash()).not.toMatch(CHANGED);
});

/** A guard that is trusted, under a search path that begins in its project, as that of `npx` does. */
async function underNpx(command: string, files: Readonly<Record<string, string>>) {
  const before = process.env.PATH ?? '';
  const trusted = await trustedProject({ command }, { 'bin/.keep': '', ...files }, []);
  vi.stubEnv('PATH', `${join(trusted.project.path, 'bin')}:${before}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await trusted.trustAgain();
  const put = (name: string): void => {
    trusted.project.write(`bin/${name}`, '#!/bin/sh\nexit 0\n');
    chmodSync(join(trusted.project.path, 'bin', name), 0o755);
  };
  return { ...trusted, put };
}

test('a shell that the project puts on the search path reads no command of a guard', async () => {
  const { callBash, put } = await underNpx('echo guarded >&2; exit 2', {});
  expect(await callBash()).toContain('guarded');
  put('bash');
  expect(await callBash()).toContain('guarded');
});

test.each([
  ['. lib.sh', {}],
  ['source lib.sh', {}],
  ['sh g', { g: '. lib.sh\n' }],
])('a sourced file that appears on the search path in the project is noticed: %s', async (command, files) => {
  const { status, put } = await underNpx(command, { 'lib.sh': 'exit 2\n', ...files });
  expect(await status()).toBe('trusted');
  put('lib.sh');
  expect(await status()).toBe('changed');
});

test.each([
  'guile guard',
  'julia guard',
  'm4 guard',
  'bc guard',
  'opa eval -d guard',
  'opa eval --data=guard',
  'x -dguard',
])('what a program that nobody knows is given is in the fingerprint: %s', async (command) => {
  const { project, status, unseen } = await trustedProject({ command }, { guard: '1\n' }, []);
  expect(unseen).toEqual([]);
  project.write('guard', '2\n');
  expect(await status()).toBe('changed');
});

test.each([
  ['guile guard', 'guard', '(load "other")\n', 'The command gives guile guard, which may run or load more'],
  ['sqlite3 audit.db', 'audit.db', 'a\0b', 'The command gives sqlite3 audit.db, which may run or load more'],
  ['audit --to a.log', 'a.log', 'x\n', 'The command gives audit a.log, which may run or load more'],
  ['php8.2 guard', 'guard', '', 'The command starts php8.2, which runs what the project says'],
  ['python3 g.py', 'g.py', 'import yaml\n', 'The script g.py loads packages of Python'],
  ['.venv/bin/python g.py', 'g.py', '', 'starts a Python of the project, which loads what lies beside it'],
])('what it may load besides is told: %s', async (command, name, text, message) => {
  const { unseen } = await trustedProject({ command }, { [name]: text }, []);
  expect(unseen).toEqual([expect.stringContaining(message)]);
});

test('what it may load besides is told of a file that can be executed too', async () => {
  const { unseen } = await trustedProject({ command: 'guile guard' }, { guard: '(load "other")\n' });
  expect(unseen).toEqual([expect.stringContaining('gives guile guard, which may run or load more')]);
});

test('what a program writes, or only reads, may change', async () => {
  const files = { notes: '', 'audit.txt': '', rules: '', data: '', g: 'exit 0\n' };
  const command = 'cat notes; tee -a audit.txt; grep -q x rules; sh g data';
  const { project, status } = await trustedProject({ command }, files, ['g']);
  for (const name of ['notes', 'audit.txt', 'rules', 'data']) project.write(name, 'changed\n');
  expect(await status()).toBe('trusted');
});

test.each([
  'grep -qf rules',
  'grep -iEf rules x',
  'grep -frules x',
  'egrep --fil=rules',
  'cd sub && grep --file ../rules',
  'grep -e x --exclude-from=rules .',
  'env LC_ALL=C fgrep -f ./rules',
  'sh -c "git grep -f rules"',
  'xargs grep -f rules',
  'zgrep -f "$CLAUDE_PROJECT_DIR"/rules',
  'rg --ignore-file rules x',
  'jq -n --slurpfile deny rules .',
  'jq -nf rules',
  'jq -n --from-file rules',
  'jq -n --from-file=rules',
  'sed -nf rules',
  'awk -f rules',
  'curl -sK rules',
  'curl --config rules',
  'wget --config=rules',
  'make -f rules',
  'find -files0-from rules',
  'sha256sum --quiet -c rules',
  'sha256sum rules --check',
])('a file that an option of a command names is in the fingerprint: %s', async (command) => {
  const { project, callBash, status } = await trustedProject({ command }, { rules: '', 'sub/x': '' }, []);
  expect(await status()).toBe('trusted');
  project.write('rules', '1\n');
  expect(await status()).toBe('changed');
  expect(await callBash()).toMatch(CHANGED);
});

test.each(['RIPGREP_CONFIG_PATH=rg', 'CURL_HOME=.', 'WGETRC=rc'])(
  '%s names settings that nobody sees',
  async (set) => {
    const { unseen } = await trustedProject({ command: `${set} rg x` }, {}, []);
    expect(unseen).toEqual([expect.stringContaining('which says what programs load')]);
  },
);

test('a list of a script counts as one of its line', async () => {
  const files = { 'g.sh': 'grep -qf "$(dirname "$0")/rules" && exit 2\n', rules: 'rm\n' };
  const { project, status, unseen } = await trustedProject({ command: 'sh g.sh' }, files, []);
  expect(unseen).toEqual([]);
  project.remove('rules');
  expect(await status()).toBe('changed');
});

test.each([
  '[[ $1 =~ (make|npm) ]] && make',
  '[[ $1 =~ (x|make) ]]\nmake',
  '[[ $1 == x && make == y ]]; make == x',
  "sh -c '[[ $1 =~ (make|npm) ]]; make'",
  'case $1 in (make|npm) ;; esac; make',
  '[[ $1 =~ (make|npm); make; ]]',
  '[[ a || make || b ]]',
  '[[ a || (make) ]]',
  "'case' x in\nmake",
])('a command runs whose name stands in a test too: %s', async (command) => {
  const { unseen } = await trustedProject({ command }, {}, []);
  expect(unseen).toContainEqual(expect.stringContaining('starts make, which runs what the project says'));
});

test('a pattern of files runs behind a case too', async () => {
  const command = 'case $1 in *.a|*.b) : ;; esac; ./*.sh';
  const { project, status } = await trustedProject({ command }, { 'g.sh': 'exit 2\n' });
  project.write('g.sh', 'exit 0\n');
  expect(await status()).toBe('changed');
});

test.each([
  '[[ $1 =~ (make|npm) ]]',
  '[[ $1 == x && make == y ]]',
  '[[ $1 =~ \\.(make|npm)$ && make == y ]] && :',
  'case $1 in *.a|*.b) : ;; ?x|y) : ;; esac',
  'case $1 in\n  *.a|*.b) : ;;\n  ?x|*y) : ;;\nesac',
])('what a test and a case compare runs nothing: %s', async (command) => {
  const { unseen } = await trustedProject({ command }, {}, []);
  expect(unseen).toEqual([]);
});

test('a file that only the shell can tell is told', async () => {
  const { unseen } = await trustedProject({ command: 'grep -qf "$1" x; grep -f - x' }, {}, []);
  expect(unseen).toEqual([
    expect.stringContaining('The command gives grep a file that only the shell can tell'),
  ]);
});

test.each([
  'grep -ef rules',
  'grep -e -f -- rules',
  'grep -m1 rules x',
  'grep -- -f rules',
  'jq . rules',
  'curl -o K rules',
  'sha256sum rules',
])('what a command only reads is none: %s', async (command) => {
  const { project, status } = await trustedProject({ command }, { rules: '' }, []);
  project.write('rules', '1\n');
  expect(await status()).toBe('trusted');
});

test.each([
  'node --experimental-config-file=node.config.json g.mjs',
  'node --experimental-config-file node.config.json g.mjs',
  'node --experimental-default-config-file g.mjs',
  'node --experimental-policy=node.config.json g.mjs',
  'node --experimental-default-config_file g.mjs',
])('an option that has Node read a file is no switch: %s', async (command) => {
  const { project, status, unseen } = await trustedProject(
    { command },
    { 'g.mjs': '0;\n', 'node.config.json': '{}' },
    undefined,
  );
  if (unseen.length > 0) return;
  project.write('node.config.json', '{"nodeOptions":{"import":["./owned.mjs"]}}');
  expect(await status()).toBe('changed');
});

test('a file URL is a path', async () => {
  const lib = projectFolder({ 'a b.mjs': '0;\n' });
  const url = pathToFileURL(join(lib.path, 'a b.mjs')).href;
  const { callBash, status, unseen } = await trustedProject(
    { command: 'node g.mjs' },
    { 'g.mjs': `import '${url}';\n` },
  );
  expect(unseen).toEqual([]);
  expect(await callBash()).toBe('Bash ran');
  lib.write('a b.mjs', '1;\n');
  expect(await callBash()).toMatch(CHANGED);
  expect(await status()).toBe('changed');
});

test('a module that Python cannot take for its own may come', async () => {
  const files = { 'g.py': 'import json\n', 'package.json': '{"type":"module"}' };
  const { project, callBash, status } = await trustedProject({ command: 'python3 g.py; node -e 0' }, files);
  project.write('main.py', '');
  project.write('json/data', '');
  project.write('package.json', '{"type":"module","dependencies":{}}');
  expect(await callBash()).toBe('Bash ran');
  expect(await status()).toBe('trusted');
});
