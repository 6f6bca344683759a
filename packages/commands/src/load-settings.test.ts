// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what a shell fills in
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AnyHook } from '@spec/hooks';
import type { ScriptedStep } from '@spec/runtime/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sampleRuntime } from '../test/plain-dialect.ts';
import { projectFolder } from '../test/project-folder.ts';
import { dialectsWith } from './load/dialects.ts';
import type { LoadedSettings } from './load-settings.ts';
import { loadSettings, type SettingsOptions, type SettingsSource } from './load-settings.ts';

const bash = (command = 'ls'): ScriptedStep => ({ toolCalls: [{ name: 'Bash', input: { command } }] });

const claudeGate = (command: string, more: object = {}) => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command, ...more }] }] },
});

/** Sends one message to an agent with these hooks; gives what the tool call came to. */
async function play(hooks: readonly AnyHook[], script: readonly ScriptedStep[] = [bash(), 'Done.']) {
  const { runtime, ran } = sampleRuntime(hooks, script);
  const thread = await runtime.createThread({ agent: 'helper' });
  const result = await thread.send('Hello');
  const messages = await thread.messages();
  return {
    runtime,
    thread,
    ran,
    result,
    messages,
    toolResult: messages.find(({ role }) => role === 'tool')?.content,
  };
}

async function load(
  files: Readonly<Record<string, object | string>>,
  options: SettingsOptions = {},
  sources: readonly (string | SettingsSource)[] = Object.keys(files),
): Promise<LoadedSettings & { folder: ReturnType<typeof projectFolder> }> {
  const folder = projectFolder(files);
  const absolute = sources.map((source) =>
    typeof source === 'string'
      ? join(folder.path, source)
      : { ...source, file: join(folder.path, String(source.file)) },
  );
  const loaded = await loadSettings(absolute, { trust: 'all', projectDir: folder.path, ...options });
  onTestFinished(() => loaded.close());
  return { ...loaded, folder };
}

describe('a variable that is set where the agent runs', () => {
  const frozen = '[ "$DEPLOY_FREEZE" = 1 ] && { echo frozen >&2; exit 2; }; exit 0';
  const withheld = async (command: string, options: SettingsOptions = {}): Promise<string[]> => {
    vi.stubEnv('DEPLOY_FREEZE', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { findings } = await load({ '.claude/settings.json': claudeGate(command) }, options);
    return findings.flatMap(({ code, message }) => (code === 'withheld_variable' ? [message] : []));
  };

  test('and is withheld from a command that names it, is reported with the remedy', async () => {
    expect(await withheld(frozen)).toEqual([
      '$DEPLOY_FREEZE is set where the agent runs, and is not handed on: the command finds it empty. Name it in "pass", if the command may see it.',
    ]);
    expect(await withheld('echo $' + '{DEPLOY_FREEZE:-0}')).toHaveLength(1);
  });

  test('and is passed reaches the command, and nothing is reported', async () => {
    const { hooks, findings } = await load(
      { '.claude/settings.json': claudeGate(frozen) },
      { pass: ['DEPLOY_FREEZE'] },
    );
    vi.stubEnv('DEPLOY_FREEZE', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(findings.filter(({ code }) => code === 'withheld_variable')).toEqual([]);
    expect((await play(hooks)).toolResult).toContain('frozen');
  });

  test.each([
    'DEPLOY_FREEZE=0; echo $DEPLOY_FREEZE',
    'for DEPLOY_FREEZE in 1 2; do echo $DEPLOY_FREEZE; done',
    'echo DEPLOY_FREEZE',
    'echo $PATH $HOME $PWD $CLAUDE_PROJECT_DIR $NOT_SET_ANYWHERE',
  ])('is not reported for %s', async (command) => {
    expect(await withheld(command)).toEqual([]);
  });
});

describe('a settings file that somebody has', () => {
  test('of Claude Code guards tools', async () => {
    const { hooks, report, folder } = await load({
      '.claude/settings.json': {
        permissions: { allow: ['Bash'] },
        hooks: {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: [
                {
                  type: 'command',
                  command: `jq -r .tool_input.command | grep -q 'rm -rf' && { echo 'no rm -rf here' >&2; exit 2; }; exit 0`,
                },
              ],
            },
          ],
          PostToolUse: [
            {
              matcher: 'Bash|Edit',
              hooks: [{ type: 'command', command: 'jq -r .tool_response >> "$CLAUDE_PROJECT_DIR"/log' }],
            },
          ],
        },
      },
    });
    expect(hooks.map(({ id }) => id)).toContain('claude_project_before_tool_call');
    expect(report).toMatch(/settings\.json: project, claude \(by its path\), 2 hooks$/);
    const denied = await play(hooks, [bash('rm -rf /'), 'Done.']);
    expect(denied.ran).toEqual([]);
    expect(denied.toolResult).toContain('no rm -rf here');
    const ran = await play(hooks);
    expect(ran.ran).toEqual([{ command: 'ls' }]);
    expect(folder.read('log')).toContain('Bash ran');
  });

  test('of each other format too', async () => {
    const files = {
      'settings.json': {
        hooks: {
          PreToolUse: [{ matcher: 'Bash', command: 'echo "$TOOL_NAME" >> log', continueOnFailure: false }],
        },
      },
      'hub.json': {
        hooks: {
          PreToolUse: [
            { matcher: '^Bash$', command: 'echo {{input.command}} >> log', continueOnError: true },
          ],
        },
      },
      'service.json': {
        hooks: {
          enabled: true,
          UserPromptSubmit: [
            { name: 'branch', hooks: [{ type: 'command', command: 'echo "on branch main"' }] },
          ],
        },
      },
    };
    const { hooks, files: reports, folder } = await load(files);
    expect(reports.map(({ dialect, chosenBy }) => [dialect, chosenBy])).toEqual([
      ['settings', 'shape'],
      ['hub', 'shape'],
      ['service', 'shape'],
    ]);
    const { messages } = await play(hooks);
    expect(folder.read('log')).toBe('Bash\nls\n');
    expect(messages[1]?.content).toBe('on branch main');
  });
});

