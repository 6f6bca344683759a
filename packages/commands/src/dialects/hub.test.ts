import { describe, expect, test } from 'vitest';
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

const document = 'rules-and-scripts.md';
const examples = readBlocks(document, 'json');

const loadOne = (entry: object, eventName = 'PreToolUse') => load(hub, { hooks: { [eventName]: [entry] } });
const compileOne = (entry: object, eventName = 'PreToolUse') => {
  const [compiled] = loadOne(entry, eventName).compiled;
  if (compiled === undefined) throw new Error('The entry was not loaded.');
  return compiled;
};

describe.skipIf(examples === undefined)('the examples of the document, word for word', () => {
  const call = (name: string, input: Record<string, string>) => ({ toolCalls: [{ name, input }] });

  test('are two files and a rule', () => {
    expect(examples).toHaveLength(3);
    expect(examples?.map((text) => hub.recognises(load(hub, text).content))).toEqual([true, false, true]);
    expect(examples?.map((text) => settings.recognises(load(hub, text).content))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('the first: an entry that leaves it open whether it blocks, and one that says so', () => {
    const { entries, findings, codes } = load(hub, examples?.[0] as string);
    expect(entries.map(({ eventName, matcher }) => [eventName, matcher])).toEqual([
      ['PreToolUse', 'bash'],
      ['PostToolUse', 'files'],
    ]);
    expect(codes).toEqual(['unclear_failure hooks.PreToolUse[0]']);
    expect(findings[0]).toMatchObject({ level: 'warning', position: { line: 4 } });
    expect(findings[0]?.message).toContain('write "continueOnError": false to block');
  });

  test('the third: nothing to say', () => {
    const { entries, codes } = load(hub, examples?.[2] as string);
    expect(codes).toEqual([]);
    expect(entries.map(({ matcher, timeoutMs }) => [matcher, timeoutMs])).toEqual([
      ['^bash$', 5_000],
      ['^write_file$', 5_000],
    ]);
  });

  test('a declarative rule among the entries is read as a rule', () => {
    const rule = JSON.parse(examples?.[1] as string);
    const { findings, entries, rules } = load(hub, { hooks: { PreToolUse: [rule] } });
    expect([entries, findings]).toEqual([[], []]);
    expect(rules).toMatchObject([{ rule, position: { path: 'hooks.PreToolUse[0]' } }]);
  });

  test.each([0, 2])('run: what a tool is given goes into the log and does nothing else (%i)', async (at) => {
    const folder = project();
    const content = String(examples?.[at]).replaceAll('/var/log/', `${folder.path}/`);
    const command = `x'; touch pwned; echo '$(touch pwned)"`;
    const file = { dialect: hub, content, projectDir: folder.path };
    const { runtime, ran } = living(file, ['bash', 'write_file'], [call('bash', { command }), 'done']);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    expect(ran).toEqual(['bash']);
    const who = at === 0 ? '[AUDIT] Agent running bash' : 'Agent running';
    expect(folder.read('flo-audit.log')).toBe(`${who}: ${command}\n`);
    expect(() => folder.read('pwned')).toThrow();
  });

  test('run: what was written is committed, with the name of the tool', async () => {
    const folder = project({ 'a.txt': 'a' });
    const entry = JSON.parse(examples?.[2] as string).hooks.PostToolUse[0];
    const git = 'git -c user.name=x -c user.email=x@x';
    const command = entry.command
      .replace('&& git add', `&& git init -q && git add`)
      .replace('git commit', `${git} commit`);
    const content = {
      hooks: { PostToolUse: [{ ...entry, command: `${command}; git log --format=%s > log.txt` }] },
    };
    const file = { dialect: hub, content, projectDir: folder.path };
    const { runtime } = living(file, ['write_file'], [call('write_file', {}), 'done']);
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    expect(folder.read('log.txt')).toBe('auto-save after write_file\n');
  });
});

describe('an entry', () => {
  test('has 5 seconds and priority 0, and one entry after another runs', () => {
    expect(compileOne({ command: 'true', continueOnError: true }).entry).toMatchObject({
      id: 'hub_project_pre_tool_use_1',
      event: 'before_tool_call',
      timeoutMs: 5_000,
      priority: 0,
      rewrite: 'none',
      isAwaited: true,
    });
    expect(hub.strategy('PreToolUse')).toBe('serial');
  });

  test('keeps its priority, whatever its sign, and its timeout in milliseconds', () => {
    const { entry } = compileOne({ command: 'true', priority: -5, timeout: 3000 });
    expect(entry).toMatchObject({ priority: -5, timeoutMs: 3_000 });
  });

  test.each([
    ['PreToolUse', 'before_tool_call'],
    ['PostToolUse', 'after_tool_call_success'],
    ['UserPromptSubmit', 'before_user_message'],
    ['Stop', 'before_stop'],
    ['AgentStart', 'after_session_started'],
    ['AgentEnd', 'after_session_ended'],
  ])('of %s runs in %s', (eventName, event) => {
    expect(compileOne({ command: 'true' }, eventName).entry.event).toBe(event);
  });

  const effectsOf = (entry: object, eventName: string) => {
    const loaded = loadOne(entry, eventName);
    return [...new Set(Object.values(loaded.entries[0]?.effects ?? {})), ...loaded.codes];
  };

  test.each(['PreToolUse', 'UserPromptSubmit', 'Stop'])(
    'of %s blocks with continueOnError: false alone',
    (event) => {
      expect(effectsOf({ command: 'true', continueOnError: false }, event)).toEqual(['block']);
      expect(effectsOf({ command: 'true', continueOnError: true }, event)).toEqual(['continue']);
    },
  );

  test('that leaves it open is reported before a tool, where the document contradicts itself', () => {
    expect(effectsOf({ command: 'true' }, 'PreToolUse')).toEqual([
      'continue',
      'unclear_failure hooks.PreToolUse[0]',
    ]);
    expect(effectsOf({ command: 'true' }, 'Stop')).toEqual(['continue']);
  });

  test.each(['PostToolUse', 'AgentStart', 'AgentEnd'])('of %s cannot block, and says so', (event) => {
    const path = `hooks.${event}[0].continueOnError`;
    expect(effectsOf({ command: 'true', continueOnError: false }, event)).toEqual([
      'continue',
      `cannot_block ${path}`,
    ]);
  });
});

describe('matchers', () => {
  const matches = (entry: object, name: string, input = {}) =>
    compileOne({ command: 'true', ...entry }).mismatch(documentedCall(name, input)) === undefined;

  test.each<[string | undefined, string[], string[]]>([
    ['^bash$', ['bash'], ['bash2', 'my_bash', 'bash\n', 'Bash']],
    ['^(bash|write_file)$', ['bash', 'write_file'], ['write_file2']],
    ['fetch|web_fetch', ['fetch', 'web_fetch', 'prefetch_x'], ['bash']],
    ['write_', ['write_file', 'overwrite_all'], ['writefile']],
    ['.*', ['anything'], []],
    [undefined, ['anything'], []],
    ['', ['anything'], []],
    ['a/b', ['a/b'], ['ab']],
  ])('%s, as in the table of the document', (matcher, wanted, others) => {
    const entry = matcher === undefined ? {} : { matcher };
    expect(wanted.filter((name) => !matches(entry, name))).toEqual([]);
    expect(others.filter((name) => matches(entry, name))).toEqual([]);
  });

  test('inputMatchers must all fit; a field that is missing or no text does not', () => {
    const entry = { matcher: '^write_file$', inputMatchers: { path: '\\.env$', content: 'API_KEY' } };
    expect(matches(entry, 'write_file', { path: 'a/.env', content: 'x API_KEY=1' })).toBe(true);
    expect(matches(entry, 'write_file', { path: 'a/.env', content: 'x' })).toBe(false);
    expect(matches(entry, 'write_file', { path: 'a/.env' })).toBe(false);
    expect(matches(entry, 'write_file', { path: 'a/.env', content: 5 })).toBe(false);
    expect(matches(entry, 'bash', { path: 'a/.env', content: 'API_KEY' })).toBe(false);
    expect(matches({ inputMatchers: { command: 'rm\\s+-rf' } }, 'bash', { command: 'rm  -rf /' })).toBe(true);
  });

  test('say why not, and whether a name is all they look at', () => {
    const named = compileOne({ matcher: '^bash$', command: 'true' });
    expect(named.mismatch(documentedCall('read'))).toBe('tools: /^bash$/ does not match read');
    expect(named.isByToolName).toBe(true);
    expect(compileOne({ inputMatchers: { a: 'b' }, command: 'true' }).isByToolName).toBeUndefined();
  });

  test('that are no regular expression are refused', () => {
    expect(() => loadOne({ matcher: '(bash', command: 'true' })).toThrow(/is not a regular expression/);
    expect(() => loadOne({ matcher: '*', command: 'true' })).toThrow(
      /Write "\.\*", or leave the matcher out/,
    );
  });

  test('cannot hang', () => {
    const { mismatch } = compileOne({ matcher: '^(a|a)*$', command: 'true' });
    expect(() => mismatch(documentedCall(`${'a'.repeat(40)}!`))).toThrow(/did not finish within 50 ms/);
  });
});

describe('templates', () => {
  const commandOf = (command: string, told: typeof documentedOccasion, eventName = 'PreToolUse') => {
    const { handler } = compileOne({ command }, eventName).invocation(told);
    return handler.type === 'command' ? handler.command : undefined;
  };
  const result = { status: 'success', result: "it's 2" } as const;

  test('are filled in, each quoted for its place', () => {
    const command = 'log {{toolName}} "{{input.path}}" {{sandbox}}/x';
    expect(commandOf(command, documentedCall('write_file', { path: '$(id)' }))).toBe(
      `log 'write_file' ""'$(id)'"" '/sandbox'/x`.replaceAll('\\', ''),
    );
    expect(commandOf("log '{{result}}'", { ...documentedCall('read'), result }, 'PostToolUse')).toBe(
      "log 'it'\\''s 2'",
    );
  });

  test('give the error of a call that failed', () => {
    const failed = { ...documentedCall('read'), result: { status: 'error', error: 'no file' } as const };
    expect(commandOf('log {{result}}', failed, 'PostToolUse')).toBe("log 'no file'");
  });

  test('are refused where no quoting is safe, and where there is no such thing', () => {
    expect(() => loadOne({ command: "sh -c 'log {{input.x}}'" })).toThrow(/^Bad template, line 1, column 12/);
    expect(() => loadOne({ command: 'log {{result}}' })).toThrow(/\{\{result\}\} is not there on PreToolUse/);
    expect(() => loadOne({ command: 'log {{toolName}}' }, 'AgentStart')).toThrow(
      /is not there on AgentStart/,
    );
    expect(() => loadOne({ command: 'log {{tool}}' })).toThrow(/Did you mean \{\{toolName\}\}\?/);
  });

  test('refuse to run with a field that the call does not have', () => {
    expect(() => commandOf('log {{input.command}}', documentedCall('read'))).toThrow(
      /is not there for this call/,
    );
  });

  test('a guard that cannot be filled in blocks; an entry that is none lets the tool run', async () => {
    const call = { toolCalls: [{ name: 'read', input: {} }] };
    for (const [continueOnError, ran] of [
      [false, []],
      [true, ['read']],
    ] as const) {
      const content = { hooks: { PreToolUse: [{ command: 'log {{input.command}}', continueOnError }] } };
      const run = living({ dialect: hub, content, projectDir: project().path }, ['read'], [call, 'done']);
      const thread = await run.runtime.createThread({ agent: 'helper' });
      await thread.send('Go');
      expect(run.ran).toEqual(ran);
    }
  });
});

describe('what a command is given and answers', () => {
  test('the payload in the words of the format', () => {
    const told = {
      ...documentedCall('bash', { command: 'ls' }),
      result: { status: 'error', error: 'no' } as const,
    };
    const { payload, env, payloadVariables } = compileOne({ command: 'true' }, 'PostToolUse').invocation(
      told,
    );
    expect(JSON.parse(payload)).toEqual({
      type: 'post_tool_use',
      agentId: 'go-dev',
      sandbox: '/sandbox',
      toolName: 'bash',
      toolInput: { command: 'ls' },
      toolResult: { content: 'no', is_error: true },
    });
    expect([env, payloadVariables]).toEqual([{}, {}]);
    const stop = compileOne({ command: 'true' }, 'Stop').invocation({
      ...documentedOccasion,
      reason: 'completed',
    });
    expect(JSON.parse(stop.payload)).toMatchObject({ type: 'stop', stopReason: 'completed' });
  });

  test('an exit code other than 0 is a failure; what it said is the reason', () => {
    const answer = (...given: Parameters<typeof exited>) =>
      compileOne({ command: 'true' }).answer(exited(...given), documentedOccasion);
    expect(answer(0, { stdout: '{"decision":"deny"}' })).toEqual({});
    const failure = { effect: 'onExit', why: 'it exited with 1' };
    expect(answer(1, { stdout: 'out', stderr: 'no\n' })).toEqual({ failure, reason: 'no' });
    expect(answer(1)).toEqual({ failure, reason: 'A hook blocked this: it exited with 1.' });
  });

  test('higher priorities run first, and the first that blocks ends it', async () => {
    const folder = project();
    const entry = (name: string, priority: number, exit: number) => ({
      command: `echo ${name} >> log.txt; exit ${exit}`,
      priority,
      continueOnError: false,
    });
    const content = { hooks: { PreToolUse: [entry('low', 1, 0), entry('no', 5, 1), entry('high', 10, 0)] } };
    const call = { toolCalls: [{ name: 'bash', input: {} }] };
    const { runtime, ran } = living(
      { dialect: hub, content, projectDir: folder.path },
      ['bash'],
      [call, 'done'],
    );
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    expect(ran).toEqual([]);
    expect(folder.read('log.txt')).toBe('high\nno\n');
  });

  test('a Stop that fails keeps the turn going, with what it said', async () => {
    const folder = project();
    const command = 'test -f stopped && exit 0; touch stopped; echo "Run the tests." >&2; exit 1';
    const content = { hooks: { Stop: [{ command, continueOnError: false }] } };
    const { runtime, model } = living(
      { dialect: hub, content, projectDir: folder.path },
      ['bash'],
      ['a', 'b'],
    );
    const thread = await runtime.createThread({ agent: 'helper' });
    await thread.send('Go');
    expect(model.calls).toHaveLength(2);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain('Run the tests.');
  });
});

describe('what is wrong is a finding, and costs that entry alone', () => {
  const good = { command: 'true', continueOnError: true };

  test.each<[string, object, string]>([
    ['a priority that is a text', { ...good, priority: 'high' }, 'bad_value hooks.PreToolUse[0].priority'],
    [
      'a flag that is a text',
      { ...good, continueOnError: 'no' },
      'bad_value hooks.PreToolUse[0].continueOnError',
    ],
    [
      'inputMatchers of numbers',
      { ...good, inputMatchers: { a: 1 } },
      'bad_value hooks.PreToolUse[0].inputMatchers',
    ],
    ['a script of a browser', { ...good, type: 'script' }, 'unsupported_handler hooks.PreToolUse[0].type'],
  ])('%s', (_, entry, code) => {
    const { codes, entries } = load(hub, { hooks: { PreToolUse: [entry, good] } });
    expect(codes).toEqual([code]);
    expect(entries.map(({ id }) => id)).toEqual(['hub_project_pre_tool_use_2']);
  });

  test('unknown events and keys, with the nearest known', () => {
    const { findings } = load(hub, { hooks: { AgentStop: [good], PreToolUse: [{ ...good, prority: 1 }] } });
    expect(findings.map(({ message }) => message)).toEqual([
      'There is no event "AgentStop". Did you mean "AgentStart"?',
      'There is no key "prority" here; it does nothing. Did you mean "priority"?',
    ]);
  });
});

describe('recognises', () => {
  test.each<[boolean, string, object]>([
    [true, 'templates', { PreToolUse: [{ command: 'x {{toolName}}' }] }],
    [true, 'its keys', { PreToolUse: [{ command: 'x', priority: 1 }] }],
    [true, 'its events', { AgentStart: [{ command: 'x' }] }],
    [true, 'regular expressions', { PreToolUse: [{ command: 'x', matcher: '^bash$' }] }],
    [false, 'nothing that only it has', { PreToolUse: [{ command: 'x', matcher: 'Bash' }] }],
    [
      false,
      'keys of the dialect "settings"',
      { PreToolUse: [{ command: 'x', matcher: '^x$', condition: 'true' }] },
    ],
    [false, 'nested entries', { PreToolUse: [{ hooks: [{ command: 'x {{toolName}}' }] }] }],
  ])('%s: %s', (is, _, hooks) => {
    expect(hub.recognises({ hooks } as never)).toBe(is);
    expect(settings.recognises({ hooks } as never)).toBe(
      !is && !('hooks' in (Object.values(hooks)[0]?.[0] ?? {})),
    );
  });
});
