import { homedir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from 'type-fest';
import { describe, expect, test } from 'vitest';
import {
  compiledEntry,
  given,
  listCodes,
  occasion,
  readHooks,
  toolCall,
} from '../../../test/settings-file.ts';
import type { EntryAnswer, Occasion } from '../../normal-form.ts';
import { createService, type ServiceOptions } from './index.ts';
import { matcherFrom } from './matcher.ts';

const dialectWith = (environment: NonNullable<ServiceOptions['environment']> = {}) =>
  createService({ environment });
const service = dialectWith();
const hook = { type: 'command', command: 'x' };
const strict = { timeoutBehavior: 'deny', failureBehavior: 'deny' };

function isFor(matcher: object, call: Occasion): boolean {
  return (
    compiledEntry(service, { ...strict, PreToolUse: [{ matcher, hooks: [hook] }] }).mismatch(call) ===
    undefined
  );
}

describe('the shape', () => {
  test.each([
    [{ PreToolUse: [{ matcher: { tools: 'Read' }, hooks: [hook] }] }, true],
    [{ UserPromptSubmit: [{ name: 'x', hooks: [hook] }] }, true],
    [{ Compaction: [{ hooks: [hook] }] }, true],
    [{ enabled: true, PreToolUse: [{ hooks: [hook] }] }, true],
    [{ defaultTimeout: 5 }, true],
    [{ PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] }, false],
    [{ PreToolUse: [{ name: 'x', matcher: 'Bash', hooks: [hook] }] }, false],
    [{ PreToolUse: [{ hooks: [hook] }] }, false],
    [{ PreToolUse: [{ command: 'x' }] }, false],
  ])('%j: %s', (hooks, expected) => {
    expect(service.recognises({ hooks } as never)).toBe(expected);
  });

  test('an entry in the normal form', () => {
    const hooks = {
      ...strict,
      PreToolUse: [
        {
          name: 'guard',
          matcher: { tools: 'Read' },
          hooks: [{ ...hook, timeout: 5, statusMessage: 'Looking' }],
        },
      ],
    };
    expect(readHooks(service, hooks)).toMatchObject({
      entries: [
        {
          id: 'service_project_pre_tool_use_1',
          dialect: 'service',
          event: 'before_tool_call',
          name: 'guard',
          statusMessage: 'Looking',
          matcher: { tools: 'Read' },
          handler: { type: 'command', command: 'x' },
          timeoutMs: 5_000,
          rewrite: 'merge',
          isAwaited: true,
        },
      ],
      findings: [],
    });
  });

  test('enabled: false loads none, and says so', () => {
    const file = readHooks(service, { enabled: false, PreToolUse: [{ hooks: [hook] }] });
    expect([file.entries, listCodes(file)]).toEqual([[], ['note disabled at hooks']]);
  });

  test('what is wrong is reported, and costs that entry alone', () => {
    const hooks = {
      ...strict,
      failureBehaviour: 'deny',
      maxConcurrentHooks: 1.5,
      preToolUse: [],
      PreToolUse: [
        { matcher: 'Bash', hooks: [hook] },
        { matcher: { tools: 7 }, hooks: [hook] },
        { matcher: { tool: 'Bash' }, hooks: [hook] },
        { hooks: [{ type: 'http', url: 'x' }, { type: 'command' }, { ...hook, timeout: 30_000 }] },
      ],
      Stop: [{ matcher: { tools: 'Bash' }, hooks: [hook] }],
    };
    const file = readHooks(service, hooks);
    expect(listCodes(file)).toEqual([
      'error bad_value at hooks.maxConcurrentHooks',
      'error unknown_event at hooks.failureBehaviour',
      'error unknown_event at hooks.preToolUse',
      'error bad_value at hooks.PreToolUse[0].matcher',
      'error bad_value at hooks.PreToolUse[1].matcher.tools',
      'error bad_value at hooks.PreToolUse[1].matcher',
      'warning unknown_key at hooks.PreToolUse[2].matcher.tool',
      'error unsupported_handler at hooks.PreToolUse[3].hooks[0].type',
      'warning unknown_key at hooks.PreToolUse[3].hooks[0].url',
      'error bad_value at hooks.PreToolUse[3].hooks[1].command',
      'warning suspicious_timeout at hooks.PreToolUse[3].hooks[2].timeout',
      'note matcher_ignored at hooks.Stop[0].matcher',
    ]);
    expect(file.entries.map(({ id }) => id)).toEqual([
      'service_project_pre_tool_use_3',
      'service_project_pre_tool_use_6',
      'service_project_stop_1',
    ]);
    expect(file.findings[1]?.message).toContain('Did you mean "failureBehavior"?');
  });

  test.each([
    ['PreToolUse', 'serial'],
    ['PostToolUse', 'parallel'],
    ['PermissionRequest', 'first-decision'],
    ['UserPromptSubmit', 'parallel'],
    ['Stop', 'first-decision'],
  ])('the strategy of %s is %s (§12e.6)', (eventName, strategy) => {
    expect(service.strategy(eventName)).toBe(strategy);
  });

  test('has 11 events', () => {
    const names =
      'PreToolUse PostToolUse PostToolUseFailure PermissionRequest UserPromptSubmit SessionStart SessionEnd Stop SubagentStop Notification Compaction'.split(
        ' ',
      );
    const hooks = Object.fromEntries(names.map((name) => [name, [{ hooks: [hook] }]]));
    expect(readHooks(service, { ...strict, ...hooks })).toMatchObject({
      entries: { length: 11 },
      findings: [],
    });
  });

  test('context goes behind the result of a tool', () => {
    expect(service.contextBehindResult?.(['a', 'b'])).toBe('\n\n[Hook Context]\na\n\nb');
  });
});

