// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what a shell or the dialect fills in
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '../../../test/project-folder.ts';
import { compiledEntry, occasion, toolCall } from '../../../test/settings-file.ts';
import type { Invocation, Occasion } from '../../normal-form.ts';
import { type ClaudeOptions, claude, createClaude } from './index.ts';

const hook = { type: 'command', command: 'x' };

function invocation(eventName: string, given: Occasion, handler: object = hook): Invocation {
  return compiledEntry(claude, { [eventName]: [{ hooks: [handler] }] }).invocation(given);
}

const common = {
  session_id: 'session-1',
  transcript_path: '',
  cwd: '/work/project',
  permission_mode: 'default',
};
const bash = { tool_name: 'Bash', tool_input: { command: 'ls' } };
const call = toolCall('Bash', { command: 'ls' });

test.each<[string, Occasion, object]>([
  ['PreToolUse', call, { ...bash, tool_use_id: 'call-1' }],
  [
    'PostToolUse',
    { ...call, result: { status: 'success', result: '{"exit":0}' }, toolMs: 12 },
    { ...bash, tool_response: { exit: 0 }, tool_use_id: 'call-1', duration_ms: 12 },
  ],
  [
    'PostToolUse',
    { ...call, result: { status: 'success', result: '{not json' } },
    { ...bash, tool_response: '{not json', tool_use_id: 'call-1' },
  ],
  [
    'PostToolUseFailure',
    { ...call, result: { status: 'error', error: 'boom' } },
    { ...bash, tool_use_id: 'call-1', error: 'boom', is_interrupt: false },
  ],
  [
    'PostToolBatch',
    occasion({
      batch: [
        {
          tool: { id: 'c', name: 'Bash', input: { command: 'ls' } },
          result: { status: 'success', result: 'ok' },
        },
      ],
    }),
    { tool_calls: [{ ...bash, tool_use_id: 'c', tool_response: 'ok' }] },
  ],
  ['PermissionRequest', call, { ...bash, permission_suggestions: [] }],
  ['UserPromptSubmit', occasion({ prompt: 'Hello' }), { prompt: 'Hello' }],
  ['SessionStart', occasion({ reason: 'created' }), { source: 'startup' }],
  ['SessionStart', occasion({ reason: 'resumed' }), { source: 'resume' }],
  ['SessionEnd', occasion({ reason: 'created' }), { reason: 'other' }],
  [
    'Stop',
    occasion({ keptGoing: 0, lastAssistantMessage: 'Done.' }),
    { stop_hook_active: false, last_assistant_message: 'Done.' },
  ],
  ['Stop', occasion({ keptGoing: 2 }), { stop_hook_active: true }],
  [
    'SubagentStop',
    occasion({ isSubagent: true, threadId: 'child', agentId: 'researcher' }),
    { agent_id: 'child', agent_type: 'researcher', stop_hook_active: false, agent_transcript_path: '' },
  ],
  [
    'SubagentStart',
    occasion({ isSubagent: true, threadId: 'child', agentId: 'researcher' }),
    { agent_id: 'child', agent_type: 'researcher' },
  ],
  [
    'PreCompact',
    occasion({ compaction: { trigger: 'manual', messageCount: 9 } }),
    { trigger: 'manual', custom_instructions: '' },
  ],
  [
    'Notification',
    occasion({ notification: { kind: 'permission', message: 'May it?' } }),
    { message: 'May it?', notification_type: 'permission_prompt' },
  ],
])('what %s is told', (eventName, given, extra) => {
  expect(JSON.parse(invocation(eventName, given).payload)).toEqual({
    ...common,
    hook_event_name: eventName,
    ...extra,
  });
});

test.each([
  ['default', 'default'],
  ['allow', 'bypassPermissions'],
  ['deny', 'dontAsk'],
  ['ask', 'default'],
  ['acceptEdits', 'acceptEdits'],
])('the mode %s is told as %s', (mode, told) => {
  expect(JSON.parse(invocation('PreToolUse', { ...call, permissionMode: mode }).payload)).toMatchObject({
    permission_mode: told,
  });
});

test('no tool payload is in the environment', () => {
  expect(invocation('PreToolUse', call)).toMatchObject({
    env: { CLAUDE_PROJECT_DIR: '/work/project' },
    payloadVariables: {},
  });
  expect(Object.keys(invocation('PreToolUse', call).env)).toEqual(['CLAUDE_PROJECT_DIR']);
});

test('the variables many believe in are set on request', () => {
  const dialect = createClaude({ legacyVariables: true });
  const entry = compiledEntry(dialect, { PostToolUse: [{ hooks: [hook] }] });
  const edit = toolCall('Edit', { file_path: '/a.ts' }, { result: { status: 'success', result: 'ok' } });
  expect(entry.invocation(edit).payloadVariables).toEqual({
    CLAUDE_TOOL_INPUT: '{"file_path":"/a.ts"}',
    CLAUDE_TOOL_NAME: 'Edit',
    CLAUDE_TOOL_OUTPUT: 'ok',
    CLAUDE_TOOL_RESPONSE: 'ok',
    CLAUDE_TOOL_FILE_PATH: '/a.ts',
    CLAUDE_FILE_PATH: '/a.ts',
    CLAUDE_FILE_PATHS: '/a.ts',
    CLAUDE_SESSION_ID: 'session-1',
  });
});

