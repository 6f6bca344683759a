import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteStore } from '@spec/runtime/sqlite';
import { describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

const messages = (text: string): readonly object[] => [
  { role: 'user', content: text },
  { role: 'assistant', content: 'Gladly.' },
];
const lines = (...talks: readonly (readonly [id: string, text: string])[]): string =>
  talks.map(([id, text]) => `${JSON.stringify({ id, messages: messages(text) })}\n`).join('');

const shout = `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_create_message', id: 'shout',
  execute: async (_state, message) => ({ ...message, content: message.content.replace('loud', 'LOUD') }) });`;

const files = {
  'one.jsonl': lines(['a', 'quiet'], ['b', 'loud']),
  'two.jsonl': lines(['c', 'loud'], ['a', 'quiet']),
  'hooks/shout.ts': shout,
  'settings.json': { hooks: {} },
  'rules.yaml': 'rules: [{ id: no_loud, event: UserPromptSubmit, action: deny, reason: Hush. }]\n',
};

const noProblem = { conversations: { failed: 0 }, problems: [] };

describe('spec-hooks replay of what is no recording', { timeout: 60_000 }, () => {
  const sentence = 'this is no text in UTF-8, and nothing of it is read from here on';

  test.each<[name: string, bytes: Uint8Array, said: string]>([
    ['noise.dat', Uint8Array.from({ length: 4_000 }, (_, i) => (i * 97) % 251), sentence],
    ['wide.jsonl', Buffer.from('\uFEFF{"messages":[]}\n'.repeat(30), 'utf16le'), sentence],
    ['words.txt', Buffer.from('hello\n'), 'not valid JSON'],
  ])('says that in one line, and nothing of hooks and models: %s', async (name, bytes, said) => {
    const project = projectFolder();
    writeFileSync(join(project.path, name), bytes);
    const { code, stdout } = await project.cli(['replay', name]);
    expect(code).toBe(1);
    expect(stdout.match(/^line \d+: .*$/gm)).toEqual([`line 1: ${said}`]);
    expect(stdout).not.toMatch(/What each hook did|What the model saw|What was stored/);
    expect(stdout).toMatch(/^Known shapes are OpenAI chat .+\.$/m);
    expect(stdout).toMatch(/✗ 0 conversations replayed/);
  });

  test('reads a text that holds the sign for what could not be read', async () => {
    const message = { role: 'user', content: 'caf\uFFFD' };
    const project = projectFolder({ 'talk.jsonl': JSON.stringify({ id: 'a', messages: [message] }) });
    expect((await project.cli(['replay', 'talk.jsonl'])).stdout).toContain('✓ 1 conversation replayed');
  });
});

describe('spec-hooks replay FILE FILE', { timeout: 60_000 }, () => {
  test('replays all into one database, and reports on each and on all of them', async () => {
    const { json, path } = projectFolder(files);
    const flags = ['--hooks', 'hooks', '--db', 'out.db', '--diff', '--bench', '--fail-on-change'];
    const { files: each, ...all } = await json<Record<string, unknown>>([
      ...['replay', 'one.jsonl', 'two.jsonl', './one.jsonl'],
      ...flags,
    ]);
    expect(all).toMatchObject({
      ...noProblem,
      code: 1,
      input: 'one.jsonl, two.jsonl',
      conversations: { replayed: 3, there: 1 },
      messages: { recorded: 6, stored: 6 },
      hooks: [{ id: 'shout', runs: 6, changed: 2 }],
      bench: [{ id: 'shout', count: 6 }],
      changes: [
        { input: 'one.jsonl', place: 'line 2', conversation: 'b' },
        { input: 'two.jsonl', place: 'line 1', conversation: 'c' },
      ],
    });
    expect(each).toEqual([
      {
        input: 'one.jsonl',
        conversations: { replayed: 2, there: 0, failed: 0 },
        messages: { recorded: 4, stored: 4 },
        problems: 0,
      },
      {
        input: 'two.jsonl',
        conversations: { replayed: 1, there: 1, failed: 0 },
        messages: { recorded: 2, stored: 2 },
        problems: 0,
      },
    ]);
    const again = await json(['replay', 'two.jsonl', 'one.jsonl', '--hooks', 'hooks', '--db', 'out.db']);
    expect(again).toMatchObject({ ...noProblem, code: 0, conversations: { replayed: 0, there: 4 } });
    const store = sqliteStore({ path: `${path}/out.db` });
    expect((await store.listThreads()).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
    await store.close();
  });

  test('names the file of whatever is wrong, and has a line for each', async () => {
    const { cli } = projectFolder({
      ...files,
      'other.jsonl': lines(['b', 'somebody else']),
      'broken.jsonl': `{\n${lines(['d', 'quiet'])}`,
      'blank.jsonl': '\n',
      'line.jsonl': `no JSON\n${lines(['e', 'quiet'])}`,
    });
    const names = ['one', 'other', 'broken', 'blank', 'line'].map((name) => `${name}.jsonl`);
    const { code, stdout } = await cli(['replay', ...names, '--no-hooks']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'other.jsonl, line 1 (b): Another conversation has the id b, at one.jsonl, line 2. Give one of them another id, or another database.\n',
    );
    expect(stdout).toMatch(/^broken\.jsonl, the JSON document: not valid JSON/m);
    expect(stdout).toMatch(/^blank\.jsonl, all of it: there is no conversation in it; known shapes are .+$/m);
    expect(stdout).toMatch(/^line\.jsonl, line 1: not valid JSON/m);
    expect(stdout).toMatch(/^ file +replayed +there already +messages +problems/m);
    expect(stdout).toMatch(/^ one\.jsonl +2 +0 +4 +0/m);
    expect(stdout).toMatch(/^ line\.jsonl +1 +0 +2 +1/m);
    expect(stdout).toContain('3 conversations replayed');
  });

  test('replays nothing where one of them cannot be read', async () => {
    const { cli, has } = projectFolder(files);
    for (const [name, code, problem] of [
      ['none.jsonl', 1, 'There is no file none.jsonl: give files of conversations, or - for standard input.'],
      ['hooks', 2, 'for a folder of sessions add --run-hooks.'],
      [
        '.claude/projects',
        1,
        'There is no folder .claude/projects, so Claude Code has left no sessions there',
      ],
    ] as const) {
      const result = await cli(['replay', 'one.jsonl', name, '--no-hooks', '--db', 'out.db']);
      expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(problem) });
    }
    expect(has('out.db')).toBe(false);
  });

  test('a conversation that the database refuses does not stand in the way of the one that it has', async () => {
    const { json } = projectFolder({
      'a.jsonl': lines(['q', 'quiet']),
      'b.jsonl': lines(['q', 'somebody else']),
    });
    const flags = ['--no-hooks', '--db', 'out.db'];
    await json(['replay', 'a.jsonl', ...flags]);
    expect(await json(['replay', 'b.jsonl', 'a.jsonl', ...flags])).toMatchObject({
      conversations: { replayed: 0, there: 1, failed: 1 },
      problems: [{ input: 'b.jsonl', id: 'q' }],
    });
  });

  test('a conversation in two files that a hook ends is replayed once, and told once', async () => {
    const { json } = projectFolder({
      'a.jsonl': lines(['q', 'quiet']),
      'b.jsonl': lines(['q', 'quiet']),
      'hooks/throws.ts': `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_create_message', id: 'throws', execute: async () => { throw new Error('no'); } });`,
    });
    expect(await json(['replay', 'a.jsonl', 'b.jsonl', '--hooks', 'hooks'])).toMatchObject({
      conversations: { failed: 2 },
      hooks: [{ id: 'throws', runs: 1 }],
      problems: [{ input: 'a.jsonl', id: 'q' }],
    });
  });

  test('tells conversations without an id apart by their file, also where files have one name', async () => {
    const { json, path } = projectFolder({
      'x/talk.jsonl': `${JSON.stringify(messages('one'))}\n`,
      'y/talk.jsonl': `${JSON.stringify(messages('two'))}\n`,
      'more.jsonl': `${JSON.stringify(messages('three'))}\n`,
    });
    const args = ['replay', 'x/talk.jsonl', 'y/talk.jsonl', 'more.jsonl', '--no-hooks', '--db', 'out.db'];
    expect(await json(args)).toMatchObject({ ...noProblem, code: 0, conversations: { replayed: 3 } });
    const store = sqliteStore({ path: `${path}/out.db` });
    const ids = (await store.listThreads()).map(({ id }) => id);
    expect(ids.sort()).toEqual(['more.jsonl:1', 'x/talk.jsonl:1', 'y/talk.jsonl:1']);
    await store.close();
  });

  test('takes files behind --config, and says so where a settings file has none of its own', async () => {
    const { cli, json } = projectFolder(files);
    const configs = ['--config', 'settings.json', '--config', 'rules.yaml', '--trust'];
    const replayed = await json(['replay', ...configs, 'one.jsonl', 'two.jsonl']);
    expect(replayed).toMatchObject({ hooksFrom: 'settings.json, rules.yaml', input: 'one.jsonl, two.jsonl' });
    for (const file of ['rules.yaml', 'settings.json']) {
      const { code, stdout, stderr } = await cli(['replay', 'one.jsonl', '--config', 'settings.json', file]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(
        `${file} is no recording, but a settings or rule file: each of them has a --config of its own, as in --config a.json --config ${file}.`,
      );
    }
  });
});
