import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JudgedReport } from '../src/replay/judge/report.ts';
import { projectFolder } from './project-folder.ts';
import { cliEnv, runCliApart } from './run-cli.ts';

interface Talk {
  readonly session?: string;
  readonly time?: string;
}

let calls = 0;

/** Lines of a session file in which a person asks for something, and a tool is called and answers. */
function callLines(
  { name, input, result = 'ok' }: { name: string; input: object; result?: string },
  { session = 's1', time = '2030-01-01T10:00:00.000Z' }: Talk = {},
): string {
  const id = `toolu_0000000000000${++calls}`;
  const common = { sessionId: session, cwd: '/work/shop', timestamp: time };
  return [
    { type: 'user', uuid: `p${id}`, ...common, message: { content: 'Go on.' } },
    {
      type: 'assistant',
      uuid: `a${id}`,
      ...common,
      message: { content: [{ type: 'tool_use', id, name, input }] },
    },
    {
      type: 'user',
      uuid: `u${id}`,
      ...common,
      message: { content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
    },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const sessions = {
  'sessions/shop/one.jsonl':
    callLines({
      name: 'Read',
      input: { file_path: '/work/shop/.env' },
      result: 'Write to ann@example.com.',
    }) + callLines({ name: 'Bash', input: { command: 'npm test' } }),
  'sessions/blog/two.jsonl': `no JSON\n${callLines(
    { name: 'Bash', input: { command: `sudo deploy --token ${secret}` } },
    { session: 's2', time: '2030-01-02T10:00:00.000Z' },
  )}also no JSON\n`,
  'sessions/readme.md': 'no session',
};

describe('spec-hooks replay FOLDER', { timeout: 60_000 }, () => {
  test('says what the guards of the command would have done where there are no hooks', async () => {
    const { json, cli } = projectFolder(sessions);
    const { code, ...report } = await json<JudgedReport>(['replay', 'sessions']);
    expect(code).toBe(1);
    expect(report).toMatchObject({
      version: 1,
      hooksFrom: null,
      notImported: [],
      files: 2,
      sessions: 2,
      calls: 3,
      interrupted: false,
      redacted: { email: 1, secret: 1 },
      found: 2,
      findings: [
        {
          id: 'ask_before_sudo',
          outcome: 'asked',
          tool: 'Bash',
          session: 's2',
          time: '2030-01-02T10:00:00.000Z',
        },
        { id: 'no_secret_files', outcome: 'denied', tool: 'Read', input: '/work/shop/.env', session: 's1' },
      ],
      unread: [
        {
          file: 'sessions/blog/two.jsonl',
          line: 1,
          problem: expect.stringMatching(/^not valid JSON/),
          lines: 2,
        },
      ],
    });
    const { stdout } = await cli(['replay', 'sessions', '--html', 'page.html']);
    expect(stdout).toContain('sudo deploy --token [SECRET_1]');
    expect(JSON.stringify(report) + stdout).not.toContain(secret);
    expect(stdout).toContain('sessions/blog/two.jsonl, line 1: not valid JSON');
  });

  test('passes over what is nested without end, and says so', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const message = JSON.stringify({ role: 'user', content: 'Hi', metadata: 0 }).replace('0', deep);
    const { cli, json } = projectFolder({
      'sessions/one.jsonl': sessions['sessions/shop/one.jsonl'],
      'sessions/deep.jsonl': `${message}\n`,
      'sessions/deep.json': deep,
    });
    const report = await json<JudgedReport>(['replay', 'sessions']);
    const problem = 'nested deeper than 200 levels';
    expect(report).toMatchObject({ code: 1, calls: 2, sessions: 1 });
    expect(report.unread.map(({ file, problem: why }) => [file, why]).toSorted()).toEqual([
      ['sessions/deep.json', problem],
      ['sessions/deep.jsonl', problem],
    ]);
    const { stdout, code } = await cli(['replay', 'sessions', '--run-hooks']);
    expect(code).toBe(1);
    expect(stdout).toContain(problem);
  });

  test('reads what is beside a folder that cannot be opened, and follows links to files', async () => {
    const { cli, json, path } = projectFolder({
      'sessions/one.jsonl': sessions['sessions/shop/one.jsonl'],
      'elsewhere/two.jsonl': callLines({ name: 'Read', input: { file_path: 'a' } }, { session: 's9' }),
    });
    symlinkSync('../elsewhere/two.jsonl', join(path, 'sessions/two.jsonl'));
    symlinkSync('nowhere.jsonl', join(path, 'sessions/three.jsonl'));
    // Also root cannot open a path of more than 4,096 bytes.
    const deepen = `const name = 'd'.repeat(240);
for (let i = 0; i < 20; i++) { require('node:fs').mkdirSync(name); process.chdir(name); }`;
    execFileSync(process.execPath, ['-e', deepen], { cwd: join(path, 'sessions') });
    onTestFinished(() => void execFileSync('rm', ['-rf', join(path, 'sessions')]));
    const report = await json<JudgedReport>(['replay', 'sessions']);
    expect(report).toMatchObject({ code: 1, files: 2, calls: 3 });
    expect(report.unread).toMatchObject([{ line: 0, problem: 'the folder cannot be opened (ENAMETOOLONG)' }]);
    const { code, stdout } = await cli(['replay', 'sessions', '--run-hooks']);
    expect(code).toBe(1);
    expect(stdout).toContain('cannot be opened');
  });

  test('asks the rules and settings files of the folder, and starts and imports nothing', async () => {
    const touch = `import { writeFileSync } from 'node:fs'; writeFileSync('ran', '');`;
    const { json, cli, has } = projectFolder({
      ...sessions,
      'rules.yaml': `rules: [{ id: no_npm, matcher: ^Bash$, inputMatchers: { command: ^npm }, action: deny, reason: Not npm. }]\n`,
      '.claude/settings.json': {
        hooks: {
          PreToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command: 'touch ran' }] }],
          PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'touch ran' }] }],
        },
      },
      'hooks/touch.ts': touch,
      'hooks.config.ts': `${touch} export default { hooks: 'hooks' };`,
    });
    const rules = await json<JudgedReport>(['replay', 'sessions', '--config', 'rules.yaml']);
    expect(rules).toMatchObject({
      hooksFrom: 'rules.yaml',
      redacted: null,
      hooks: [{ id: 'no_npm', denied: 1, asked: 0, unknown: 0 }],
      findings: [{ id: 'no_npm', outcome: 'denied', tool: 'Bash', input: 'npm test', reason: 'Not npm.' }],
    });
    const settings = await json<JudgedReport>(['replay', 'sessions']);
    expect(settings).toMatchObject({
      hooks: [
        { hook: 'before_tool_call', unknown: 1 },
        { hook: 'after_tool_call_success', unknown: 2 },
      ],
      found: 3,
    });
    expect(settings.notImported.join()).toMatch(/hooks\.config\.ts/);
    const { stdout } = await cli(['replay', 'sessions']);
    expect(stdout).toMatch(/Not judged, because it is code: .*hooks\.config\.ts.*--run-hooks/);
    expect(has('ran')).toBe(false);
  });

  test('--run-hooks runs the hooks over all files of the folder', async () => {
    const { json } = projectFolder({
      ...sessions,
      'hooks/deny.ts': `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'never', execute: async () => ({ decision: 'deny', reason: 'No.' }) });`,
    });
    const summary = await json(['replay', 'sessions', '--run-hooks', '--no-hooks']);
    expect(summary).toMatchObject({ files: [{}, {}] });
    const ran = await json(['replay', 'sessions', '--run-hooks']);
    expect(ran).toMatchObject({ hooks: [{ id: 'never', runs: 3 }] });
  });

  test('--since leaves out what was before, --last shows the newest', async () => {
    const { json, path, cli } = projectFolder(sessions);
    const since = await json<JudgedReport>(['replay', 'sessions', '--since', '2030-01-02']);
    expect(since).toMatchObject({ calls: 0, files: 0, code: 0 });
    const nothing = await cli(['replay', 'sessions', '--since', '2030-01-02']);
    expect(nothing.stdout).toContain(
      'No conversation is as new as --since says: an earlier time shows more.',
    );
    for (const file of ['shop/one.jsonl', 'blog/two.jsonl'])
      utimesSync(join(path, 'sessions', file), new Date('2031-01-01'), new Date('2031-01-01'));
    const written = await json<JudgedReport>(['replay', 'sessions', '--since', '2030-01-02']);
    expect(written).toMatchObject({ calls: 1, files: 2, findings: [{ session: 's2' }] });
    const { stdout } = await cli(['replay', 'sessions', '--last', '1']);
    expect(stdout).toContain('The newest 1 of 2: --last all shows all.');
    expect(stdout).not.toContain('/work/shop/.env');
    expect((await cli(['replay', 'sessions', '--since', 'soon'])).code).toBe(2);
    expect((await cli(['replay', 'sessions', '--last', '0'])).code).toBe(2);
    expect((await cli(['replay', 'sessions', '--diff'])).code).toBe(2);
  });

  test('reads all forms, and one message a line', async () => {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'bash', arguments: '{"command":"sudo ls"}' },
    };
    const messages = [
      { role: 'user', content: 'List.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'a.ts' },
    ];
    const part = {
      type: 'tool-bash',
      toolCallId: 'c',
      state: 'output-available',
      input: { command: 'sudo ls' },
      output: 'a',
    };
    const { json } = projectFolder({
      'all/openai.jsonl': `${JSON.stringify({ id: 'a', messages })}\n`,
      'all/list.json': [{ id: 'b', messages }],
      'all/lines.jsonl': messages.map((one) => `${JSON.stringify(one)}\n`).join(''),
      'all/ui.json': [
        { role: 'user', parts: [] },
        { role: 'assistant', parts: [part] },
      ],
    });
    const { findings } = await json<JudgedReport>(['replay', 'all']);
    expect(findings.map(({ session }) => session).sort()).toEqual(['a', 'b', 'lines.jsonl', 'ui.json']);
  });

  test.each([
    [
      'an empty folder',
      { 'sessions/notes.md': 'Hi' },
      'No .jsonl or .json file is in sessions or the folders below.',
    ],
    [
      'files of no known form',
      { 'sessions/a.jsonl': '{"foo":1}\n', 'sessions/b.json': 'x' },
      'No conversation is in sessions, which has 2 .jsonl or .json files. sessions/b.json: not valid JSON.',
    ],
    [
      'a session without a message',
      { 'sessions/a.jsonl': '{"type":"summary","summary":"x"}\n' },
      'No conversation is in sessions, which has 1 .jsonl or .json file.',
    ],
  ])('of %s says what it looked for, and where sessions are', async (_what, files, sentence) => {
    const { cli } = projectFolder(files);
    for (const args of [[], ['--json'], ['--html', 'page.html']]) {
      const { code, stdout, stderr } = await cli(['replay', 'sessions', ...args]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(sentence);
      expect(stderr).toMatch(/OpenAI chat .+one message a line.+Claude Code.+~\/\.claude\/projects\.\n$/);
    }
    const ran = await cli(['replay', 'sessions', '--run-hooks', '--no-hooks']);
    expect(ran.code).toBe(1);
    expect(ran.stderr + ran.stdout).toMatch(/sessions.*OpenAI chat/s);
    expect(ran.stderr).not.toContain('spec-hooks:  ');
  });

  test('needs no native module, and leaves nothing behind', async () => {
    const hooks = `export const resolve = (name, context, next) => {
  if (/sqlite|drizzle/.test(name)) throw new Error('not installed: ' + name);
  return next(name, context);
};`;
    const { path } = projectFolder({
      ...sessions,
      'talk.jsonl': `${JSON.stringify({ id: 'a', messages: [{ role: 'user', content: 'Hi' }] })}\n`,
      'refuse.mjs': hooks,
      'tmp/x': '',
      'register.mjs': `import { register } from 'node:module'; register('./refuse.mjs', import.meta.url);`,
    });
    const env = {
      ...cliEnv(),
      NODE_OPTIONS: `--import ${join(path, 'register.mjs')}`,
      TMPDIR: join(path, 'tmp'),
      HOME: path,
    };
    for (const args of [['replay', 'sessions'], ['replay', 'talk.jsonl'], ['replay'], ['check'], ['list']]) {
      const { stderr, code } = await runCliApart(args, { cwd: path, env });
      const expected = args[1] === 'sessions' ? 1 : 0; // One of the sessions has lines that cannot be read.
      expect({ args, stderr, code }).toEqual({ args, stderr: '', code: expected });
    }
    expect(readdirSync(join(path, 'tmp'))).toEqual(['x']);
    expect(tmpdir()).not.toBe('');
  });
});