describe('the format', () => {
  const flat = { hooks: { PreToolUse: [{ command: 'true' }] } };

  test('is what the file’s key says, or the caller', async () => {
    const byKey = await load({ 'a.json': { ...flat, dialect: 'hub' } });
    expect(byKey.files[0]).toMatchObject({ dialect: 'hub', chosenBy: 'key' });
    const told = await load({ 'a.json': flat }, {}, [{ file: 'a.json', dialect: 'hub' }]);
    expect(told.files[0]).toMatchObject({ dialect: 'hub', chosenBy: 'option' });
  });

  const nested = { matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] };
  const mixed = { hooks: { PreToolUse: [nested, { matcher: 'Write', command: 'true' }, nested] } };

  test.each(['.claude/settings.json', '.claude/settings.local.json'])(
    'of %s is Claude Code’s, and an entry of another format there is left out alone',
    async (file) => {
      const { files, entries, findings } = await load({ [file]: mixed });
      expect(files[0]).toMatchObject({ dialect: 'claude', chosenBy: 'path' });
      expect(entries.map(({ position }) => position.path)).toEqual([
        'hooks.PreToolUse[0].hooks[0]',
        'hooks.PreToolUse[2].hooks[0]',
      ]);
      expect(findings.map(({ level, code, position }) => [level, code, position.path])).toEqual([
        ['error', 'bad_shape', 'hooks.PreToolUse[1]'],
      ]);
    },
  );

  test('of a path gives way to what the file’s key says, and the caller', async () => {
    const file = '.claude/settings.json';
    const byKey = await load({ [file]: { ...flat, dialect: 'hub' } });
    expect(byKey.files[0]).toMatchObject({ dialect: 'hub', chosenBy: 'key' });
    const told = await load({ [file]: flat }, {}, [{ file, dialect: 'settings' }]);
    expect(told.files[0]).toMatchObject({ dialect: 'settings', chosenBy: 'option' });
  });

  test('of a path takes nothing that stands outside of "hooks", and says so', async () => {
    const { entries, findings } = await load({ '.claude/settings.json': flat.hooks });
    expect(entries).toEqual([]);
    expect(findings.map(({ level, code, position }) => [level, code, position.path])).toEqual([
      ['error', 'no_hooks_key', 'PreToolUse'],
    ]);
    const others = await load({ '.claude/settings.json': { permissions: {} } });
    expect(others.findings.map(({ code }) => code)).toEqual(['no_hooks']);
  });

  test('by shape is that of most entries', async () => {
    const { files, entries } = await load({ 'hooks.json': mixed });
    expect(files[0]).toMatchObject({ dialect: 'claude', chosenBy: 'shape' });
    expect(entries).toHaveLength(2);
    const list = [{ command: 'true' }, { command: 'true' }, nested];
    const flatFirst = await load({ 'hooks.json': { hooks: { PreToolUse: list } } });
    expect(flatFirst.files[0]).toMatchObject({ dialect: 'settings' });
  });

  test('that nobody knows is refused with a way out', async () => {
    const names = dialectsWith().map(({ name }) => name);
    await expect(load({ 'a.json': { ...flat, dialect: 'cluade' } })).rejects.toThrow(
      new RegExp(
        `a\\.json:\\d+:\\d+ dialect: "dialect" must be one of ${names.join(', ')}\\. Did you mean "claude"\\?`,
      ),
    );
    await expect(load({ 'a.json': { hooks: { onSave: { run: 'x' } } } })).rejects.toThrow(
      'Say which it is by a key "dialect"',
    );
  });
});

