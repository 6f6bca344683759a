import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/program.ts';
import { textChanges } from '../src/replay/changes.ts';
import { replayConversation } from '../src/replay/replay-conversation.ts';
import { showChanges } from '../src/replay/show-changes.ts';
import { runCli, runCliApart } from './run-cli.ts';

const session = join(import.meta.dirname, 'transcripts-of-formats/claude-session.jsonl');
const models = join(import.meta.dirname, 'transcripts-of-formats/model-messages.json');

/** A new folder with these files. */
function folderWith(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-replay-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const shout = `import { defineHook } from '@spec/hooks';
export default defineHook({
  hook: 'before_create_message', id: 'shout',
  execute: async (_state, message) => message.role === 'user' ? { ...message, content: message.content.replace('Thanks', 'THANKS') } : message,
});`;

const rewrite = `import { defineHook } from '@spec/hooks';
export default [
  defineHook({ hook: 'before_tool_call', id: 'dry_run', match: 'Bash',
    execute: async (_state, call) => ({ input: { ...JSON.parse(call.function.arguments), command: 'npm test --dry-run' } }) }),
  defineHook({ hook: 'after_tool_call_failure', id: 'say_so', execute: async (_state, _call, result) => ({ ...result, error: result.error + '!' }) }),
];`;

describe.concurrent('spec-hooks replay', { timeout: 120_000 }, () => {
  test('runs the hooks of the project where it has a configuration, and tells what they changed and how long they took', async () => {
    const cwd = folderWith({
      'hooks.config.ts': `export default { hooks: 'guards', policies: 'policies' };`,
      'guards/shout.ts': shout,
      'policies/rewrite.ts': rewrite,
      'work/readme.txt': '',
    });
    const args = ['replay', session, '--json', '--diff', '--bench', '--fail-on-change'];
    const { code, stdout } = await runCli(args, { cwd: join(cwd, 'work') });
    const { hooksFrom, hooks, bench, changes, problems, conversations } = JSON.parse(stdout);
    expect({ code, problems, hooksFrom }).toEqual({
      code: 1,
      problems: [],
      hooksFrom: join('..', 'hooks.config.ts'),
    });
    expect(conversations).toEqual({ replayed: 2, there: 0, failed: 0 });
    expect(hooks).toContainEqual(expect.objectContaining({ id: 'say_so', runs: 1, changed: 1 }));
    expect(bench).toContainEqual({
      hook: 'before_create_message',
      id: 'shout',
      count: 13,
      p50: expect.any(Number),
      p99: expect.any(Number),
      total: expect.any(Number),
    });
    for (const { p50, p99, total } of bench) expect(p50 <= p99 && p99 <= total).toBe(true);
    expect(changes).toEqual([
      {
        place: 'line 3',
        conversation: '5e55',
        changes: [
          {
            hook: 'before_tool_call',
            id: 'dry_run',
            tool: 'Bash',
            input: 'npm test',
            changes: [
              {
                path: 'function.arguments',
                before: '{"command":"npm test"}',
                after: '{"command":"npm test --dry-run"}',
              },
            ],
          },
          {
            hook: 'after_tool_call_failure',
            id: 'say_so',
            changes: [{ path: 'error', before: '2 tests failed', after: '2 tests failed!' }],
          },
          {
            hook: 'before_create_message',
            id: 'shout',
            changes: [{ path: 'content', before: 'Thanks.\nMend them.', after: 'THANKS.\nMend them.' }],
          },
        ],
      },
    ]);
  });

  test('runs the hooks in the usual places where there is no configuration, and names them', async () => {
    const guard = { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] };
    const cwd = folderWith({
      'hooks/shout.ts': shout,
      '.claude/settings.json': { hooks: { PreToolUse: [guard] } },
    });
    const json = await runCli(['replay', session, '--json', '--trust'], { cwd });
    const { hooks, hooksFrom } = JSON.parse(json.stdout);
    expect(hooksFrom).toBe(`hooks, ${join('.claude', 'settings.json')}`);
    expect(hooks).toContainEqual(expect.objectContaining({ id: 'shout', changed: 1 }));
    expect(hooks).toContainEqual(
      expect.objectContaining({ id: 'claude_project_pre_tool_use_1', outcomes: { denied: 1, skipped: 3 } }),
    );
    const text = await runCli(['replay', session, '--trust'], { cwd });
    expect(text.stdout).toContain(`What each hook did  hooks of ${hooksFrom}\n`);
  });

  test('names the hooks of its own, and says where there are none', async () => {
    const cwd = folderWith({});
    const own = await runCli(['replay', session], { cwd });
    expect(own.stdout).toContain(
      'What each hook did  built-in redact and limitMessages(20): no hooks found here\n',
    );
    const none = await runCli(['replay', session, '--no-hooks'], { cwd });
    expect(none.stdout).toContain('What each hook did  no hooks\n');
  });

  test('shows a word that changed whole, with its signs', () => {
    const change = {
      path: 'content',
      before: 'Pushed to a@b-c.de. Bye.',
      after: 'Pushed to [EMAIL_1]. Bye.',
    };
    const shown = showChanges({
      conversation: 'one',
      place: 'line 1',
      changes: [{ hook: 'before_create_message', id: 'redact_message', changes: [change] }],
    });
    expect(stripVTControlCharacters(shown)).toMatch(/Pushed to .*a@b-c\.de\W*\[EMAIL_1\]\W* Bye\.\n$/);
  });

  test('prints a word diff, with marks where there are no colours', async () => {
    const cwd = folderWith({
      'hooks.config.ts': `export default { hooks: 'hooks' };`,
      'hooks/shout.ts': shout,
    });
    const args = ['replay', session, '--diff', '--bench'];
    const { code, stdout } = await runCli(args, { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('\n5e55  line 3\n  shout before_create_message\n');
    expect(stdout).toContain('    content  [-Thanks-]{+THANKS+}.⏎Mend them.\n');
    expect(stdout).toContain('What each hook did  hooks of hooks.config.ts\n');
    expect(stdout).toMatch(/How long each hook took\n hook +id +count +p50 +p99 +total/);
    const colour = await runCliApart(args, { cwd, env: { NO_COLOR: undefined, FORCE_COLOR: '1' } });
    expect(stripVTControlCharacters(colour.stdout)).toContain('    content  ThanksTHANKS.⏎Mend them.\n');
  });

  test('runs settings files and rules, and says who was not trusted', async () => {
    const guard = {
      matcher: 'Edit',
      hooks: [{ type: 'command', command: 'echo no bob: bob@example.com >&2; exit 2' }],
    };
    const cwd = folderWith({
      'settings.json': { hooks: { PreToolUse: [guard] } },
      'rules.json': {
        rules: [{ id: 'no_grep', event: 'PreToolUse', matcher: '^Grep$', action: 'deny', reason: 'No.' }],
      },
    });
    const args = [
      'replay',
      session,
      '--json',
      '--diff',
      '--fail-on-change',
      '--config',
      'settings.json',
      '--config',
      'rules.json',
    ];
    const trusted = await runCli([...args, '--trust'], { cwd });
    expect(trusted).toMatchObject({ code: 1, stderr: '' });
    const { hooks, hooksFrom, changes } = JSON.parse(trusted.stdout);
    expect(changes).toMatchObject([{ conversation: '5e55' }, { conversation: '5e55/a7' }]);
    expect(changes[1].changes).toContainEqual({
      hook: 'before_tool_call',
      id: 'no_grep',
      outcome: 'denied',
      tool: 'Grep',
      input: expect.any(String),
      reason: expect.stringContaining('No.'),
      changes: [],
    });
    expect(changes[0].changes).toEqual([
      {
        hook: 'before_tool_call',
        id: 'claude_project_pre_tool_use_1',
        outcome: 'denied',
        tool: 'Edit',
        input: '/work/shop/a.ts',
        reason: expect.stringContaining('no bob'),
        changes: [],
      },
    ]);
    const text = await runCli(args.filter((arg) => arg !== '--json').concat('--trust'), { cwd });
    expect(text.stdout).toContain(
      '  claude_project_pre_tool_use_1 before_tool_call denied\n    Edit  /work/shop/a.ts\n    because  no bob: [EMAIL_1]',
    );
    expect(hooksFrom).toBe('settings.json, rules.json');
    const denied = hooks.filter(({ outcomes }: { outcomes: object }) => 'denied' in outcomes);
    expect(denied.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(['no_grep', 'claude_project_pre_tool_use_1']),
    );
    const untrusted = await runCli(args, { cwd });
    expect(untrusted.stderr).toBe(
      'spec-hooks: settings.json is not trusted yet: none of its hooks runs, and what they guard is denied; look at it, then trust it with spec-hooks trust, or add --trust for this once.\n',
    );
  });

  test('ends with 0 on --fail-on-change where no hook changed anything', async () => {
    const cwd = folderWith({ 'hooks/shout.ts': shout });
    const { code, stdout } = await runCli(['replay', models, '--hooks', 'hooks', '--fail-on-change'], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/shout +8 +0 +ok/);
    expect(stdout).toContain('What each hook did  hooks of hooks\n');
  });

  test('says in one sentence what is wrong: a shape, a configuration, a missing file', async () => {
    const cwd = folderWith({
      'notes.jsonl': '{"note":1}\n',
      'hooks.config.ts': 'export default { hoks: 1 };',
    });
    const shape = await runCli(['replay', 'notes.jsonl', '--no-hooks'], { cwd });
    expect(shape.code).toBe(1);
    expect(shape.stdout).toMatch(
      /line 1: notes\.jsonl has no shape here that is known; known are OpenAI chat .+\./,
    );
    const config = await runCli(['replay', 'notes.jsonl'], { cwd });
    expect(config).toMatchObject({ code: 1, stdout: '' });
    expect(config.stderr).toBe(
      'spec-hooks: hooks.config.ts has a field "hoks" that a configuration does not have. Did you mean "hooks"?\n',
    );
    const noFile = await runCli(['replay', '--diff'], { cwd });
    expect(noFile.code).toBe(2);
    expect(noFile.stderr).toContain('name their file');
  });
});

test('a message or a call that a hook refuses leaves nothing of its recording for what comes after it', async () => {
  const call = (n: number) => [
    {
      role: 'assistant' as const,
      content: null,
      tool_calls: [{ id: 'c', type: 'function' as const, function: { name: 't', arguments: `{"n":${n}}` } }],
    },
    { role: 'tool' as const, tool_call_id: 'c', content: `result ${n}` },
  ];
  const user = (content: string) => ({ role: 'user' as const, content });
  const answer = (content: string) => ({ role: 'assistant' as const, content });
  const turns = [
    [user('One.'), answer('1.')],
    [user('Two.'), ...call(2), answer('2.')],
  ];
  const messages = [...turns.flat(), user('Three.'), ...call(3), answer('3.')];
  const hooks = [
    defineHook({
      hook: 'before_user_message',
      id: 'not_one',
      execute: async (_state, { content }) => (content === 'One.' ? { decision: 'deny' as const } : null),
    }),
    defineHook({
      hook: 'before_tool_call',
      id: 'not_two',
      execute: async (_state, { function: { arguments: input } }) =>
        input.includes('2') ? { decision: 'deny' as const } : null,
    }),
  ];
  const store = memoryStore();
  const { status, reason } = await replayConversation({ id: 'x', messages }, { store, hooks });
  expect({ status, reason }).toEqual({ status: 'replayed' });
  const stored = (await store.listMessages('x')).map(({ content }) => content);
  expect(stored).toEqual([
    'Two.',
    null,
    expect.stringContaining('denied'),
    '2.',
    'Three.',
    null,
    'result 3',
    '3.',
  ]);
  await store.close();
});

test('has these options', () => {
  const replay = createProgram().commands.find((command) => command.name() === 'replay');
  const options = replay?.options.map(({ flags }) => flags);
  expect(options).toMatchInlineSnapshot(`
    [
      "--since <time>",
      "--last <count>",
      "--html <file>",
      "--run-hooks",
      "--diff",
      "--json",
      "--fail-on-change",
      "--bench",
      "--no-hooks",
      "--db <file>",
      "--keep",
      "--config <file>",
      "--hooks <dir>",
      "--trust",
    ]
  `);
});

describe('what changed', () => {
  test('is told by field and item, an item that another took the place of by what differs in it', () => {
    const message = (content: string): object => ({ role: 'user', content, more: { n: 1 } });
    expect(textChanges('a', 'a')).toEqual([]);
    expect(textChanges('a', 'b')).toEqual([{ path: '', before: 'a', after: 'b' }]);
    expect(textChanges(message('a'), { ...message('b'), more: { n: 2 } })).toEqual([
      { path: 'content', before: 'a', after: 'b' },
      { path: 'more.n', before: '1', after: '2' },
    ]);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(message);
    expect(textChanges([a, b, c], [c])).toMatchObject([
      { path: '[0]', after: null },
      { path: '[1]', after: null },
    ]);
    expect(textChanges([a, b, c], [a, d, c])).toEqual([{ path: '[1].content', before: 'b', after: 'd' }]);
    expect(textChanges([a], [a, b])).toMatchObject([{ path: '[1]', before: null }]);
    expect(textChanges([a, b, c], [b, d, d])).toMatchObject([
      { path: '[0]', after: null },
      { path: '[2]', after: null },
      { path: '[1]', before: null },
      { path: '[2]', before: null },
    ]);
  });
});
