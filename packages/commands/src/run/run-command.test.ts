// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marked, namespacesAllowed, within } from '../../test/processes.ts';
import { type CommandResult, type CommandStart, runCommand } from './run-command.ts';

const folder: string = mkdtempSync(join(tmpdir(), 'run-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (command: string, more: Partial<CommandStart> = {}): Promise<CommandResult> =>
  runCommand(marked(command, { cwd: folder, ...more }).start);
const text = ({ stdout }: CommandResult): string => Buffer.from(stdout).toString();
const ending = ({ stdout: _out, stderr: _err, cut: _cut, ms: _ms, ...outcome }: CommandResult) => outcome;

const places = namespacesAllowed() ? (['group', 'namespace'] as const) : (['group'] as const);

describe.each(places)('in a %s, a command', (isolate) => {
  test.each([0, 1, 2, 3, 124, 125, 255])('that exits with %i says so', async (code) => {
    expect(ending(await run(`exit ${code}`, { isolate }))).toEqual({ outcome: 'exited', code });
  });

  test('reads its payload from standard input, /dev/stdin and the file, and the file is gone afterwards', async () => {
    const payload = '{"tool_name":"Bash","umlaut":"ä"}';
    const command = 'cat; cat "$HOOK_INPUT_FILE"; stat -c " %a" "$HOOK_INPUT_FILE"; echo "$HOOK_INPUT_FILE"';
    const [content, path] = text(await run(command, { isolate, payload }))
      .trim()
      .split('\n');
    expect(content).toBe(`${payload}${payload} 600`);
    expect(existsSync(path as string)).toBe(false);
    expect(text(await run('cat /dev/stdin', { isolate, payload }))).toBe(payload);
  });

  test('writes to both outputs', async () => {
    const result = await run('echo out; echo err >&2', { isolate });
    expect([text(result), Buffer.from(result.stderr).toString()]).toEqual(['out\n', 'err\n']);
  });

  test('that a signal ends has not exited', async () => {
    expect(ending(await run('kill -9 $$', { isolate }))).toEqual({ outcome: 'killed', signal: 'SIGKILL' });
    expect(ending(await run('kill -TERM $$', { isolate }))).toEqual({ outcome: 'killed', signal: 'SIGTERM' });
    expect(ending(await run('kill -SEGV $$; exit 0', { isolate }))).toEqual({
      outcome: 'killed',
      signal: 'SIGSEGV',
    });
  });

  test('that does not exist, or is no program, is told apart', async () => {
    const plain = join(folder, 'plain');
    writeFileSync(plain, 'no program');
    expect(ending(await run('no-such-program', { isolate }))).toEqual({ outcome: 'not_found' });
    expect(ending(await run('no-such-program', { isolate, args: ['a'] }))).toEqual({ outcome: 'not_found' });
    expect(ending(await run(plain, { isolate }))).toEqual({ outcome: 'not_executable' });
    expect(ending(await run(plain, { isolate, args: [] }))).toEqual({ outcome: 'not_executable' });
  });

  test('gets its arguments as they are', async () => {
    const args = ['%s\\n', '$HOME', "it's", '`id`', '', 'a\nb', '-n', '{a,b}', '*'];
    expect(text(await run('printf', { isolate, args }))).toBe(
      args
        .slice(1)
        .map((arg) => `${arg}\n`)
        .join(''),
    );
  });

  test('runs in its folder, and not where there is none', async () => {
    expect(text(await run('pwd', { isolate }))).toBe(`${folder}\n`);
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    for (const cwd of [join(folder, 'nowhere'), file, 'a\0b', '']) {
      expect(ending(await run('exit 0', { isolate, cwd }))).toEqual({ outcome: 'bad_folder' });
    }
  });

  test('that does not read 10 MB of input is not in the way, and one that reads gets all', async () => {
    const payload = JSON.stringify('x'.repeat(10_000_000));
    expect(ending(await run('exit 3', { isolate, payload }))).toEqual({ outcome: 'exited', code: 3 });
    expect(text(await run('wc -c', { isolate, payload })).trim()).toBe(String(payload.length));
  });

  test('is aborted before it starts, and while it runs', async () => {
    const file = join(folder, `aborted-${isolate}`);
    const before = await run(`touch ${file}`, { isolate, signal: AbortSignal.abort() });
    expect(ending(before)).toEqual({ outcome: 'aborted' });
    expect(existsSync(file)).toBe(false);

    const { start, processes } = marked('sleep 30', { isolate });
    const during = await runCommand({ ...start, signal: AbortSignal.timeout(100) });
    expect(ending(during)).toEqual({ outcome: 'aborted' });
    expect(await within(() => processes().length === 0)).toBe(true);
  });
});

/** What to run, and how it ends: what does not end by itself has a timeout of 500 ms. */
const stubborn: readonly [
  about: string,
  command: string,
  outcome: CommandResult['outcome'],
  output?: string,
][] = [
  ['ignores SIGTERM', 'trap "" TERM; sleep 600; sleep 600', 'timed_out'],
  ['ignores SIGTERM and counts', 'trap "" TERM; while :; do :; done', 'timed_out'],
  ['has stopped itself', 'kill -STOP $$', 'timed_out'],
  ['leaves a child that holds its output', 'sleep 600 & echo done', 'exited', 'done\n'],
  [
    'leaves a child that holds its output and ignores SIGTERM',
    '(trap "" TERM; sleep 600) & echo done',
    'exited',
    'done\n',
  ],
  ['leaves a child without output', 'sleep 600 >/dev/null 2>&1 & echo done', 'exited', 'done\n'],
  ['leaves a daemon of its own session', 'setsid sleep 600 >/dev/null 2>&1 </dev/null & sleep 0.1', 'exited'],
  [
    'leaves a daemon that ignores SIGTERM',
    'setsid sh -c \'trap "" TERM; sleep 600; sleep 600\' & exit 0',
    'exited',
  ],
  ['forks twice', '(setsid sh -c "sleep 600 & sleep 600 & wait" >/dev/null 2>&1 &) ; exit 0', 'exited'],
  ['forks twice and waits', '(setsid sh -c "sleep 600 & sleep 600 & wait" &) ; sleep 600', 'timed_out'],
  ['has 50 children', 'i=0; while [ $i -lt 50 ]; do sleep 600 & i=$((i+1)); done; wait', 'timed_out'],
  ['leaves a child without variables', 'env -i sh -c "sleep 600; : $TEST_MARK" & sleep 0.1', 'exited'],
  [
    'waits for a child without variables that ignores SIGTERM',
    'env -i sh -c "trap \'\' TERM; sleep 600; : $TEST_MARK" & wait',
    'timed_out',
  ],
  [
    'has 50 children that ignore SIGTERM',
    'trap "" TERM; i=0; while [ $i -lt 50 ]; do sleep 600 & i=$((i+1)); done; wait',
    'timed_out',
  ],
  ['writes without end', 'yes', 'timed_out'],
  ['writes errors without end', 'yes >&2', 'timed_out'],
  ['writes without end and ignores what happens', 'trap "" TERM PIPE; while :; do yes; done', 'timed_out'],
];

describe.runIf(process.platform === 'linux').each(places)('in a %s, a command that', (isolate) => {
  test.concurrent.each(stubborn)(
    '%s is over long before it would be, and so are its processes',
    async (_about, command, outcome, output) => {
      const timeoutMs = outcome === 'exited' ? 20_000 : 500;
      const { start, processes } = marked(command, { isolate, timeoutMs });
      const result = await runCommand(start);
      expect(result.outcome).toBe(outcome);
      if (output !== undefined) expect(text(result)).toBe(output);
      expect(await within(() => processes().length === 0)).toBe(true);
    },
  );

  test('has an end of its own on SIGTERM gets 200 ms for it', async () => {
    const file = join(folder, `tidied-${isolate}`);
    const command = `trap "sleep 0.05; echo tidied >${file}; exit" TERM; while :; do sleep 0.01; done`;
    expect((await run(command, { isolate, timeoutMs: 300 })).outcome).toBe('timed_out');
    expect(existsSync(file)).toBe(true);
    // A child has as long, where its shell ends at once; in a namespace it ends with its shell.
    if (isolate === 'namespace') return;
    rmSync(file);
    await run(`sh -c '${command}' & wait`, { timeoutMs: 300 });
    expect(await within(() => existsSync(file))).toBe(true);
  });

  test('runs 100 times at once leaves no descriptor and no process', async () => {
    await run('exit 0', { isolate });
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    const { start, processes } = marked('cat; sleep 0.2; exit 7', { isolate, timeoutMs: 60_000 });
    const results = await Promise.all(Array.from({ length: 100 }, () => runCommand(start)));
    expect(new Set(results.map((result) => JSON.stringify([ending(result), text(result)])))).toEqual(
      new Set([JSON.stringify([{ outcome: 'exited', code: 7 }, '{}'])]),
    );
    expect(open()).toBe(before);
    expect(processes()).toEqual([]);
  }, 60_000);
});

test.runIf(places.length === 2)('a namespace keeps in what has thrown its mark away', async () => {
  const command = 'env -i setsid sh -c "sleep 30; : $TEST_MARK" >/dev/null 2>&1 & env -i sleep 0.3; : ';
  const { start, processes } = marked(command, { isolate: 'namespace' });
  const run = runCommand(start);
  expect(await within(() => processes().length >= 4)).toBe(true);
  expect((await run).outcome).toBe('exited');
  expect(processes()).toEqual([]);
});

describe('more than is kept', () => {
  const megabyte = 1024 * 1024;

  test('is dropped, and the exit code counts', async () => {
    const flood = 'head -c 20000000 /dev/zero';
    const result = await run(`${flood}; ${flood} >&2; exit 2`, { timeoutMs: 60_000 });
    expect(ending(result)).toEqual({ outcome: 'exited', code: 2 });
    expect(result.cut).toEqual({ mentionsAnswer: false });
    expect([result.stdout.length, result.stderr.length]).toEqual([megabyte, megabyte]);
  });

  test('starts with the byte behind the limit', async () => {
    expect((await run(`head -c ${megabyte} /dev/zero`)).cut).toBeUndefined();
    expect((await run(`head -c ${megabyte + 1} /dev/zero`)).cut).toEqual({ mentionsAnswer: false });
  });

  test('is looked through for the words of an answer', async () => {
    const { cut } = await run(
      `head -c 3000000 /dev/zero; echo '{"decision":"block"}'; head -c 3000000 /dev/zero`,
    );
    expect(cut).toEqual({ mentionsAnswer: true });
  });
});

describe('a host that was busy when a time was over', () => {
  const busy = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

  test('hears of an exit that came before', async () => {
    const running = run('exit 2', { timeoutMs: 50 });
    busy(500);
    expect(ending(await running)).toEqual({ outcome: 'exited', code: 2 });
  });

  test('reads what a child wrote before', async () => {
    const running = run('(sleep 0.1; echo late; sleep 5) & exit 0', { timeoutMs: 5_000 });
    const blocking = setInterval(() => busy(400), 1);
    const result = await running.finally(() => clearInterval(blocking));
    expect(text(result)).toBe('late\n');
  });
});

describe('what cannot be started', () => {
  const longest = 128 * 1024;

  test('is too long a command, argument or variable, or too many of them', async () => {
    const tooLong = { outcome: 'launch_failed', code: 'E2BIG' };
    expect(ending(await run(`:${' '.repeat(longest)}`))).toEqual(tooLong);
    expect(ending(await run('true', { args: ['x'.repeat(longest)] }))).toEqual(tooLong);
    expect(ending(await run('true', { env: { LONG: 'x'.repeat(longest) } }))).toEqual(tooLong);
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`V${at}`, 'x'.repeat(120 * 1024)]),
    );
    expect(ending(await run('true', { env: many }))).toEqual(tooLong);
  });

  test.each<[string, Partial<CommandStart>]>([
    ['the command', { command: 'echo a\0b' }],
    ['an argument', { args: ['a\0b'] }],
    ['a variable', { env: { X: 'a\0b' } }],
    ['the name of a variable', { env: { 'X\0': 'a' } }],
    ['a payload variable', { payloadVariables: { PROMPT: 'a\0b' } }],
  ])('is a NUL in %s', async (_place, more) => {
    expect(ending(await run('true', more))).toEqual({ outcome: 'launch_failed', code: 'nul_character' });
  });

  test.each<[string, Partial<CommandStart>]>([
    ['the command', { command: 'echo \ud800' }],
    ['an argument', { args: ['\udc00\ud800'] }],
    ['a variable', { env: { X: 'a\ud83d' } }],
    ['a payload variable', { payloadVariables: { PROMPT: '\ude00' } }],
    ['the payload', { payload: '{"a":"\ud800"}' }],
    ['the payload, written as JSON', { payload: JSON.stringify({ a: 'x\ud83d' }) }],
    ['a key of the payload', { payload: JSON.stringify({ '\udc00': 1 }) }],
    ['the payload, behind a backslash', { payload: JSON.stringify({ a: '\\\udfff' }) }],
    ['the payload, the wrong way round', { payload: '{"a":"\\uDE00\\uD83D"}' }],
  ])('is half a character in %s', async (_place, more) => {
    expect(ending(await run('true', more))).toEqual({ outcome: 'launch_failed', code: 'lone_surrogate' });
  });

  test.each([
    ['a whole character', JSON.stringify({ a: '😀' })],
    ['a whole character as two escapes', '{"a":"\\ud83d\\uDE00"}'],
    ['a text that looks like an escape', JSON.stringify({ a: '\\ud83d', b: '\\\\udc00' })],
    ['brackets in a text', JSON.stringify({ a: '['.repeat(300), b: '\\"{' })],
    ['many lists side by side', JSON.stringify(Array.from({ length: 300 }, () => []))],
    ['a hundred levels', `${'['.repeat(100)}${']'.repeat(100)}`],
  ])('is not %s in the payload', async (_place, payload) => {
    expect(ending(await run('true', { payload }))).toEqual({ outcome: 'exited', code: 0 });
  });

  test.each(['[', '{"a":'])('is a payload of more than a hundred levels of %s', async (open) => {
    expect(ending(await run('true', { payload: open.repeat(101) }))).toEqual({
      outcome: 'launch_failed',
      code: 'nested_too_deep',
    });
  });

  test('is a variable with a name that is none', async () => {
    expect(ending(await run('true', { env: { 'A=B': 'c' } }))).toEqual({
      outcome: 'launch_failed',
      code: 'bad_variable_name',
    });
  });

  test.runIf(process.platform === 'linux')('leaves no descriptor and no file', async () => {
    const open = () => readdirSync('/proc/self/fd').length;
    const input = text(await run('dirname "$HOOK_INPUT_FILE"')).trim();
    const before = open();
    for (let time = 0; time < 20; time++) {
      await run(`:${' '.repeat(longest)}`);
      await run('no-such-program', { args: [] });
      await run('true', { isolate: 'namespace', args: ['x'.repeat(longest)] });
    }
    expect(open()).toBe(before);
    expect(readdirSync(input)).toEqual([]);
  });
});