describe('several files', () => {
  const appends = (word: string) => claudeGate(`echo ${word} >> order`);

  test('are merged in the order user, project, local', async () => {
    const { entries, hooks, folder, files } = await load(
      {
        'local.json': appends('local'),
        'user.json': appends('user'),
        'one.json': appends('one'),
        'two.json': appends('two'),
      },
      {},
      [{ file: 'local.json', layer: 'local' }, 'one.json', { file: 'user.json', layer: 'user' }, 'two.json'],
    );
    expect(entries.map(({ id }) => id)).toEqual([
      'claude_user_pre_tool_use_1',
      'claude_project_pre_tool_use_1',
      'claude_project_2_pre_tool_use_1',
      'claude_local_pre_tool_use_1',
    ]);
    expect(files.map(({ layer }) => layer)).toEqual(['user', 'project', 'project', 'local']);
    await play(hooks);
    expect(folder.read('order')).toBe('user\none\ntwo\nlocal\n');
  });

  test('*.local.json is local', async () => {
    const { files } = await load({ 'settings.local.json': appends('a') });
    expect(files[0]?.layer).toBe('local');
  });

  test('loaded under names they do not get into each other’s way', async () => {
    const one = await load({ 'a.json': appends('a') });
    const other = await load({ 'a.json': appends('a') }, { name: 'review' });
    expect(other.entries[0]?.id).toBe('review_claude_project_pre_tool_use_1');
    expect((await play([...one.hooks, ...other.hooks])).ran).toHaveLength(1);
  });
});

describe('a plugin whose manifest names its hooks', () => {
  const hooks = {
    SessionStart: [{ hooks: [{ type: 'command', command: 'sh "${CLAUDE_PLUGIN_ROOT}/say.sh"' }] }],
  };
  const files = (named: unknown) => ({
    'plugin/.claude-plugin/plugin.json': { name: 'p', hooks: named },
    'plugin/claude-hooks/hooks.json': { hooks },
    'plugin/say.sh': 'echo "$CLAUDE_PLUGIN_ROOT"\n',
  });

  test.for<[named: unknown, isNamed: boolean]>([
    ['./claude-hooks/hooks.json', true],
    [['./more.json', './claude-hooks/hooks.json'], true],
    ['./other.json', false],
    ['../plugin2/hooks.json', false],
    [{ SessionStart: [] }, false],
  ])('has its folder, and its scripts are in the fingerprint: %j', async ([named, isNamed]) => {
    const sources = ['plugin/claude-hooks/hooks.json'];
    const { findings, files: reports, hooks: loaded, folder } = await load(files(named), {}, sources);
    expect(findings.map(({ code }) => code)).toEqual(isNamed ? [] : ['unknown_variable']);
    const root = join(folder.path, 'plugin');
    expect(reports[0]?.trust?.scripts).toEqual([isNamed ? join(root, 'say.sh') : '/say.sh']);
    const { messages } = await play(loaded, ['Done.']);
    expect(messages.some(({ content }) => content === root)).toBe(isNamed);
  });
});