describe('what holds for all hooks of a file', () => {
  const entryOf = (config: object, eventName = 'PreToolUse', environment = {}) => {
    const file = readHooks(dialectWith(environment), { ...config, [eventName]: [{ hooks: [hook] }] });
    return { ...file, entry: file.entries[0], codes: listCodes(file) };
  };

  test('the default timeout is 60 s', () => {
    expect(entryOf(strict).entry?.timeoutMs).toBe(60_000);
    expect(entryOf({ ...strict, defaultTimeout: 2 }).entry?.timeoutMs).toBe(2_000);
  });

  test.each([
    [{ timeoutBehavior: 'ignore', failureBehavior: 'ask' }, 'PreToolUse', 'continue', 'ask'],
    [{ timeoutBehavior: 'deny', failureBehavior: 'ignore' }, 'PreToolUse', 'block', 'continue'],
    [strict, 'UserPromptSubmit', 'block', 'block'],
    [strict, 'PostToolUse', 'continue', 'continue'],
    [strict, 'Stop', 'continue', 'continue'],
    [{}, 'PreToolUse', 'block', 'block'],
    [{}, 'PermissionRequest', 'block', 'block'],
    [{}, 'UserPromptSubmit', 'continue', 'continue'],
    [{}, 'Compaction', 'continue', 'continue'],
  ])('%j on %s: a timeout does %s, a failure %s', (config, eventName, onTimeout, onFailure) => {
    expect(entryOf(config, eventName).entry?.effects).toMatchObject({
      onTimeout,
      onExit: onFailure,
      onLaunchError: onFailure,
      onInvalidOutput: onFailure,
    });
  });

  test('silence about failures of a guard is noted', () => {
    expect(entryOf({}).codes).toEqual(['note default_behavior at hooks']);
    expect(entryOf({ timeoutBehavior: 'deny' }).findings[0]?.message).toContain(
      'does not say failureBehavior:',
    );
    expect(entryOf({}, 'PostToolUse').codes).toEqual([]);
  });

  test('at most so many at once', () => {
    expect(entryOf({ ...strict, maxConcurrentHooks: 3 }).maxConcurrent).toBe(3);
    expect(entryOf(strict).maxConcurrent).toBeUndefined();
  });

  test('the environment beats the file, and that is noted', () => {
    const environment = {
      HOOKS_DEFAULT_TIMEOUT: '1.5',
      HOOKS_TIMEOUT_BEHAVIOR: 'ask',
      HOOKS_FAILURE_BEHAVIOR: 'ignore',
      HOOKS_MAX_CONCURRENT: '2',
    };
    const file = entryOf(strict, 'PreToolUse', environment);
    expect(file.entry).toMatchObject({ timeoutMs: 1_500, effects: { onTimeout: 'ask', onExit: 'continue' } });
    expect(file.maxConcurrent).toBe(2);
    expect(file.findings.map(({ message }) => /HOOKS_\w+/.exec(message)?.[0])).toEqual([
      'HOOKS_TIMEOUT_BEHAVIOR',
      'HOOKS_FAILURE_BEHAVIOR',
      'HOOKS_DEFAULT_TIMEOUT',
      'HOOKS_MAX_CONCURRENT',
    ]);
  });

  test.each([
    [{ enabled: true }, '0', 0],
    [{ enabled: true }, 'false', 0],
    [{ enabled: false }, '1', 1],
    [{ enabled: false }, 'true', 1],
    [{ enabled: true }, '', 1],
  ])('%j with HOOKS_ENABLED=%s loads %d', (config, HOOKS_ENABLED, count) => {
    expect(entryOf({ ...strict, ...config }, 'PreToolUse', { HOOKS_ENABLED }).entries).toHaveLength(count);
  });

  test.each([
    ['HOOKS_ENABLED', 'yes'],
    ['HOOKS_DEFAULT_TIMEOUT', 'soon'],
    ['HOOKS_DEFAULT_TIMEOUT', '-1'],
    ['HOOKS_DEFAULT_TIMEOUT', 'Infinity'],
    ['HOOKS_TIMEOUT_BEHAVIOR', 'block'],
    ['HOOKS_MAX_CONCURRENT', '1.5'],
  ])('%s=%s changes nothing, and is reported without its value', (name, value) => {
    const file = entryOf(strict, 'PreToolUse', { [name]: value });
    expect(file.entry).toMatchObject({ timeoutMs: 60_000, effects: { onTimeout: 'block' } });
    expect(file.codes).toEqual(['warning bad_environment at hooks']);
    expect(file.findings[0]?.message).not.toContain(value);
  });
});

