import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../test/project-folder.ts';
import { calls, stage } from '../../test/scene.ts';
import { settingsFile } from '../../test/settings-file.ts';
import { claude, createClaude } from '../dialects/claude/index.ts';
import { hub } from '../dialects/hub.ts';
import { service } from '../dialects/service/index.ts';
import { settings } from '../dialects/settings.ts';
import type { CompiledEntry, Dialect, Occasion } from '../normal-form.ts';
import { whyNot } from './why-not.ts';

/** Fits no text of such letters, and takes ages to say so. */
const ENDLESS = '(a+)+$';
const endlessFor = `${'a'.repeat(40)}!`;

const nested = (command: string, more: object = {}, group: object = {}): object => ({
  ...group,
  hooks: [{ type: 'command', command, ...more }],
});

/** What a call of `Bash` comes to where these guard it. */
async function guardedBy(dialect: Dialect, hooks: object, inputs: readonly Record<string, unknown>[]) {
  const script = inputs.flatMap((input) => [calls('Bash', input), 'Done.']);
  const scene = await stage({ dialect, files: [hooks], script });
  for (const _ of inputs) await scene.thread.send('Go on.');
  const runs = (await scene.thread.runs()).filter(({ id }) => /_\d+$/.test(id));
  return { ran: scene.ran, runs, messages: await scene.thread.messages() };
}

describe('a pattern that does not end', () => {
  const slow = { command: endlessFor };

  test.each<[string, Dialect, object]>([
    [
      'hub inputMatchers',
      hub,
      { PreToolUse: [{ inputMatchers: { command: ENDLESS }, command: 'true', continueOnError: false }] },
    ],
    [
      'service commands',
      service,
      { failureBehavior: 'ignore', PreToolUse: [nested('true', {}, { matcher: { commands: ENDLESS } })] },
    ],
  ])('denies in %s, is named, and is not tested again', async (_, dialect, hooks) => {
    // Tested again, the second would be let through: the pattern says at once that it does not fit.
    const { ran, runs } = await guardedBy(dialect, hooks, [slow, { command: 'b' }]);
    expect(ran).toEqual([]);
    const denied = { outcome: 'failed', code: 'regex_timeout' };
    expect(runs).toMatchObject([denied, denied]);
    expect(runs[0]?.why).toMatch(
      /^The pattern \/\(a\+\)\+\$\/ of (input\.)?commands? \(on a text of 41 char/,
    );
  });

  test.each<[string, Dialect, object]>([
    ['hub', hub, { PreToolUse: [{ matcher: ENDLESS, command: 'true', continueOnError: false }] }],
    ['service', service, { PreToolUse: [nested('true', {}, { matcher: { tools: ENDLESS } })] }],
    ['claude', claude, { PreToolUse: [nested('true', {}, { matcher: ENDLESS })] }],
    [
      'settings',
      settings,
      { PreToolUse: [{ matcher: `/${ENDLESS}/`, command: 'true', continueOnFailure: false }] },
    ],
  ])('on the name of a tool denies in %s', async (_, dialect, hooks) => {
    const [compiled] = dialect.read(settingsFile({ hooks })).entries.map((entry) => dialect.compile(entry));
    const occasion = {
      tool: { id: '1', name: endlessFor, input: {} },
      projectDir: '/',
    } as unknown as Occasion;
    expect(whyNot(compiled as CompiledEntry, occasion)).toMatchObject({
      code: 'regex_timeout',
      mustBlock: true,
    });
  });

  test('of an entry that guards nothing is a failure and no more', async () => {
    const entry = { inputMatchers: { command: ENDLESS }, command: 'true', continueOnError: true };
    const { ran, runs } = await guardedBy(hub, { PreToolUse: [entry] }, [slow]);
    expect(ran).toHaveLength(1);
    expect(runs).toMatchObject([{ outcome: 'failed', code: 'regex_timeout' }]);
  });

  const entryFor = (command: string): object => ({
    inputMatchers: { command },
    command: 'true',
    continueOnError: true,
  });

  test('does not keep other entries from being tested', async () => {
    const entries = [entryFor(ENDLESS), entryFor('a+!')];
    const { runs } = await guardedBy(hub, { PreToolUse: entries }, [slow]);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['failed', 'ok']);
  });

  test('of ten of them, two are tested', async () => {
    const entries = Array.from({ length: 10 }, (_, i) => entryFor(`(a+)+${i}$`));
    const { runs } = await guardedBy(hub, { PreToolUse: entries }, [slow]);
    expect(runs.map(({ code }) => code)).toEqual(entries.map(() => 'regex_timeout'));
    const untested = runs.filter(
      ({ why }) => why?.includes('patterns of other entries used up the time') === true,
    );
    expect(untested).toHaveLength(8);
  });
});