describe('what is wrong', () => {
  test('a missing file has no hooks, and one without hooks says so', async () => {
    const { findings, hooks, report } = await load({ 'none.json': {} }, {}, ['none.json', 'missing.json']);
    expect(findings.map(({ level, code }) => `${level} ${code}`)).toEqual(['note no_hooks', 'note no_file']);
    expect(report).toContain('not loaded');
    expect((await play(hooks)).ran).toHaveLength(1);
  });

  test.for<[object, SettingsOptions, string | undefined]>([
    [{ url: 'https://example.com/a' }, {}, 'goes ahead: the host example.com may not be asked'],
    [{ url: 'https://example.com/a', onFailure: 'block' }, {}, 'is refused: the host example.com may not be'],
    [{ url: 'https://example.com/a' }, { allowedHosts: ['example.com'] }, undefined],
    [{ url: 'http://localhost:1/a' }, {}, undefined],
    [{ url: 'http://localhost/a', allowedEnvVars: ['TOKEN'] }, {}, 'need the variable TOKEN of the host'],
    [{ url: 'http://localhost/a', allowedEnvVars: ['TOKEN'] }, { pass: ['TOKEN'] }, undefined],
  ])('an entry that can never be asked is told: %j under %j', async ([more, options, why]) => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'http', ...more }] }] };
    const { findings } = await load({ 'a.json': { hooks } }, options);
    const told = findings.filter(({ code }) => code === 'never_asked').map(({ message }) => message);
    expect(told).toEqual(why === undefined ? [] : [expect.stringContaining(why)]);
  });

  test('files that cannot be read are all named in one refusal', async () => {
    const loading = load({
      'a.json': '{ "hooks": {\n [ }',
      'b.json': '[...]',
      'good.json': claudeGate('true'),
    });
    await expect(loading).rejects.toMatchObject({ name: 'DefinitionError', code: 'bad_definition' });
    await expect(loading).rejects.toThrow(/a\.json:2:2.*\n.*b\.json:1:2.*replace "\.\.\." with the entries/s);
  });

  test('one file that cannot be read is refused in one line that names it once', async () => {
    await expect(load({ 'a.json': '{ "hooks": {\n [ }' })).rejects.toMatchObject({
      message: expect.stringMatching(/^\S*a\.json:2:2: This file cannot be read: [^\n]+ \(bad_json\)$/),
    });
  });

  test.skipIf(process.platform === 'win32').for<[string, (path: string) => void]>([
    ['it is no regular file (not_regular)', (path) => void execFileSync('mkfifo', [path])],
    ['it is no regular file (not_regular)', (path) => symlinkSync('/dev/zero', path)],
    ['it is a folder (EISDIR)', (path) => mkdirSync(path)],
    ['it has more than 1 MB (too_large)', (path) => writeFileSync(path, ' '.repeat(2 ** 20 + 1))],
    ['the system says ELOOP (ELOOP)', (path) => symlinkSync(path, path)],
  ])('a file that is none to be read is refused, and never waited for: %s', async ([why, make]) => {
    const path = join(projectFolder().path, 'settings.json');
    make(path);
    await expect(loadSettings([path])).rejects.toMatchObject({
      code: 'bad_definition',
      message: expect.stringContaining(`This file cannot be read: ${why}.`),
    });
  });

  test('a bad entry is left out alone', async () => {
    const { entries, findings } = await load({
      'a.json': {
        hooks: {
          PreToolUse: [
            { matcher: '(', hooks: [{ type: 'command', command: 'true' }] },
            { matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] },
          ],
          PreTolUse: [{ hooks: [{ type: 'command', command: 'true' }] }],
        },
      },
    });
    expect(entries.map(({ id }) => id)).toEqual(['claude_project_pre_tool_use_2']);
    expect(findings.map(({ level, code, position }) => `${level} ${code} ${position.path}`)).toEqual([
      'error unknown_event hooks.PreTolUse',
      'error bad_matcher hooks.PreToolUse[0].hooks[0]',
    ]);
  });
});

