// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what a shell or the dialect fills in
import { describe, expect, test } from 'vitest';
import {
  compiledEntry,
  given,
  listCodes,
  readHooks,
  settingsFile,
  toolCall,
} from '../../../test/settings-file.ts';
import type { CommandEntry } from '../../normal-form.ts';
import { service } from '../service/index.ts';
import { claudeEvents, unsupportedEvents } from './events.ts';
import { claude, createClaude } from './index.ts';

const hook = { type: 'command', command: 'x' };

/** What is read from one handler of an event. */
function read(handler: object, eventName = 'PreToolUse') {
  const file = readHooks(claude, { [eventName]: [{ hooks: [handler] }] });
  return {
    entry: file.entries[0] as CommandEntry,
    entries: file.entries,
    codes: listCodes(file),
    findings: file.findings,
  };
}

const at = (eventName: string, key: string): string =>
  `hooks.${eventName}[0].hooks[0]${key === '' ? '' : `.${key}`}`;

describe('the shape', () => {
  test('is told from the service dialect', () => {
    const own = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } };
    expect([service.recognises(own), claude.recognises(own)]).toEqual([false, true]);
    expect(claude.recognises({ hooks: { PreToolUse: [{ command: 'x' }] } })).toBe(false);
    expect(claude.recognises({ permissions: {} })).toBe(false);
  });

  test('an entry in the normal form', () => {
    const hooks = {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ ...hook, if: 'Bash(git *)', statusMessage: 'Looking…' }] }],
    };
    expect(readHooks(claude, hooks).entries).toEqual([
      {
        id: 'claude_project_pre_tool_use_1',
        dialect: 'claude',
        layer: 'project',
        position: {
          file: 'settings.json',
          line: 1,
          column: expect.any(Number),
          path: 'hooks.PreToolUse[0].hooks[0]',
        },
        eventName: 'PreToolUse',
        event: 'before_tool_call',
        matcher: 'Bash',
        condition: 'Bash(git *)',
        statusMessage: 'Looking…',
        handler: { type: 'command', command: 'x', shell: 'bash' },
        priority: 0,
        timeoutMs: 600_000,
        effects: {
          onBlockingExit: 'block',
          onExit: 'continue',
          onTimeout: 'continue',
          onLaunchError: 'continue',
          onInvalidOutput: 'continue',
        },
        rewrite: 'replace',
        isAwaited: true,
      },
    ]);
  });

  test('a number that is out of range is told', () => {
    const { findings } = readHooks(claude, { PreToolUse: [{ hooks: [{ ...hook, timeout: -1 }] }] });
    expect(findings.map(({ message }) => message)).toEqual([
      'timeout must be a number of seconds above 0, and is -1.',
    ]);
    const text =
      '{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "x", "timeout": 1e999 }] }] } }';
    expect(claude.read(settingsFile(text)).findings.map(({ message }) => message)).toEqual([
      'A timeout has at most 2147483 seconds (24 days).',
    ]);
  });

  test('one malformed entry costs itself alone, and ids stay', () => {
    const hooks = {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command' }, hook, 7] },
        { hooks: 'x' },
        { command: 'x' },
        null,
        { matcher: 7, hooks: [hook] },
        { hooks: [hook] },
      ],
      PostToolUse: { hooks: [hook] },
    };
    const file = readHooks(claude, hooks);
    expect(file.entries.map(({ id }) => id)).toEqual([
      'claude_project_pre_tool_use_2',
      'claude_project_pre_tool_use_4',
    ]);
    expect(listCodes(file).sort()).toEqual(
      [
        'error bad_value at hooks.PreToolUse[0].hooks[0].command',
        'error bad_shape at hooks.PreToolUse[0].hooks[2]',
        'error bad_shape at hooks.PreToolUse[1]',
        'error bad_shape at hooks.PreToolUse[2]',
        'error bad_shape at hooks.PreToolUse[3]',
        'error bad_value at hooks.PreToolUse[4].matcher',
        'error bad_shape at hooks.PostToolUse',
      ].sort(),
    );
    expect(file.findings.find(({ position }) => position.path === 'hooks.PreToolUse[2]')?.message).toContain(
      '"hooks": [{',
    );
  });

  test('disableAllHooks loads none, and says so', () => {
    const file = claude.read(settingsFile({ disableAllHooks: true, hooks: { Stop: [{ hooks: [hook] }] } }));
    expect([file.entries, listCodes(file)]).toEqual([[], ['note disabled at disableAllHooks']]);
  });

  test('hooks that are no object are an error, comments are none', () => {
    expect(listCodes(claude.read(settingsFile({ hooks: [] })))).toEqual(['error bad_shape at hooks']);
    const hooks = {
      description: 'x',
      _note: 1,
      Stop: [{ description: 'x', hooks: [{ ...hook, '// why': 1 }] }],
    };
    expect(readHooks(claude, hooks)).toMatchObject({ entries: [{ eventName: 'Stop' }], findings: [] });
  });
});

