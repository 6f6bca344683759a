import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelRequest } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { agentProject } from '../../../test/agent-project.ts';
import {
  compiledEntry,
  given,
  listCodes,
  occasion,
  readHooks,
  settingsFile,
  toolCall,
} from '../../../test/settings-file.ts';
import { gemini } from './index.ts';

const command = { type: 'command', command: 'guard' };
const ofEvent = (eventName: string, matcher?: string) =>
  compiledEntry(gemini, { [eventName]: [{ matcher, hooks: [command] }] });
const call = toolCall('run_shell_command', { command: 'ls' });
const deny = { decision: 'deny', reason: 'no' };

describe('an answer before a tool', () => {
  test.each([
    [given(0, deny), 'deny'],
    [given(0, { decision: 'block' }), 'deny'],
    [given(0, '', JSON.stringify(deny)), 'deny'],
    [given(0, JSON.stringify(JSON.stringify(deny))), 'deny'],
    [given(1, deny), 'deny'],
    [given(2, deny), 'deny'],
    [given(2, { decision: 'allow' }, 'no'), undefined],
    [given(2), undefined],
    [given(2, '', 'no'), 'deny'],
    [{ ...given(2), stderr: Uint8Array.of(0x6e, 0x6f, 0xc3) }, 'deny'],
    [given(2, '', 'no: {'), 'deny'],
    [given(2, '', '{ rm'), 'deny'],
    [given(2, '', 'no\n{"decision":"allow"}'), 'deny'],
    [given(3, '', 'no'), 'deny'],
    [given(1, '', 'no'), undefined],
    [given(0, 'no'), undefined],
    [given(0, { decision: 'ask' }), 'ask'],
    [given(0, { decision: 'allow' }), undefined],
    [given(0, { hookSpecificOutput: { permissionDecision: 'deny' } }), undefined],
  ])('%# decides as Gemini CLI 0.61.0 was seen to', (answer, decision) => {
    expect(ofEvent('BeforeTool').answer(answer, call).decision).toBe(decision);
  });

  test('tells a person what is no JSON', () => {
    expect(ofEvent('BeforeTool').answer(given(0, 'well'), call)).toEqual({ userMessage: 'well' });
    expect(ofEvent('BeforeTool').answer(given(1, '', 'well'), call)).toMatchObject({
      userMessage: 'Warning: well',
      failure: { effect: 'onExit' },
    });
  });

  test('rewrites the whole input, and gives no context', () => {
    const specific = { tool_input: { command: 'ls -a' }, additionalContext: 'mind' };
    const { entry, answer } = ofEvent('BeforeTool');
    expect(entry.rewrite).toBe('replace');
    expect(answer(given(0, { hookSpecificOutput: specific }), call)).toEqual({
      input: { command: 'ls -a' },
      uncounted: 'additionalContext: Gemini CLI does not read it there',
    });
  });

  test('ends the run, with the stop reason first', () => {
    expect(
      ofEvent('BeforeTool').answer(given(0, { continue: false, stopReason: 'enough' }), call),
    ).toMatchObject({
      endsTurn: true,
      reason: 'enough',
    });
  });

  test('that quotes what breaks it refuses all the same', () => {
    expect(ofEvent('BeforeTool').answer(given(0, '{"decision":"deny","reason":"a"b"}'), call).decision).toBe(
      'deny',
    );
  });
});

test.each([
  ['AfterTool', given(0, deny), { output: 'no' }],
  ['AfterTool', given(2, '', 'no'), { output: 'no' }],
  ['BeforeAgent', given(2, '', 'no'), { decision: 'deny', reason: 'no' }],
  ['AfterAgent', given(0, deny), { keepsGoing: true, reason: 'no' }],
  ['AfterAgent', given(0, { ...deny, continue: false }), { endsTurn: true }],
  ['SessionStart', given(0, { hookSpecificOutput: { additionalContext: '<b>' } }), { context: '<b>' }],
  [
    'BeforeAgent',
    given(0, { hookSpecificOutput: { additionalContext: '</hook_context>' } }),
    { context: '<hook_context>&lt;/hook_context&gt;</hook_context>' },
  ],
])('%s, %#: %j', (eventName, answer, expected) => {
  expect(ofEvent(eventName).answer(answer, call)).toMatchObject(expected);
});