describe('options', () => {
  test('harden what failures do, and never soften it', async () => {
    const files = { 'a.json': claudeGate('sleep 30', { timeout: 0.3 }) };
    expect((await play((await load(files)).hooks)).ran).toHaveLength(1);
    const hardened = await load(files, { onTimeout: 'block' });
    const { ran, toolResult } = await play(hardened.hooks);
    expect(ran).toEqual([]);
    expect(toolResult).toContain('no answer within 300 ms');
    const gate = { 'a.json': { hooks: { PreToolUse: [{ command: 'exit 1', continueOnFailure: false }] } } };
    const soft = await load(gate, { onExit: 'continue' });
    expect((await play(soft.hooks)).ran).toEqual([]);
  });

  test('the host’s secrets are not in a command’s environment, but what is passed', async () => {
    vi.stubEnv('SECRET_TOKEN', 's3cret');
    vi.stubEnv('EDITOR_NAME', 'ed');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { hooks, folder } = await load(
      { 'a.json': claudeGate('env > env.txt') },
      { pass: ['EDITOR_NAME'] },
    );
    await play(hooks);
    expect(folder.read('env.txt')).not.toContain('s3cret');
    expect(folder.read('env.txt')).toContain('EDITOR_NAME=ed');
    expect(folder.read('env.txt')).toContain(`CLAUDE_PROJECT_DIR=${folder.path}`);
  });

  test('close ends what runs in the background', async () => {
    const loaded = await load({
      'a.json': {
        hooks: {
          PostToolUse: [{ hooks: [{ type: 'command', command: 'echo $$ > pid; sleep 30', async: true }] }],
        },
      },
    });
    await play(loaded.hooks);
    await vi.waitFor(() => expect(loaded.folder.read('pid')).toMatch(/\d\n/));
    await loaded.close();
    expect(() => process.kill(Number(loaded.folder.read('pid')), 0)).toThrow();
  });
});

test('a guard whose settings were closed denies', async () => {
  const { hooks, close } = await load({ 'a.json': claudeGate('true') });
  await close();
  const { ran, toolResult } = await play(hooks);
  expect(ran).toEqual([]);
  expect(toolResult).toContain('the settings that it comes from were closed');
});

describe('watching', () => {
  async function watching(text: object | string) {
    const folder = projectFolder({ 'settings.json': text });
    const heard: string[] = [];
    const { runtime, ran } = sampleRuntime(
      [],
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? bash() : 'Done.')),
    );
    const watch = await loadSettings([join(folder.path, 'settings.json')], {
      watch: true,
      interval: 20,
      trust: 'all',
      projectDir: folder.path,
      onSwap({ hooks, entries }) {
        runtime.swapPolicies(hooks);
        heard.push(`${entries.length}`);
      },
      onRefused: ({ message }) => void heard.push(message),
    });
    onTestFinished(() => watch.close());
    runtime.swapPolicies(watch.current.hooks);
    const thread = await runtime.createThread({ agent: 'helper' });
    const next = async (): Promise<string> => {
      await vi.waitFor(() => expect(heard).not.toEqual([]), { timeout: 5_000 });
      return heard.shift() as string;
    };
    return { folder, watch, thread, ran, heard, next };
  }

  const deny = claudeGate('exit 2');

  test('a changed file holds from the next event on, and a removed hook stops at once', async () => {
    const { folder, watch, thread, ran, next } = await watching(deny);
    await thread.send('Hello');
    expect(ran).toHaveLength(0);
    folder.write('settings.json', JSON.stringify({ hooks: {} }));
    expect(await next()).toBe('0');
    await thread.send('Hello');
    expect(ran).toHaveLength(1);
    folder.write('settings.json', JSON.stringify(deny));
    expect(await next()).toBe('1');
    await thread.send('Hello');
    expect(ran).toHaveLength(1);
    expect(watch.current.entries).toHaveLength(1);
  });

  test('a bad new version keeps the old one and says so, once', async () => {
    const { folder, watch, thread, ran, heard, next } = await watching(deny);
    folder.write('settings.json', '{ "hooks": ');
    expect(await next()).toContain('settings.json:1:12');
    await delay(100);
    expect(heard).toEqual([]);
    await thread.send('Hello');
    expect(ran).toHaveLength(0);
    expect(watch.current.entries).toHaveLength(1);
    folder.write('settings.json', JSON.stringify({}));
    expect(await next()).toBe('0');
  });

  test('a file that comes later is loaded, one that goes takes its hooks along', async () => {
    const { folder, next } = await watching(deny);
    folder.remove('settings.json');
    expect(await next()).toBe('0');
    folder.write('settings.json', JSON.stringify(deny));
    expect(await next()).toBe('1');
  });

  test('what runs in the background is drained by the session although its hook is gone', async () => {
    const { folder, thread, next } = await watching({
      hooks: {
        PostToolUse: [{ hooks: [{ type: 'command', command: 'sleep 0.6; touch done', async: true }] }],
      },
    });
    await thread.send('Hello');
    folder.write('settings.json', '{}');
    expect(await next()).toBe('0');
    await thread.close();
    expect(folder.read('done')).toBe('');
  });

  test('refuses an interval that is none', async () => {
    const listeners = { onSwap: () => {}, onRefused: () => {} };
    await expect(loadSettings([], { watch: true, interval: 0, ...listeners })).rejects.toThrow(
      'interval must be',
    );
  });
});