describe('what cannot be handed over', () => {
  test.each([
    ['half a character', 'x\ud800'],
    ['a NUL', 'x\0'],
  ])('denies before a guard, whatever a failure does: %s', async (_, file_path) => {
    const input = { command: 'ls', file_path };
    const ignoring = { failureBehavior: 'ignore', PreToolUse: [nested('exit 2')] };
    expect((await guardedBy(service, ignoring, [input])).ran).toEqual([]);
    const legacy = createClaude({ legacyVariables: true });
    expect((await guardedBy(legacy, { PreToolUse: [nested('exit 2')] }, [input])).ran).toEqual([]);
  });

  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const told: readonly (readonly [string, object])[] = [
    ['half a character', { command: 'ls \ud800' }],
    ['half a character in a name', { command: 'ls', '\udc00': 1 }],
    ['too many levels', { command: 'ls', x: deep(150) }],
  ];
  const READS = 'grep -q "no such word" && exit 2; exit 0';
  const URL_OF_NOBODY = 'http://127.0.0.1:9/';

  test.each(told)(
    'on standard input, as a request or to a model or a tool denies before a guard: %s',
    async (_, input) => {
      const guards: readonly (readonly [Dialect, object])[] = [
        [claude, nested(READS)],
        [claude, { hooks: [{ type: 'http', url: URL_OF_NOBODY }] }],
        [claude, { hooks: [{ type: 'prompt', prompt: 'Fine?' }] }],
        [claude, { hooks: [{ type: 'agent', prompt: 'Fine?' }] }],
        [claude, { hooks: [{ type: 'mcp_tool', tool: 'Bash', input: {} }] }],
        [service, nested(READS)],
        [settings, { command: READS, continueOnFailure: false }],
        [hub, { command: READS, continueOnError: false }],
      ];
      for (const [dialect, guard] of guards) {
        const { ran, messages } = await guardedBy(dialect, { PreToolUse: [guard] }, [{ ...input }]);
        expect(ran).toEqual([]);
        expect(JSON.stringify(messages)).toMatch(
          /could not be started \((?:lone_surrogate|nested_too_deep)\)/,
        );
      }
    },
  );

  test.each(told)('fails where nothing is guarded: %s', async (_, input) => {
    const { ran, runs } = await guardedBy(claude, { PostToolUse: [nested(READS)] }, [{ ...input }]);
    expect(ran).toHaveLength(1);
    expect(runs).toMatchObject([{ outcome: 'failed', code: 'hook_failed' }]);
  });
});