describe('the matcher', () => {
  test.each([
    ['Read', 'Read', true],
    ['Read', 'ReadMany', false],
    ['Write|Edit', 'Edit', true],
    ['Write|Edit', 'MultiEdit', false],
    ['^(Write|Edit)$', 'Edit', true],
    ['mcp__.*', 'mcp__files__read', true],
    ['*', 'anything', true],
    ['get_.*', 'forget_it', true],
  ])('tools: %s on %s: %s', (tools, name, expected) => {
    expect(isFor({ tools }, toolCall(name))).toBe(expected);
  });

  test.each([
    ['**/.env*', '/work/project/.env', true],
    ['**/.env*', 'config/.env.local', true],
    ['**/.env*', 'env.ts', false],
    ['**/*.{ts,tsx}', 'src/a.tsx', true],
    ['**/*.{ts,tsx}', 'src/a.js', false],
    ['src/*.ts', '/work/project/src/a.ts', true],
    ['src/*.ts', 'lib/../src/a.ts', true],
    ['~/.ssh/**', join(homedir(), '.ssh/id'), true],
    ['~/.ssh/**', '~/.ssh/id', true],
    ['~/.ssh/**', '$HOME/.ssh/id', true],
    ['~/.ssh/**', '/x/.ssh/id', false],
  ])('paths: %s on %s: %s', (paths, file_path, expected) => {
    expect(isFor({ paths }, toolCall('Read', { file_path }))).toBe(expected);
  });

  test.each([
    ['rm\\s+-rf', 'rm  -rf /', true],
    ['rm\\s+-rf', 'ls', false],
    ['^git', 'echo git', false],
  ])('commands: %s on %s: %s', (commands, command, expected) => {
    expect(isFor({ commands }, toolCall('Bash', { command }))).toBe(expected);
  });

  test.each<[JsonObject, JsonObject, JsonObject]>([
    [{ commands: '^git' }, { commands: 'rm|git' }, { command: { line: 'rm x' } }],
    [{ commands: '^git' }, { commands: 'rm|git' }, { command: [['rm', 5]] }],
    [{ paths: 'src/**' }, { paths: '/**' }, { path: ['/etc/passwd'] }],
  ])('a field that is no text is there: %j and %j on %j', (narrow, wide, input) => {
    const call = toolCall('Bash', input);
    expect(isFor(narrow, call)).toBe(false);
    expect(isFor(wide, call)).toBe(true);
    expect(matcherFrom(narrow).isAll(call.tool as never, '/work')).toBe(false);
  });

  test('a condition on a field that the call does not have holds (§12e.5)', () => {
    expect(isFor({ tools: 'Read', paths: '**/.env*' }, toolCall('Read', {}))).toBe(true);
    expect(isFor({ commands: '^rm' }, toolCall('Read', { file_path: 'a' }))).toBe(true);
    expect(isFor({ tools: 'Read', paths: '**/.env*' }, toolCall('Write', {}))).toBe(false);
  });

  test('all conditions must hold; the first that fails is named', () => {
    const entry = compiledEntry(service, {
      ...strict,
      PreToolUse: [{ matcher: { tools: 'Read', paths: '**/.env*' }, hooks: [hook] }],
    });
    expect(entry.isByToolName).toBeUndefined();
    expect(entry.mismatch(toolCall('Write', { file_path: '.env' }))).toBe('tools: Read does not match');
    expect(entry.mismatch(toolCall('Read', { file_path: 'secret.txt' }))).toBe(
      'paths: **/.env* does not match',
    );
  });

  test('of names alone is told so', () => {
    expect(
      compiledEntry(service, { ...strict, PreToolUse: [{ matcher: { tools: 'Read' }, hooks: [hook] }] })
        .isByToolName,
    ).toBe(true);
  });

  test.each([{ tools: '^(Read' }, { paths: '**/x/' }, { commands: '[' }])('%j is refused', (matcher) => {
    expect(() => compiledEntry(service, { ...strict, PreToolUse: [{ matcher, hooks: [hook] }] })).toThrow(
      'Bad matcher',
    );
  });
});