test.each([
  [{ file_path: 'a.ts', path: '.env' }, 'CLAUDE_FILE_PATH'],
  [{ file_path: ['a.ts', '.env'] }, 'CLAUDE_TOOL_FILE_PATH'],
  [{ command: 'ls', cmd: 'rm x' }, 'CLAUDE_TOOL_COMMAND'],
  [{ command: ['rm', 'x'] }, 'CLAUDE_TOOL_COMMAND'],
])('of %j, which may hold a decoy, %s is withheld', (input, name) => {
  const entry = compiledEntry(createClaude({ legacyVariables: true }), { PreToolUse: [{ hooks: [hook] }] });
  const { payloadVariables } = entry.invocation(toolCall('Edit', input));
  expect(Object.hasOwn(payloadVariables, name)).toBe(true);
  expect(payloadVariables[name]).toBeUndefined();
});

test('a plugin has its folders, the start of a session a file for variables', () => {
  const outputDir = mkdtempSync(join(tmpdir(), 'claude-env-'));
  onTestFinished(() => rmSync(outputDir, { recursive: true }));
  const options: ClaudeOptions = {
    outputDir,
    pluginDataDir: '/data',
    transcriptPath: (id) => `/t/${id}.jsonl`,
  };
  const entry = compiledEntry(
    createClaude(options),
    { SessionStart: [{ hooks: [hook] }] },
    'plug/hooks/hooks.json',
  );
  const { env, payload } = entry.invocation(occasion({ sessionId: '../x', reason: 'created' }));
  expect(env).toEqual({
    CLAUDE_PROJECT_DIR: '/work/project',
    CLAUDE_PLUGIN_ROOT: resolve('plug'),
    CLAUDE_PLUGIN_DATA: '/data',
    CLAUDE_ENV_FILE: join(outputDir, 'env-.._x'),
  });
  expect(JSON.parse(payload)).toMatchObject({ transcript_path: '/t/../x.jsonl' });
  expect(existsSync(outputDir)).toBe(true);
});

test('folders in a program without a shell are filled in; a shell line is left to the shell', () => {
  const program = {
    type: 'command',
    command: '${CLAUDE_PROJECT_DIR}/run',
    args: ['--in', '${CLAUDE_PROJECT_DIR}', '$HOME'],
  };
  expect(invocation('PreToolUse', call, program).handler).toEqual({
    type: 'command',
    command: '/work/project/run',
    args: ['--in', '/work/project', '$HOME'],
  });
  const line = { type: 'command', command: '"${CLAUDE_PROJECT_DIR}"/run' };
  expect(invocation('PreToolUse', call, line).handler).toMatchObject({
    command: '"${CLAUDE_PROJECT_DIR}"/run',
  });
});

test('a prompt holds the payload where it says $ARGUMENTS, else at its end', () => {
  const { handler, payload } = invocation('PreToolUse', toolCall('Bash', { command: "$& $' $ARGUMENTS" }), {
    type: 'prompt',
    prompt: 'Look at $ARGUMENTS, then say.',
  });
  expect(handler).toMatchObject({ prompt: `Look at ${payload}, then say.` });
  expect(invocation('Stop', call, { type: 'prompt', prompt: 'Done?' }).handler).toMatchObject({
    prompt: `Done?\n\n${invocation('Stop', call).payload}`,
  });
});

test("a tool's input takes fields of the payload", () => {
  const input = {
    path: '${tool_input.file_path}',
    note: 'read ${tool_input.file_path} by ${tool_name}, ${tool_input.missing}',
    all: '${tool_input}',
    gone: '${tool_input.constructor}',
    list: [{ deep: '${session_id}' }, 7],
  };
  const read = toolCall('Read', { file_path: '/a' });
  expect(invocation('PreToolUse', read, { type: 'mcp_tool', tool: 't', input }).handler).toMatchObject({
    input: {
      path: '/a',
      note: 'read /a by Read, ',
      all: { file_path: '/a' },
      gone: null,
      list: [{ deep: 'session-1' }, 7],
    },
  });
});

test('the folder for what is kept goes with the process', () => {
  const output = join(import.meta.dirname, 'output-cap.ts');
  const code = `import { privateFolder } from ${JSON.stringify(output)};
console.log(privateFolder().path('x').slice(0, -2), privateFolder().path('x').slice(0, -2));`;
  const file = join(projectFolder({ 'a.mts': code }).path, 'a.mts');
  const tsx = join(import.meta.dirname, '../../../../../node_modules/.bin/tsx');
  const [one, other] = execFileSync(tsx, [file]).toString().trim().split(' ');
  expect(one).not.toBe(other);
  expect([existsSync(one as string), existsSync(other as string)]).toEqual([false, false]);
});
