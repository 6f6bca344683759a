import { userInfo } from 'node:os';
import { delimiter } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  documentedCall,
  documentedOccasion,
  exited,
  living,
  load,
  project,
  readBlocks,
} from '../../test/documents.ts';
import { hub } from './hub.ts';
import { settings } from './settings.ts';

const document = 'settings-json-hooks.md';
const examples = readBlocks(document, 'json');

const loadOne = (entry: object, eventName = 'PreToolUse') =>
  load(settings, { hooks: { [eventName]: [entry] } });
const compileOne = (entry: object, eventName = 'PreToolUse') => {
  const [compiled] = loadOne(entry, eventName).compiled;
  if (compiled === undefined) throw new Error('The entry was not loaded.');
  return compiled;
};

/** Of each example of the document, in its order: how many entries, and the findings. */
const expected: readonly (readonly [what: string, entries: number, findings: readonly string[]])[] = [
  ['in settings.json', 6, []],
  ['complete schema, with [...] for entries', 0, ['bad_json']],
  ['three matchers, which are three texts', 0, ['bad_json']],
  ['pattern examples', 4, ['no_hooks_key PreToolUse']],
  ['audit logging', 2, []],
  ['command validation', 1, []],
  ['notifications', 2, []],
  ['automatic backup', 1, []],
  ['statistics', 3, []],
  ['context injection', 1, []],
  ['keep hooks fast', 1, ['no_hooks_key PreToolUse']],
  ['continueOnFailure', 2, ['no_hooks_key PreToolUse']],
  ['structured format', 1, []],
];

describe.skipIf(examples === undefined)('the examples of the document, word for word', () => {
  test('are all tested', () => {
    expect(examples).toHaveLength(expected.length);
  });

  test.each(expected.map(([what, entries, findings], at) => ({ what, at, entries, findings })))(
    '$what',
    ({ at, entries, findings }) => {
      const loaded = load(settings, examples?.[at] as string);
      expect(loaded.codes).toEqual(findings);
      expect(loaded.compiled).toHaveLength(entries);
    },
  );

  test.each(
    expected.map(([what, entries], at) => ({ what, at, entries })).filter(({ entries }) => entries > 0),
  )('$what is recognised, and no other flat dialect takes it', ({ at }) => {
    const { content } = load(settings, examples?.[at] as string);
    expect([settings.recognises(content), hub.recognises(content)]).toEqual([true, false]);
  });

  test('"[...]" is a finding that says what to do', () => {
    expect(load(settings, examples?.[1] as string).findings[0]?.message).toBe(
      'This file cannot be read: invalid symbol: replace "..." with the entries it stands for. None of its hooks is loaded.',
    );
  });

  test('the three matchers', () => {
    const matchers = String(examples?.[2])
      .match(/"matcher": "[^"]+"/g)
      ?.map((pair) => JSON.parse(`{${pair}}`));
    expect(matchers).toEqual([{ matcher: 'Bash' }, { matcher: 'Bash(git:*)' }, { matcher: '*' }]);
  });
});