describe('what a hook is given', () => {
  const told = (eventName: string, given: Occasion): object =>
    JSON.parse(
      compiledEntry(service, { ...strict, [eventName]: [{ hooks: [hook] }] }).invocation(given).payload,
    ) as object;
  const common = {
    hook_execution_id: 'run-1',
    timestamp: '2026-08-01T10:00:00.000Z',
    project_dir: '/work/project',
    session_id: 'session-1',
    permission_mode: 'default',
  };
  const tool = { tool_name: 'Read', tool_use_id: 'call-1', tool_input: { file_path: 'a.ts' } };
  const call = toolCall('Read', { file_path: 'a.ts' });

  test.each<[string, Occasion, object]>([
    ['PreToolUse', call, tool],
    ['PermissionRequest', call, tool],
    [
      'PostToolUse',
      { ...call, result: { status: 'success', result: 'text' } },
      { ...tool, tool_response: { success: true, llmContent: 'text' } },
    ],
    [
      'PostToolUseFailure',
      { ...call, result: { status: 'error', error: 'boom' } },
      { ...tool, error: 'boom' },
    ],
    ['UserPromptSubmit', occasion({ prompt: 'Hello' }), { prompt: 'Hello' }],
    ['SessionStart', occasion(), {}],
    ['SessionEnd', occasion(), {}],
    [
      'Stop',
      occasion({ reason: 'completed', keptGoing: 1 }),
      { stop_reason: 'completed', stop_hook_active: true },
    ],
    [
      'SubagentStop',
      occasion({ isSubagent: true, agentId: 'r' }),
      { stop_reason: null, stop_hook_active: false, agent_type: 'r' },
    ],
    [
      'Notification',
      occasion({ notification: { kind: 'notice', message: 'm' } }),
      { notification_type: 'notice', message: 'm' },
    ],
    [
      'Compaction',
      occasion({ compaction: { trigger: 'auto', messageCount: 4, preTokens: 900 } }),
      { trigger: 'auto', pre_tokens: 900, message_count: 4 },
    ],
  ])('on %s (§12e.4)', (eventName, given, extra) => {
    expect(told(eventName, given)).toEqual({ ...common, hook_event_name: eventName, ...extra });
  });

  test('FILE_PATH names the file', () => {
    const entry = compiledEntry(service, { ...strict, PostToolUse: [{ hooks: [hook] }] });
    expect(entry.invocation(call)).toMatchObject({ env: {}, payloadVariables: { FILE_PATH: 'a.ts' } });
    expect(entry.invocation(toolCall('Bash', { command: 'ls' })).payloadVariables).toEqual({});
    const both = entry.invocation(toolCall('Edit', { file_path: 'a.ts', path: 'a.ts' }));
    expect(both.payloadVariables).toEqual({ FILE_PATH: 'a.ts' });
    const decoy = entry.invocation(toolCall('Edit', { file_path: 'a.ts', path: '.env' }));
    expect(decoy.payloadVariables).toEqual({ FILE_PATH: undefined });
  });
});