describe('events', () => {
  test('there are 33, each with a place or with what it would have done', () => {
    const names = [...Object.keys(claudeEvents), ...Object.keys(unsupportedEvents)];
    expect(new Set(names).size).toBe(33);
    for (const name of Object.keys(unsupportedEvents)) {
      const { findings } = readHooks(claude, { [name]: [{ hooks: [hook] }] });
      expect(findings).toEqual([
        expect.objectContaining({
          level: 'error',
          code: 'unsupported_event',
          message: expect.stringContaining('it would have'),
        }),
      ]);
    }
    for (const name of Object.keys(claudeEvents)) expect(read(hook, name).findings).toEqual([]);
  });

  test.each([
    ['PreToolUs', 'PreToolUse'],
    ['preToolUse', 'PreToolUse'],
    ['UserPromptSubmitted', 'UserPromptSubmit'],
    ['TaskComplete', 'TaskCompleted'],
  ])('%s is reported with %s', (wrong, right) => {
    const { findings, entries } = readHooks(claude, { [wrong]: [{ hooks: [hook] }] });
    expect(entries).toEqual([]);
    expect(findings[0]).toMatchObject({
      code: 'unknown_event',
      message: expect.stringContaining(`Did you mean "${right}"?`),
    });
  });

  test('main threads and subagents have their own', () => {
    const only = (eventName: string) => read(hook, eventName).entry.only;
    expect(['Stop', 'SubagentStop', 'SessionStart', 'SubagentStart', 'PreToolUse'].map(only)).toEqual([
      'main',
      'subagent',
      'main',
      'subagent',
      undefined,
    ]);
  });
});

describe('timeouts', () => {
  test.each([
    [hook, 'PreToolUse', 600_000],
    [{ ...hook, timeout: 5 }, 'PreToolUse', 5_000],
    [{ ...hook, timeout: 0.5 }, 'PreToolUse', 500],
    [hook, 'UserPromptSubmit', 30_000],
    [{ ...hook, timeout: 90 }, 'UserPromptSubmit', 90_000],
    [hook, 'SessionEnd', 1_500],
    [{ ...hook, timeout: 20 }, 'SessionEnd', 20_000],
    [{ type: 'http', url: 'http://localhost:1/' }, 'Stop', 600_000],
    [{ type: 'prompt', prompt: 'Fine?' }, 'Stop', 30_000],
    [{ type: 'agent', prompt: 'Fine?' }, 'Stop', 60_000],
    [{ type: 'mcp_tool', tool: 'x' }, 'Stop', 600_000],
  ])('%j on %s', (handler, eventName, timeoutMs) => {
    expect(read(handler, eventName).entry.timeoutMs).toBe(timeoutMs);
  });

  test('that look like milliseconds are reported, and kept', () => {
    const { entry, findings } = read({ ...hook, timeout: 5000 });
    expect(entry.timeoutMs).toBe(5_000_000);
    expect(findings[0]).toMatchObject({ level: 'warning', code: 'suspicious_timeout' });
    expect(findings[0]?.message).toBe(
      'Timeouts are in seconds: 5000 are 83 minutes. Write 5 if 5000 milliseconds are meant.',
    );
  });

  test('at the end of a session have at most 60 seconds', () => {
    const { entry, codes } = read({ ...hook, timeout: 120 }, 'SessionEnd');
    expect(entry.timeoutMs).toBe(60_000);
    expect(codes).toEqual([`note timeout_cut at ${at('SessionEnd', 'timeout')}`]);
  });

  test.each([0, -1, '5', null, 1e10])('%j is refused', (timeout) => {
    expect(read({ ...hook, timeout })).toMatchObject({
      entries: [],
      codes: [`error bad_value at ${at('PreToolUse', 'timeout')}`],
    });
  });
});