describe.skipIf(examples === undefined)('the examples of the document, run', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const scripts = readBlocks(document, 'bash') ?? [];
  const scriptNamed = (name: string) => scripts.find((text) => text.includes(`# ${name} -`)) as string;
  const call = (name: string, input: Record<string, string>) => ({ toolCalls: [{ name, input }] });

  function start(example: number, folder: { path: string }, script: Parameters<typeof living>[2]) {
    vi.stubEnv('PATH', `${folder.path}${delimiter}${process.env.PATH}`);
    const content = String(examples?.[example]).replaceAll('/tmp/', `${folder.path}/`);
    return living({ dialect: settings, content, projectDir: folder.path }, ['Bash', 'Read', 'Edit'], script);
  }

  test('in settings.json: every event writes its line', async () => {
    const folder = project();
    const { runtime } = start(0, folder, [
      call('Bash', { command: "echo 'it''s' $(x)" }),
      call('Edit', { file_path: 'a b.ts' }),
      'done',
    ]);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Fix the bug in "auth"');
    await thread.close();
    expect(folder.read('bash-log.txt')).toMatch(/^\[\S+\] Bash: \{"command":"echo 'it''s' \$\(x\)"\}\n$/);
    expect(folder.read('changes-log.txt')).toMatch(/^\[\S+\] Edited: \{"file_path":"a b.ts"\}\n$/);
    expect(folder.read('prompts.txt')).toBe('Fix the bug in "auth"\n');
    expect(folder.read('sessions.txt')).toMatch(/^Session started: \S+ at \S+Z\nSession ended: \S+\n$/);
  });

  test('command validation: a dangerous command does not run, and the model is told', async () => {
    const folder = project({ 'validate-bash.sh': scriptNamed('validate-bash.sh') });
    const dangerous = call('Bash', { command: 'sudo id' });
    const { runtime, ran } = start(5, folder, [dangerous, call('Bash', { command: 'ls' }), 'done']);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    expect(ran).toEqual(['Bash']);
    const answers = (await thread.messages())
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    expect(answers[0]).toContain('Hook blocked: BLOCKED: Dangerous command detected');
    expect(answers[1]).toBe('Bash ran');
  });

  test('context injection: what SessionStart prints is in front of the model', async () => {
    const folder = project({ 'inject-context.sh': scriptNamed('inject-context.sh') });
    const { runtime, model } = start(9, folder, ['done']);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    expect(JSON.stringify(model.calls[0]?.prompt)).toContain('## Project Status\\n\\nNot a git repository');
  });

  test('structured format: $ENV in jq', async () => {
    const folder = project();
    const { runtime } = start(12, folder, [call('Read', { file_path: 'x' }), 'done']);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    expect(JSON.parse(folder.read('hooks.jsonl'))).toEqual({
      ts: expect.stringMatching(/Z$/),
      tool: 'Read',
      input: { file_path: 'x' },
    });
  });
});

describe('an entry', () => {
  test('has 5 seconds, one order, and blocks nothing unless it says so', () => {
    const { entry } = compileOne({ matcher: 'Bash', command: 'true' });
    expect(entry).toMatchObject({
      id: 'settings_project_pre_tool_use_1',
      event: 'before_tool_call',
      timeoutMs: 5_000,
      priority: 0,
      rewrite: 'none',
      isAwaited: true,
      handler: { type: 'command', command: 'true' },
    });
    expect(new Set(Object.values(entry.effects))).toEqual(new Set(['continue']));
    expect(settings.strategy('PreToolUse')).toBe('serial');
    expect(settings.conditionIsCommand).toBe(true);
  });

  test('with continueOnFailure: false blocks the tool, however it fails', () => {
    const { entry } = compileOne({ command: 'true', continueOnFailure: false });
    expect(new Set(Object.values(entry.effects))).toEqual(new Set(['block']));
  });

  test.each(['PostToolUse', 'UserPromptSubmit', 'SessionStart', 'SessionEnd'])(
    'with continueOnFailure: false on %s blocks nothing, and says so',
    (eventName) => {
      const { codes, entries } = loadOne({ command: 'true', continueOnFailure: false }, eventName);
      expect(codes).toEqual([`cannot_block hooks.${eventName}[0].continueOnFailure`]);
      expect(new Set(Object.values(entries[0]?.effects ?? {}))).toEqual(new Set(['continue']));
    },
  );

  test('of PostToolUse alone is not awaited', () => {
    const awaited = (eventName: string) => compileOne({ command: 'true' }, eventName).entry.isAwaited;
    expect(
      ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'SessionEnd'].map(awaited),
    ).toEqual([true, false, true, true, true]);
  });

  test('keeps its timeout and condition', () => {
    const { entry } = compileOne({ command: 'true', timeout: 3000, condition: 'test -f x' });
    expect(entry).toMatchObject({ timeoutMs: 3_000, condition: 'test -f x' });
  });
});