describe('what a hook answers', () => {
  const answer = (eventName: string, ...said: Parameters<typeof given>): EntryAnswer =>
    compiledEntry(service, { ...strict, [eventName]: [{ hooks: [hook] }] }).answer(
      given(...said),
      occasion(),
    );

  test.each<[string, number, EntryAnswer]>([
    ['PreToolUse', 1, { failure: { effect: 'none', why: 'it exited with code 1' } }],
    ['PreToolUse', 2, { decision: 'deny', reason: 'no' }],
    ['PreToolUse', 124, { failure: { effect: 'onTimeout', why: 'it exited with code 124' } }],
    ['PreToolUse', 3, { failure: { effect: 'onExit', why: 'it exited with code 3' } }],
    ['PermissionRequest', 2, { decision: 'deny', reason: 'no' }],
    ['UserPromptSubmit', 2, { decision: 'deny', reason: 'no', userMessage: 'no' }],
    ['Compaction', 2, { decision: 'deny', reason: 'no', userMessage: 'no' }],
    ['PostToolUse', 2, { failure: { effect: 'onBlockingExit', why: 'it exited with code 2' } }],
    ['Stop', 2, { failure: { effect: 'onBlockingExit', why: 'it exited with code 2' } }],
  ])('%s, exit code %d', (eventName, code, expected) => {
    expect(answer(eventName, code, '', 'no')).toEqual(expected);
  });

  test('exit code 2 is not overridden by JSON', () => {
    expect(answer('PreToolUse', 2, { permissionDecision: 'allow' }, 'no')).toEqual({
      decision: 'deny',
      reason: 'no',
    });
    expect(answer('PreToolUse', 2, { permissionDecision: 'deny', permissionDecisionReason: 'r' })).toEqual({
      decision: 'deny',
      reason: 'r',
    });
  });

  test.each<[object | string, EntryAnswer]>([
    [
      { permissionDecision: 'deny', permissionDecisionReason: 'r' },
      { decision: 'deny', reason: 'r' },
    ],
    [{ permissionDecision: 'allow' }, { decision: 'allow' }],
    [
      { permissionDecision: 'ask', updatedInput: { a: 1 } },
      { decision: 'ask', input: { a: 1 } },
    ],
    [{ updatedInput: { a: 1 } }, { input: { a: 1 } }],
    [{ permissionDecision: 'deny', updatedInput: { a: 1 } }, { decision: 'deny' }],
    [{ decision: 'approve' }, { decision: 'allow' }],
    [{ hookSpecificOutput: { permissionDecision: 'deny' } }, { decision: 'deny' }],
    ['checked', {}],
    ['', {}],
  ])('before a tool: %j', (said, expected) => {
    expect(answer('PreToolUse', 0, said)).toEqual(expected);
  });

  test.each([
    '{"permissionDecision":',
    { permissionDecision: 'maybe' },
    { updatedInput: 'x' },
    'hi\n{"permissionDecision":"deny"}',
  ])('%j is invalid output', (said) => {
    expect(answer('PreToolUse', 0, said).failure?.effect).toBe('onInvalidOutput');
  });

  test('standard output after a tool and on a prompt is context', () => {
    for (const eventName of ['PostToolUse', 'UserPromptSubmit']) {
      expect(answer(eventName, 0, ' a.ts: 3 warnings\n')).toEqual({ context: 'a.ts: 3 warnings' });
      expect(answer(eventName, 0, '[{"line": 3}]')).toEqual({ context: '[{"line": 3}]' });
      expect(answer(eventName, 0, { additionalContext: 'c' })).toEqual({ context: 'c' });
      expect(answer(eventName, 0, '{"line": 3')).toEqual({ context: '{"line": 3' });
      expect(answer(eventName, 0, ' \n')).toEqual({});
    }
  });

  test('a prompt can be refused by JSON', () => {
    const denied = { decision: 'deny', reason: 'r', userMessage: 'r' };
    expect(answer('UserPromptSubmit', 0, { decision: 'block', reason: 'r' })).toEqual(denied);
    expect(answer('UserPromptSubmit', 0, { decision: 'ask' })).toMatchObject({ decision: 'ask' });
  });

  test.each([
    ['an unknown decision', '{"decision":"someday"}'],
    ['a banner before it', 'Welcome\n{"decision":"block"}'],
    ['a greeting around it', 'Welcome\n{"decision":"block"}\nBye'],
  ])('%s on a prompt is a failure, and context all the same', (_, stdout) => {
    expect(answer('UserPromptSubmit', 0, stdout)).toEqual({
      failure: { effect: 'onInvalidOutput', why: expect.any(String) },
      context: stdout,
    });
  });

  test.each([
    ['a key twice', '{"decision":"block","decision":"approve"}'],
    ['an answer that is cut off', '{"decision":"block"'],
  ])('%s on a prompt may be a refusal, and is one', (_, stdout) => {
    expect(answer('UserPromptSubmit', 0, stdout)).toMatchObject({
      decision: 'deny',
      failure: { effect: 'onInvalidOutput' },
      context: stdout,
    });
  });

  test('a stop is put off by continue: true', () => {
    expect(answer('Stop', 0, { continue: true, reason: 'tests fail' })).toEqual({
      keepsGoing: true,
      reason: 'tests fail',
    });
    expect(answer('Stop', 0, { continue: false })).toEqual({});
    expect(answer('Stop', 0, 'done')).toEqual({});
  });

  test('a compaction is refused', () => {
    expect(answer('Compaction', 0, { continue: false })).toEqual({ decision: 'deny' });
    expect(answer('Compaction', 0, { decision: 'block', reason: 'r' })).toEqual({
      decision: 'deny',
      reason: 'r',
    });
    expect(answer('Compaction', 0, {})).toEqual({});
  });

  test('nothing is read from the events that have no answer', () => {
    for (const eventName of ['SessionStart', 'SessionEnd', 'Notification', 'PostToolUseFailure'])
      expect(answer(eventName, 0, { decision: 'block', continue: true })).toEqual({});
  });
});