test('a script that is not executable is told apart from one that is missing', async () => {
  const files = {
    'a.json': claudeGate('./check.sh', { onFailure: 'block' }),
    'check.sh': '#!/bin/sh\nexit 0\n',
  };
  const { hooks, folder } = await load(files, {}, ['a.json']);
  const before = await play(hooks);
  expect(before.toolResult).toContain('(126)');
  chmodSync(join(folder.path, 'check.sh'), 0o755);
  expect((await play(hooks)).ran).toHaveLength(1);
  folder.remove('check.sh');
  expect((await play(hooks)).toolResult).toContain('(127)');
});

describe('an entry that is wrong', () => {
  const files = {
    'a.json': { hooks: { PreToolUse: [{ matcher: '[', hooks: [{ type: 'command', command: 'exit 2' }] }] } },
  };

  test('is left out, or has the file refused where nobody wants an agent without it', async () => {
    const { entries, findings } = await load(files);
    expect([entries.length, findings.map(({ code }) => code)]).toEqual([0, ['bad_matcher']]);
    await expect(load(files, { onBadEntry: 'refuse' })).rejects.toMatchObject({
      code: 'bad_definition',
      message: expect.stringMatching(/^\S*a\.json:\d+:\d+ hooks\.\S+: [^\n]+ \(bad_matcher\)$/),
    });
  });

  test('is none where all are right', async () => {
    const { entries } = await load({ 'a.json': claudeGate('true') }, { onBadEntry: 'refuse' });
    expect(entries).toHaveLength(1);
  });
});

describe('variables of another format', () => {
  test.for<[string, object, string[]]>([
    [
      'service',
      {
        PreToolUse: [
          { name: 'a', hooks: [{ type: 'command', command: 'echo $TOOL_NAME $FILE_PAHT $FILE_PATH' }] },
        ],
      },
      [
        '$TOOL_NAME is a variable of another',
        '$FILE_PAHT is no variable of this format. Did you mean $FILE_PATH?',
      ],
    ],
    [
      'hub',
      { PreToolUse: [{ command: 'INPUT=1; echo $INPUT $OUTPUT {{toolName}}', continueOnError: true }] },
      ['$OUTPUT is a variable of another'],
    ],
  ])('are reported in %s', async ([dialect, hooks, expected]) => {
    const { findings } = await load({ 'a.json': { dialect, hooks } });
    const told = findings.filter(({ code }) => code === 'unknown_variable').map(({ message }) => message);
    expect(told).toHaveLength(expected.length);
    for (const [i, text] of expected.entries()) expect(told[i]).toContain(text);
  });
});

test.each([true, 'everything', {}, null])(
  'trust that is %j is refused with what it may be',
  async (trust) => {
    await expect(loadSettings(['settings.json'], { trust } as object)).rejects.toThrow(
      /^loadSettings: trust must be a store, as trustStore\(\) gives one, or 'all'/,
    );
  },
);