describe('matchers', () => {
  const matches = (matcher: string, name: string, command?: string) =>
    compileOne({ matcher, command: 'true' }).mismatch(
      documentedCall(name, command === undefined ? {} : { command }),
    ) === undefined;

  test('name a tool exactly', () => {
    expect([matches('Bash', 'Bash'), matches('Bash', 'BashOutput'), matches('Bash', 'bash')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('name a command by its first words', () => {
    expect(matches('Bash(git:*)', 'Bash', 'git status')).toBe(true);
    expect(matches('Bash(git:*)', 'Bash', 'cd x && git push')).toBe(true);
    expect(matches('Bash(git:*)', 'Bash', 'gitk')).toBe(false);
    expect(matches('Bash(git:*)', 'Read', 'git status')).toBe(false);
  });

  test('"*", "" and none at all are every tool', () => {
    expect([matches('*', 'X'), matches('', 'X')]).toEqual([true, true]);
    expect(compileOne({ command: 'true' }).mismatch(documentedCall('X'))).toBeUndefined();
  });

  test('say why not, and whether a name is all they look at', () => {
    expect(compileOne({ matcher: 'Bash', command: 'true' }).mismatch(documentedCall('Read'))).toBe(
      'tools: Bash does not match Read',
    );
    expect(compileOne({ matcher: 'Bash', command: 'true' }).isByToolName).toBe(true);
    expect(compileOne({ matcher: 'Bash(git:*)', command: 'true' }).isByToolName).toBeUndefined();
  });

  test('that are none are refused', () => {
    expect(() => loadOne({ matcher: '^Bash$', command: 'true' })).toThrow(/is no tool name/);
  });
});

describe('variables', () => {
  const given = (eventName: string, told: typeof documentedOccasion) => {
    const { env, payloadVariables, payload } = compileOne({ command: 'true' }, eventName).invocation(told);
    return { ...env, ...payloadVariables, payload: JSON.parse(payload) };
  };
  const always = {
    TIMESTAMP: '2025-12-31T10:30:00Z',
    SESSION_ID: 'session-1',
    USER_NAME: 'taipm',
    PROJECT_ROOT: '/project',
    PLATFORM: 'spec-hooks',
    AGENT_NAME: 'go-dev',
  };
  const inPayload = Object.fromEntries(
    Object.entries(always).map(([name, value]) => [name.toLowerCase(), value]),
  );

  test('the user is who the system says, where neither the thread nor the environment names one', () => {
    vi.stubEnv('USER', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(given('UserPromptSubmit', { ...documentedCall('Bash', {}), userId: null })).toMatchObject({
      USER_NAME: userInfo().username,
    });
  });

  test('of a tool', () => {
    expect(given('PreToolUse', documentedCall('Bash', { command: 'git status' }))).toEqual({
      ...always,
      TOOL_NAME: 'Bash',
      INPUT: '{"command":"git status"}',
      payload: { ...inPayload, event: 'PreToolUse', tool_name: 'Bash', input: { command: 'git status' } },
    });
  });

  test('of its result, without its stack', () => {
    const result = { status: 'error', error: 'no', stack: 'at x' } as const;
    const told = given('PostToolUse', { ...documentedCall('Bash'), result });
    expect(told).toMatchObject({
      OUTPUT: '{"status":"error","error":"no"}',
      payload: { output: { status: 'error', error: 'no' } },
    });
  });

  test('of a prompt and of a session', () => {
    expect(given('UserPromptSubmit', { ...documentedOccasion, prompt: 'Fix it' })).toEqual({
      ...always,
      PROMPT: 'Fix it',
      payload: { ...inPayload, event: 'UserPromptSubmit', prompt: 'Fix it' },
    });
    expect(given('SessionStart', documentedOccasion)).toEqual({
      ...always,
      payload: { ...inPayload, event: 'SessionStart' },
    });
  });

  test.each<[string, string, string]>([
    ['PreToolUse', 'log "$OUTPUT"', '$OUTPUT is empty on PreToolUse: only PostToolUse has it.'],
    ['SessionStart', 'log "$PROMPT"', '$PROMPT is empty on SessionStart: only UserPromptSubmit has it.'],
    ['PreToolUse', 'log "$TOOLNAME"', '$TOOLNAME is no variable of this format. Did you mean $TOOL_NAME?'],
    ['PreToolUse', 'log "$CLAUDE_PROJECT_DIR"', '$CLAUDE_PROJECT_DIR is a variable of another format'],
    ['PreToolUse', 'log {{input.command}}', '{{input.command}} is a template of hub.json'],
  ])('that are not there are reported: %s %s', (eventName, command, message) => {
    const { findings } = loadOne({ command }, eventName);
    expect(findings.map(({ code }) => code)).toEqual(['unknown_variable']);
    expect(findings[0]?.message).toContain(message);
  });

  test('that the command sets, or that the shell has, or that have a default, are not', () => {
    expect(loadOne({ command: 'log "$' + '{PROMPT:-none}"' }, 'SessionStart').codes).toEqual([]);
    expect(loadOne({ command: 'INPUTS=1; log $INPUTS $HOME $PATH' }).codes).toEqual([]);
  });
});

describe('what a command answers', () => {
  const answer = (eventName: string, ...given: Parameters<typeof exited>) =>
    compileOne({ command: 'true' }, eventName).answer(exited(...given), documentedOccasion);

  test('nothing, when it succeeds before a tool, whatever it prints', () => {
    expect(answer('PreToolUse', 0, { stdout: '{"decision":"deny"}' })).toEqual({});
  });

  test('a failure with its errors, else its output', () => {
    const failure = { effect: 'onExit', why: 'it exited with 3' };
    expect(answer('PreToolUse', 3, { stdout: 'out', stderr: 'err\n' })).toEqual({
      failure,
      reason: 'Hook blocked: err',
    });
    expect(answer('PreToolUse', 3, { stdout: 'out' })).toEqual({ failure, reason: 'Hook blocked: out' });
    expect(answer('PreToolUse', 3)).toEqual({ failure, reason: 'Hook blocked: it exited with 3' });
  });

  test('context, where a session starts or a prompt comes', () => {
    expect(answer('SessionStart', 0, { stdout: '## Status\n' })).toEqual({ context: '## Status' });
    expect(answer('UserPromptSubmit', 0, { stdout: 'x' })).toEqual({ context: 'x' });
    expect(answer('SessionStart', 0)).toEqual({});
    expect(answer('SessionEnd', 0, { stdout: 'x' })).toEqual({});
    expect(answer('SessionStart', 1, { stdout: 'x' })).not.toHaveProperty('context');
  });

  test('nothing that can be read, when it is no text', () => {
    const stdout = new Uint8Array([0xff, 0xfe]);
    const given = { exitCode: 0, stdout, stderr: new Uint8Array() };
    expect(compileOne({ command: 'true' }, 'SessionStart').answer(given, documentedOccasion)).toEqual({
      failure: { effect: 'onInvalidOutput', why: 'its output is not UTF-8' },
    });
  });
});

describe('what is wrong is a finding, and costs that entry alone', () => {
  const good = { command: 'true' };

  test.each<[string, unknown, string]>([
    ['no object', 'log.sh', 'bad_shape hooks.PreToolUse[0]'],
    ['no command', { matcher: 'Bash' }, 'no_command hooks.PreToolUse[0].command'],
    ['an empty command', { command: ' ' }, 'bad_value hooks.PreToolUse[0].command'],
    ['nested hooks', { hooks: [{ command: 'x' }] }, 'bad_shape hooks.PreToolUse[0].hooks'],
    ['another handler', { type: 'http', url: 'x' }, 'unsupported_handler hooks.PreToolUse[0].type'],
    ['a timeout that is a text', { ...good, timeout: '3s' }, 'bad_value hooks.PreToolUse[0].timeout'],
    ['a timeout of 0', { ...good, timeout: 0 }, 'bad_value hooks.PreToolUse[0].timeout'],
    ['a timeout of months', { ...good, timeout: 1e10 }, 'bad_value hooks.PreToolUse[0].timeout'],
    [
      'a flag that is a text',
      { ...good, continueOnFailure: 'no' },
      'bad_value hooks.PreToolUse[0].continueOnFailure',
    ],
  ])('%s', (_, entry, code) => {
    const { codes, entries } = load(settings, { hooks: { PreToolUse: [entry, good] } });
    expect(codes).toEqual([code]);
    expect(entries.map(({ id }) => id)).toEqual(['settings_project_pre_tool_use_2']);
  });

  test('an unknown event, with the nearest known one', () => {
    const { findings, entries } = load(settings, {
      hooks: { PreToolsUse: [good], Stop: [good], SessionEnd: [good] },
    });
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ['unknown_event', 'There is no event "PreToolsUse". Did you mean "PreToolUse"?'],
      ['unknown_event', expect.stringContaining('The events are PreToolUse, PostToolUse, UserPromptSubmit,')],
    ]);
    expect(entries).toHaveLength(1);
  });

  test('an unknown key, with the nearest known one; the entry loads', () => {
    const { findings, entries } = loadOne({ ...good, continueOnFailrue: false });
    expect(findings[0]).toMatchObject({ level: 'warning', code: 'unknown_key' });
    expect(findings[0]?.message).toContain('Did you mean "continueOnFailure"?');
    expect(entries).toHaveLength(1);
  });

  test.each([
    ['3s', 3_000],
    ['3 sec', 3_000],
    ['500ms', 500],
    ['5000', 5_000],
  ])('the timeout %j is told with the number that it means', (timeout, meant) => {
    const { findings } = loadOne({ ...good, timeout });
    expect(findings.map(({ message }) => message)).toEqual([
      `timeout must be a number of milliseconds above 0, and is a text. Write ${meant}.`,
    ]);
  });

  test('a timeout that looks like seconds, and a matcher where none counts; the entries load', () => {
    expect(loadOne({ ...good, timeout: 5 })).toMatchObject({
      codes: ['suspicious_timeout hooks.PreToolUse[0].timeout'],
      entries: [{ timeoutMs: 5 }],
    });
    const { codes, entries } = loadOne({ ...good, matcher: 'Bash' }, 'SessionStart');
    expect(codes).toEqual(['matcher_ignored hooks.SessionStart[0].matcher']);
    expect(entries[0]).not.toHaveProperty('matcher');
  });

  test('hooks that are no lists', () => {
    expect(load(settings, { hooks: [] }).codes).toEqual(['bad_shape hooks']);
    expect(load(settings, { hooks: { PreToolUse: {} } }).codes).toEqual(['bad_shape hooks.PreToolUse']);
    expect(load(settings, { permissions: {} })).toMatchObject({ codes: [], entries: [] });
  });
});

describe('recognises', () => {
  test.each<[boolean, string, object]>([
    [true, 'flat entries', { hooks: { PreToolUse: [{ command: 'x' }] } }],
    [true, 'flat entries without "hooks"', { SessionStart: [{ command: 'x' }] }],
    [
      true,
      'flat entries with its own keys, whatever else they hold',
      { hooks: { PreToolUse: [{ matcher: '^x$', command: 'x', continueOnFailure: false }] } },
    ],
    [false, 'nested entries', { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x' }] }] } }],
    [false, 'templates', { hooks: { PreToolUse: [{ command: 'x {{toolName}}' }] } }],
    [false, 'no entries', { hooks: {} }],
    [false, 'something else', { scripts: [{ command: 'x' }] }],
  ])('%s: %s', (is, _, content) => {
    expect(settings.recognises(content as never)).toBe(is);
  });
});