describe('a guard whose script reads a variable by itself', () => {
  const large = { command: `rm -rf / # ${'x'.repeat(100_000)}` };
  const small = { command: 'rm -rf /' };
  const denies = (text: string) => `${text}\ngrep -q "rm -rf" && exit 1\nexit 0\n`;

  /** Which of the calls ran under a guard with this script. */
  async function ran(command: string, files: Readonly<Record<string, string>>, continueOnFailure = false) {
    const folder = projectFolder(files);
    for (const name of Object.keys(files)) chmodSync(join(folder.path, name), 0o755);
    const script = [calls('Bash', small), 'Done.', calls('Bash', large), 'Done.'];
    const hooks = { PreToolUse: [{ matcher: 'Bash', command, continueOnFailure }] };
    const scene = await stage({ dialect: settings, files: [hooks], script, folder });
    await scene.thread.send('Go on.');
    await scene.thread.send('Go on.');
    const runs = (await scene.thread.runs()).filter(({ id }) => /_\d+$/.test(id));
    return { ran: scene.ran.length, codes: runs.map(({ code }) => code) };
  }

  test.each<[string, string, Readonly<Record<string, string>>]>([
    [
      'a shell',
      './check.sh',
      { 'check.sh': '#!/bin/sh\nprintf %s "$INPUT" | grep -q "rm -rf" && exit 1; exit 0\n' },
    ],
    [
      'a shell, behind another',
      'sh a.sh',
      { 'a.sh': '. ./b.sh\n', 'b.sh': 'case $INPUT in *"rm -rf"*) exit 1;; esac\n' },
    ],
    [
      'another program',
      'node check.js',
      { 'check.js': 'process.exit(/rm -rf/.test(process.env.INPUT) ? 1 : 0);\n' },
    ],
    [
      'a shell that sets it from itself',
      'sh a.sh',
      { 'a.sh': 'INPUT="$INPUT"\necho "$INPUT" | grep -q "rm -rf" && exit 1; exit 0\n' },
    ],
  ])('%s: denies where it is too large', async (_, command, files) => {
    expect(await ran(command, files)).toEqual({ ran: 0, codes: [undefined, 'input_too_large'] });
  });

  test('runs where the script reads its standard input', async () => {
    const bySelf = { 'check.sh': denies('INPUT=$(cat)\nprintf %s "$INPUT" |') };
    expect(await ran('sh check.sh', bySelf)).toEqual({ ran: 0, codes: [undefined, undefined] });
    const other = { 'check.sh': denies('cat |') };
    expect(await ran('sh check.sh', other)).toEqual({ ran: 0, codes: [undefined, undefined] });
  });
});

describe('an allow', () => {
  const allowing = nested('echo \'{"decision":"approve"}\'', { if: 'Bash(git status:*)' });
  const byCommands = nested('echo \'{"decision":"allow"}\'', {}, { matcher: { commands: '^git status' } });
  const byTool = nested('echo \'{"decision":"allow"}\'', {}, { matcher: { tools: 'Bash' } });

  test.each<[string, Dialect, object, string, number]>([
    ['claude', claude, allowing, 'git status -s', 1],
    ['claude', claude, allowing, 'git status; rm -rf ~', 0],
    ['claude', claude, allowing, 'FOO=1 git status', 0],
    ['claude', claude, allowing, 'git status $(rm x)', 0],
    ['service', service, byCommands, 'git status -s', 1],
    ['service', service, byCommands, 'git status; rm -rf ~', 0],
    ['service', service, byTool, 'git status; ls', 1],
  ])('in %s is for what its matcher names, and nothing besides', async (_, dialect, entry, command, ran) => {
    const script = [calls('Bash', { command }), 'Done.'];
    const files = [{ PreToolUse: [entry] }];
    const scene = await stage({ dialect, files, script });
    await scene.thread.setPermissionMode('deny');
    await scene.thread.send('Go on.');
    expect(scene.ran).toHaveLength(ran);
    const [run] = (await scene.thread.runs()).filter(({ id }) => /_\d+$/.test(id));
    expect(run).toMatchObject(
      ran === 1 ? { outcome: 'ok' } : { outcome: 'ok', why: expect.stringContaining('does not count') },
    );
  });
});

describe('what entries are told', () => {
  test('has the mode that was set for the thread', async () => {
    const hooks = { PreToolUse: [nested('cat >> told; echo >> told')] };
    const script = [calls('Bash'), 'Done.', calls('Bash'), 'Done.'];
    const { thread, folder } = await stage({ dialect: service, files: [hooks], script });
    await thread.send('Go on.');
    await thread.setPermissionMode('allow');
    await thread.send('Go on.');
    const told = folder.read('told').trim().split('\n');
    expect(told.map((line) => (JSON.parse(line) as { permission_mode: string }).permission_mode)).toEqual([
      'default',
      'allow',
    ]);
  });

  test.each<[string, Dialect, object]>([
    ['settings', settings, { command: 'echo "$OUTPUT" > told' }],
    ['hub', hub, { command: 'cat > told' }],
  ])('has calls that fail, after the tool, in %s', async (_, dialect, entry) => {
    const files = [{ PostToolUse: [{ matcher: 'Bash', ...entry }] }];
    const { thread, folder } = await stage({ dialect, files, failing: ['Bash'] });
    await thread.send('Go on.');
    await thread.close();
    expect(folder.read('told')).toMatch(/"status":"error"|"is_error":true/);
  });
});