test.runIf(process.getuid?.() !== 0)('a folder that may not be entered is a bad folder', async () => {
  const closed = join(folder, 'closed');
  chmodSync(closed, 0);
  expect(ending(await run('true', { cwd: closed }))).toEqual({ outcome: 'bad_folder' });
});

beforeAll(() => {
  process.env.TEST_SECRET = 'sk_live_of_the_host';
});
afterAll(() => {
  delete process.env.TEST_SECRET;
});

describe('the variables of a command', () => {
  test('are the dialect’s and a few of the host’s, and no secret', async () => {
    const names = (more: Partial<CommandStart>) =>
      run('env', { env: { TOOL_NAME: 'Bash' }, ...more }).then((result) =>
        text(result)
          .split('\n')
          .map((line) => line.slice(0, line.indexOf('='))),
      );
    const usual = await names({});
    expect(usual).toEqual(expect.arrayContaining(['PATH', 'TOOL_NAME', 'HOOK_INPUT_FILE']));
    expect(usual).not.toContain('TEST_SECRET');
    expect(usual.filter((name) => name.startsWith('npm_') || name.startsWith('VITEST'))).toEqual([]);
    expect(await names({ pass: ['TEST_SECRET'] })).toContain('TEST_SECRET');
  });

  const large = JSON.stringify({ content: 'x'.repeat(100 * 1024) });
  const variables = { payloadVariables: { INPUT: large, OUTPUT: 'small' }, payload: large };

  test('hold the payload as long as it fits, and say so where it does not', async () => {
    const fits = 'x'.repeat(96 * 1024);
    expect(text(await run('printf %s "$INPUT" | wc -c', { payloadVariables: { INPUT: fits } })).trim()).toBe(
      '98304',
    );
    const command = 'echo "${INPUT-unset} $OUTPUT $HOOK_INPUT_TRUNCATED"; wc -c <"$HOOK_INPUT_FILE"';
    expect(text(await run(command, variables)).split('\n')).toEqual([
      'unset small 1',
      String(large.length),
      '',
    ]);
    // An older value of the same name is not taken for it.
    const older = await run('echo "${INPUT-unset}"', { ...variables, env: { INPUT: 'old' } });
    expect(text(older)).toBe('unset\n');
  });

  test('keep a gate that names the missing one from running', async () => {
    const blocked = { outcome: 'input_too_large', variable: 'INPUT' };
    const gate = { ...variables, isGate: true };
    expect(ending(await run('echo "$INPUT" | grep -q rm && exit 2', gate))).toEqual(blocked);
    expect(ending(await run('echo "${INPUT:-}"', gate))).toEqual(blocked);
    expect(ending(await run('python3', { ...gate, args: ['-c', 'import os; os.environ["INPUT"]'] }))).toEqual(
      blocked,
    );
    expect(ending(await run('echo "$OUTPUT" "$INPUTS" "$HOOK_INPUT_FILE"', gate)).outcome).toBe('exited');
  });
});

test('many commands of one signal do not warn of a leak', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on('warning', listen);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 20 }, () => run('true', { signal })));
  process.off('warning', listen);
  expect(warnings).toEqual([]);
});