describe('handlers', () => {
  test('args run a program without a shell', () => {
    expect(read({ ...hook, args: ['-c', 'y'] }).entry.handler).toEqual({
      type: 'command',
      command: 'x',
      args: ['-c', 'y'],
    });
  });

  test('http, prompt, tool', () => {
    expect(
      read({ type: 'http', url: 'https://x.example/h', headers: { a: 'b' }, allowedEnvVars: ['T'] }).entry
        .handler,
    ).toEqual({
      type: 'http',
      url: 'https://x.example/h',
      headers: { a: 'b' },
      allowedEnvVars: ['T'],
    });
    expect(read({ type: 'prompt', prompt: 'Fine?', model: 'small' }).entry.handler).toEqual({
      type: 'prompt',
      prompt: 'Fine?',
      model: 'small',
    });
    expect(read({ type: 'mcp_tool', server: 's', tool: 't', input: { a: 1 } }).entry.handler).toEqual({
      type: 'mcp_tool',
      server: 's',
      tool: 't',
      input: { a: 1 },
    });
  });

  test.each([
    [{ command: 'x' }, 'error unsupported_handler', 'type', 'has no type'],
    [{ type: 'comand', command: 'x' }, 'error unsupported_handler', 'type', 'Did you mean "command"?'],
    [{ ...hook, shell: 'powershell' }, 'error unsupported_handler', 'shell', 'PowerShell'],
    [{ ...hook, shell: 'zsh' }, 'error bad_value', 'shell', 'bash, powershell'],
    [{ ...hook, args: 'x' }, 'error bad_value', 'args', 'a list of texts'],
    [{ ...hook, async: 'yes' }, 'error bad_value', 'async', 'true or false'],
    [{ type: 'http', url: 'ftp://x' }, 'error bad_value', 'url', 'http://'],
    [{ type: 'http', url: 'x' }, 'error bad_value', 'url', 'http://'],
    [{ type: 'http', url: 'http://x', headers: { a: 1 } }, 'error bad_value', 'headers', 'text'],
    [{ type: 'prompt' }, 'error bad_value', 'prompt', 'Add it'],
    [{ type: 'mcp_tool' }, 'error bad_value', 'tool', 'Add it'],
    [{ type: 'command', command: '' }, 'error bad_value', 'command', 'empty'],
  ])('%j is refused: %s', (handler, code, key, message) => {
    const { entries, codes, findings } = read(handler);
    expect([entries, codes]).toEqual([[], [`${code} at ${at('PreToolUse', key)}`]]);
    expect(findings[0]?.message).toContain(message);
  });

  test('an agent hook is loaded, and what it lacks is said', () => {
    expect(read({ type: 'agent', prompt: 'Fine?' })).toMatchObject({
      entries: [{ handler: { type: 'agent' } }],
      codes: [`warning agent_without_tools at ${at('PreToolUse', '')}`],
    });
  });

  test('unknown keys are reported with the nearest known one', () => {
    const { entries, findings } = read({ ...hook, timout: 5 });
    expect(entries).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      level: 'warning',
      code: 'unknown_key',
      message: expect.stringContaining('"timeout"'),
    });
  });

  test('async is not waited for; asyncRewake neither, and what is lost is said', () => {
    expect(read({ ...hook, async: true })).toMatchObject({ entries: [{ isAwaited: false }], codes: [] });
    expect(read({ ...hook, asyncRewake: true, rewakeMessage: 'm', rewakeSummary: 's' })).toMatchObject({
      entries: [{ isAwaited: false }],
      codes: [`warning no_rewake at ${at('PreToolUse', 'asyncRewake')}`],
    });
  });

  test('once is honoured, and noted', () => {
    expect(read({ ...hook, once: true })).toMatchObject({
      entries: [{ isOnce: true }],
      codes: [`note once at ${at('PreToolUse', 'once')}`],
    });
  });
});