test.each(['SessionStart', 'SessionEnd', 'PreCompress', 'Notification'])(
  'a deny on %s is none',
  (eventName) => {
    const { decision, keepsGoing, endsTurn } = ofEvent(eventName).answer(given(2, '', 'no'), call);
    expect([decision, keepsGoing, endsTurn]).toEqual([undefined, undefined, undefined]);
  },
);

test.each([
  ['BeforeTool', 'shell', call, true],
  ['BeforeTool', '^write_file$', call, false],
  ['BeforeTool', 'Run', call, false],
  ['SessionStart', 'startup', occasion({ reason: 'created' }), true],
  ['SessionStart', 'start', occasion({ reason: 'created' }), false],
])('on %s the matcher %s: %#', (eventName, matcher, given, fits) => {
  expect(ofEvent(eventName, matcher).mismatch(given) === undefined).toBe(fits);
});

test('a file is read as Gemini CLI reads it', () => {
  const { entries, findings } = readHooks(gemini, {
    enabled: true,
    BeforeTool: [{ hooks: [{ ...command, timeout: 600 }, command, { type: 'Command', command: 'x' }] }],
    AfterModel: [{ hooks: [command] }],
    PreToolUse: [{ hooks: [command] }],
  });
  expect(entries.map(({ timeoutMs }) => timeoutMs)).toEqual([600, 60_000]);
  expect(listCodes({ entries, findings })).toEqual([
    'error unsupported_event at hooks.AfterModel',
    'error unknown_event at hooks.PreToolUse',
    'warning suspicious_timeout at hooks.BeforeTool[0].hooks[0].timeout',
    'error unsupported_handler at hooks.BeforeTool[0].hooks[2].type',
  ]);
});

test.each([
  [{ hooksConfig: { enabled: false } }, 'note disabled at hooksConfig.enabled'],
  [{ tools: { enableHooks: false } }, 'note disabled at tools.enableHooks'],
  [{ hooksConfig: { disabled: ['g'] } }, 'note disabled at hooks.BeforeTool[0].hooks[0]'],
  [{ hooksConfig: { disabled: ['guard'] } }, 'note disabled at hooks.BeforeTool[0].hooks[0]'],
])('%j switches hooks off, and says so', (switches, told) => {
  const hooks = { BeforeTool: [{ hooks: [{ ...command, name: 'g' }] }] };
  const file = gemini.read(settingsFile({ ...switches, hooks }));
  expect([file.entries, listCodes(file)]).toEqual([[], [told]]);
});

test('a hook is told what Gemini CLI tells', () => {
  const result = { status: 'error', error: 'broken' } as const;
  const payload = JSON.parse(ofEvent('AfterTool').invocation({ ...call, result }).payload);
  expect(payload).toEqual({
    session_id: 'session-1',
    transcript_path: '',
    cwd: '/work/project',
    hook_event_name: 'AfterTool',
    timestamp: '2026-08-01T10:00:00.000Z',
    tool_name: 'run_shell_command',
    tool_input: { command: 'ls' },
    tool_response: { llmContent: 'broken', returnDisplay: '', error: { message: 'broken' } },
  });
});

test.each([
  [
    '/work/project',
    `sh '$GEMINI_PROJECT_DIR/a.sh' "$CLAUDE_PROJECT_DIR" $HOME`,
    `sh '/work/project/a.sh' "/work/project" $HOME`,
  ],
  [`/work/it's "mine"; ls`, 'sh "$GEMINI_PROJECT_DIR/a.sh"', 'sh "$GEMINI_PROJECT_DIR/a.sh"'],
])('in %j its variables are put into the text', (projectDir, line, filled) => {
  const entry = compiledEntry(gemini, { BeforeTool: [{ hooks: [{ type: 'command', command: line }] }] });
  expect(entry.invocation({ ...call, projectDir }).handler).toMatchObject({ command: filled });
});

describe('in a project', () => {
  const file = '.gemini/settings.json';
  const guard = (line: string, more: object = {}) => ({
    hooks: { BeforeTool: [{ matcher: 'Bash', hooks: [{ type: 'command', command: line, ...more }] }] },
  });

  test('its file denies, and its script is in the fingerprint', async () => {
    const script = 'cat > told; echo "not here, $GEMINI_SESSION_ID" >&2; exit 3\n';
    const { loaded, callBash, project, readStatus } = await agentProject(
      file,
      guard('sh "$GEMINI_PROJECT_DIR"/guard.sh'),
      { 'guard.sh': script },
    );
    expect(loaded.report).toMatch(/gemini \(by its path\), 1 hook/);
    const { said, ran } = await callBash();
    expect(said).toMatch(/not here, \S+/);
    expect(ran).toEqual([]);
    expect(JSON.parse(readFileSync(join(project.path, 'told'), 'utf8')).hook_event_name).toBe('BeforeTool');
    project.write('guard.sh', 'exit 0\n');
    expect(await readStatus()).toBe('changed');
  });

  test.each([
    ['no-such-program', 0],
    ['exit 1', 1],
    ['kill -9 $$', 1],
    ['sleep 5', 1],
  ])('%s: the tool runs %i times', async (line, count) => {
    const { callBash } = await agentProject(file, guard(line, { timeout: 1_000 }));
    expect((await callBash()).ran).toHaveLength(count);
  });

  test('switching hooks off is in the fingerprint', async () => {
    const { project, readStatus } = await agentProject(file, guard('exit 2'));
    project.write(file, JSON.stringify({ ...guard('exit 2'), hooksConfig: { disabled: ['other'] } }));
    expect(await readStatus()).toBe('changed');
    project.write(file, JSON.stringify({ ...guard('exit 2'), tools: { sandbox: true } }));
    expect(await readStatus()).toBe('trusted');
  });

  test('what it adds behind a result is framed', async () => {
    const said = JSON.stringify({ hookSpecificOutput: { additionalContext: 'mind <this>' } });
    const hooks = { AfterTool: [{ hooks: [{ type: 'command', command: `printf %s '${said}'` }] }] };
    const { callBash } = await agentProject(file, { hooks });
    expect((await callBash()).said).toBe('Bash ran\n\n<hook_context>mind &lt;this&gt;</hook_context>');
  });
});

describe('before the model is called', () => {
  const specific = (fields: object) => given(0, { hookSpecificOutput: fields });
  const response = {
    llm_response: { candidates: [{ content: { role: 'model', parts: ['Not ', 'now.'] } }] },
  };

  test.each([
    ['BeforeModel', given(0, deny), { decision: 'deny', reason: 'no' }],
    ['BeforeModel', given(2, '', 'no'), { decision: 'deny', reason: 'no' }],
    ['BeforeModel', given(0, { ...deny, hookSpecificOutput: response }), { output: 'Not now.' }],
    ['BeforeModel', specific(response), {}],
    [
      'BeforeModel',
      specific({ llm_request: { model: 'small', config: { temperature: 0 } } }),
      { request: { model: 'small', settings: { temperature: 0 } } },
    ],
    [
      'BeforeToolSelection',
      specific({ toolConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } }),
      { request: { toolChoice: 'required', tools: ['read_file'] } },
    ],
    ['BeforeToolSelection', given(0, deny), {}],
  ])('%s, %#', (eventName, answer, expected) => {
    const { userMessage: _, failure: __, ...said } = ofEvent(eventName).answer(answer, occasion());
    expect(said).toEqual(expected);
  });

  const request = {
    ...{ callId: 'c1', model: 'large', step: 1, attempt: 1, estimatedTokens: 9 },
    usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
    ...{ settings: { temperature: 1, seed: 7 }, toolChoice: null, tools: ['Read', 'Bash'] },
    messages: [
      { role: 'system', content: 'Help.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null },
      { role: 'tool', content: 'x' },
    ],
  } satisfies ModelRequest;
  const messages = [
    { role: 'system', content: 'Help.' },
    { role: 'user', content: 'Hi' },
  ];

  test('it is told of the request, without tools', () => {
    const payload = JSON.parse(
      ofEvent('BeforeModel').invocation(occasion({ modelRequest: request })).payload,
    );
    expect(payload.llm_request).toEqual({ model: 'large', messages, config: { temperature: 1 } });
  });

  test('it denies and answers in the runtime', async () => {
    const hooks = (said: object) => ({
      hooks: {
        BeforeModel: [{ hooks: [{ type: 'command', command: `printf %s '${JSON.stringify(said)}'` }] }],
      },
    });
    const denied = await agentProject('.gemini/settings.json', hooks(deny));
    await expect(denied.callBash()).rejects.toThrow('denied the model call');
    const answered = await agentProject(
      '.gemini/settings.json',
      hooks({ ...deny, hookSpecificOutput: response }),
    );
    expect((await answered.callBash()).ran).toEqual([]);
  });
});