describe('effects', () => {
  const { onBlockingExit: _, ...lenient } = read(hook).entry.effects;

  test.each([
    ['PreToolUse', 'block'],
    ['UserPromptSubmit', 'block'],
    ['Stop', 'block'],
    ['PreCompact', 'block'],
    ['PermissionRequest', 'continue'],
    ['PostToolUse', 'continue'],
    ['SessionStart', 'continue'],
  ])('of failures on %s are none, of exit code 2: %s', (eventName, onBlockingExit) => {
    expect(read(hook, eventName).entry.effects).toEqual({ ...lenient, onBlockingExit });
  });

  test('can be made strict where an entry guards something', () => {
    expect(read({ ...hook, onFailure: 'block' }).entry.effects).toEqual({
      onBlockingExit: 'block',
      onExit: 'block',
      onTimeout: 'block',
      onLaunchError: 'block',
      onInvalidOutput: 'block',
    });
    expect(read({ ...hook, onTimeout: 'ask' }).entry.effects).toMatchObject({
      onTimeout: 'ask',
      onExit: 'continue',
    });
    expect(read({ ...hook, onFailure: 'block' }, 'PostToolUse').entry.effects.onExit).toBe('continue');
    expect(read({ ...hook, onFailure: 'block' }, 'PreCompact').entry.effects.onExit).toBe('block');
  });

  test.each([
    [{ onFailure: 'block' }, 'Stop', 'onFailure'],
    [{ onFailure: 'block' }, 'SubagentStop', 'onFailure'],
    [{ onTimeout: 'ask' }, 'SessionStart', 'onTimeout'],
    [{ onFailure: 'block', async: true }, 'PreToolUse', 'onFailure'],
  ])('that do not count are reported: %j on %s', (keys, eventName, key) => {
    const file = { [eventName]: [{ hooks: [{ ...hook, ...keys }] }] };
    const { entries, findings } = readHooks(claude, file);
    expect(entries[0]?.effects).toMatchObject({ onExit: 'continue', onTimeout: 'continue' });
    expect(listCodes({ entries, findings })).toEqual([
      `warning cannot_block at hooks.${eventName}[0].hooks[0].${key}`,
    ]);
  });

  test.each([
    ['continue', 'continue'],
    ['block', 'block'],
    ['ask', 'block'],
    ['deny', 'block'],
  ])('of a tool: %s reads as %s, as in Claude Code', (onFailure, effect) => {
    const tool = { type: 'mcp_tool', server: 'guard', tool: 'check', onFailure };
    expect(read(tool).entry.effects.onExit).toBe(effect);
  });

  test.each([
    ['PreToolUse', 'block', 'onInvalidOutput'],
    ['PreToolUse', 'continue', undefined],
    ['PreCompact', 'block', undefined],
  ])('of a tool: text on %s with "%s" is %s', (eventName, onFailure, effect) => {
    const tool = { type: 'mcp_tool', tool: 'check', onFailure };
    const compiled = compiledEntry(claude, { [eventName]: [{ hooks: [tool] }] });
    expect(compiled.answer(given(0, 'All is well.'), toolCall('Bash')).failure?.effect).toBe(effect);
    expect(compiled.answer(given(0, {}), toolCall('Bash')).failure).toBeUndefined();
  });
});

describe('variables', () => {
  const messages = (command: string, eventName = 'PreToolUse', dialect = claude, file?: string): string[] =>
    readHooks(dialect, { [eventName]: [{ hooks: [{ type: 'command', command }] }] }, file).findings.map(
      ({ code, message }) => `${code}: ${message}`,
    );

  test.each([
    ['lint "$CLAUDE_TOOL_FILE_PATH"', 'jq -r .tool_input.file_path'],
    ['lint $CLAUDE_FILE_PATHS', 'jq -r .tool_input.file_path'],
    ['echo "${CLAUDE_TOOL_INPUT}"', 'jq .tool_input'],
    ['echo $CLAUDE_TOOL_NAME', 'jq -r .tool_name'],
    ['echo $CLAUDE_TOOL_OUTPUT', 'jq .tool_response'],
    ['x $CLAUDE_PROJEKT_DIR', 'Did you mean $CLAUDE_PROJECT_DIR?'],
    ['x $CLAUDE_PLUGIN_ROOT', 'only the file hooks/hooks.json of a plugin'],
    ['x $CLAUDE_PLUGIN_DATA', 'pluginDataDir'],
    ['x $CLAUDE_ENV_FILE', 'only SessionStart'],
    ['x $CLAUDE_EFFORT', 'no levels of effort'],
  ])('%s is reported', (command, hint) => {
    expect(messages(command)).toEqual([
      expect.stringMatching(/^unknown_variable: The command uses \$CLAUDE_/),
    ]);
    expect(messages(command)[0]).toContain(hint);
  });

  test.each([
    ['"$CLAUDE_PROJECT_DIR"/x', 'PreToolUse', 'settings.json'],
    ['echo A=1 >> "$CLAUDE_ENV_FILE"', 'SessionStart', 'settings.json'],
    ['${CLAUDE_PLUGIN_ROOT}/x', 'PreToolUse', 'plugin/hooks/hooks.json'],
    ['CLAUDE_MINE=1; echo $CLAUDE_MINE', 'PreToolUse', 'settings.json'],
    ['ls "${CLAUDE_CONFIG_DIR:-$HOME/.claude}" "${CLAUDE_PLUGIN_ROOT:-.}"', 'PreToolUse', 'settings.json'],
    ['echo $HOME', 'PreToolUse', 'settings.json'],
    ['test -n "$CLAUDE_CODE_REMOTE"', 'PreToolUse', 'settings.json'],
  ])('%s is not', (command, eventName, file) => {
    expect(messages(command, eventName, claude, file)).toEqual([]);
  });

  test('many believe in are known with legacyVariables', () => {
    expect(
      messages('lint $CLAUDE_FILE_PATHS', 'PostToolUse', createClaude({ legacyVariables: true })),
    ).toEqual([]);
  });
});
