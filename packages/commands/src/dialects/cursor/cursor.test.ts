import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentProject } from '../../../test/agent-project.ts';
import { projectFolder } from '../../../test/project-folder.ts';
import { given, listCodes, occasion, settingsFile, toolCall } from '../../../test/settings-file.ts';
import { parseSettings } from '../../settings-file.ts';
import { cursor } from './index.ts';

const file = (hooks: object) => settingsFile({ version: 1, hooks });
const ofEvent = (eventName: string, more: object = {}) => {
  const { entries, findings } = cursor.read(file({ [eventName]: [{ command: 'guard', ...more }] }));
  const [entry] = entries;
  if (entry === undefined) throw new Error(JSON.stringify(findings));
  return cursor.compile(entry);
};
const call = toolCall('Bash', { command: 'git push' });
const deny = { permission: 'deny', user_message: 'no', agent_message: 'not that' };

describe('an answer', () => {
  test.each([
    ['preToolUse', given(0, deny), 'deny'],
    ['preToolUse', given(0, { permission: 'allow' }), 'allow'],
    ['preToolUse', given(0, { permission: 'ask' }), 'ask'],
    ['preToolUse', given(0), undefined],
    ['preToolUse', given(2), 'deny'],
    ['preToolUse', given(2, { permission: 'allow' }, 'no'), 'deny'],
    ['preToolUse', given(1, deny), undefined],
    ['preToolUse', given(127, '', 'no'), undefined],
    ['preToolUse', given(0, { decision: 'block', reason: 'no' }), 'deny'],
    ['preToolUse', given(0, { hookSpecificOutput: { permissionDecision: 'deny' } }), 'deny'],
    ['preToolUse', given(0, `a line\n${JSON.stringify(deny)}`), 'deny'],
    ['preToolUse', given(0, 'a line\n{"permission":"allow"}'), 'allow'],
    ['preToolUse', given(0, '{"permission":"deny","x":""} {"permission":"allow"}'), 'deny'],
    ['beforeSubmitPrompt', given(0, { continue: false, user_message: 'no' }), 'deny'],
    ['beforeSubmitPrompt', given(2, '', 'no'), 'deny'],
    ['beforeSubmitPrompt', given(0, { continue: true }), undefined],
    ['sessionStart', given(2, '', 'no'), undefined],
    ['preCompact', given(2, '', 'no'), undefined],
    ['stop', given(2, '', 'no'), undefined],
  ])('%s, %#', (eventName, answer, decision) => {
    expect(ofEvent(eventName).answer(answer, call).decision).toBe(decision);
  });

  test('that cannot be read blocks where a permission is asked for, and is dropped elsewhere', () => {
    for (const words of ['all is well', '{"permission":"perhaps"}', '{'])
      expect(ofEvent('beforeShellExecution').answer(given(0, words), call).failure?.effect).toBe(
        'onInvalidOutput',
      );
    expect(ofEvent('beforeShellExecution').entry.effects.onInvalidOutput).toBe('block');
    expect(ofEvent('afterFileEdit').answer(given(0, 'all is well'), call)).toEqual({
      uncounted: 'it is not JSON',
    });
  });

  test('tells the model and the person apart', () => {
    expect(ofEvent('preToolUse').answer(given(0, deny), call)).toMatchObject({
      reason: 'not that',
      userMessage: 'no',
    });
  });

  test('rewrites before a tool alone', () => {
    const rewrite = given(0, { updated_input: { command: 'ls' } });
    expect(ofEvent('preToolUse').answer(rewrite, call).input).toEqual({ command: 'ls' });
    expect(ofEvent('beforeShellExecution').answer(rewrite, call).input).toBeUndefined();
  });

  test('of more than 10,000 characters is no context', () => {
    const context = (length: number) => given(0, { additional_context: 'a'.repeat(length) });
    expect(ofEvent('postToolUse').answer(context(10_000), call).context).toHaveLength(10_000);
    expect(ofEvent('postToolUse').answer(context(10_001), call)).toEqual({
      uncounted: expect.stringContaining('more than 10000 characters'),
    });
  });

  test('keeps a turn going as often as the entry says', () => {
    const goOn = given(0, { followup_message: 'and the tests?' });
    const keeps = (more: object, keptGoing: number) =>
      ofEvent('stop', more).answer(goOn, occasion({ keptGoing })).keepsGoing === true;
    expect([keeps({}, 4), keeps({}, 5)]).toEqual([true, false]);
    expect([keeps({ loop_limit: 1 }, 0), keeps({ loop_limit: 1 }, 1)]).toEqual([true, false]);
    expect(keeps({ loop_limit: null }, 100)).toBe(true);
  });

  test('of an entry that fails closed blocks on every failure', () => {
    expect(ofEvent('beforeSubmitPrompt', { failClosed: true }).entry.effects).toMatchObject({
      onExit: 'block',
      onTimeout: 'block',
      onLaunchError: 'block',
      onInvalidOutput: 'block',
    });
    expect(ofEvent('afterFileEdit', { failClosed: true }).entry.effects.onExit).toBe('continue');
  });
});

const fits = (
  eventName: string,
  tool: string,
  { input = {}, ...more }: { input?: object; matcher?: string } = {},
) => ofEvent(eventName, more).mismatch(toolCall(tool, input as never)) === undefined;

test.each([
  ['beforeShellExecution', 'Bash', {}, true],
  ['beforeShellExecution', 'my_terminal', { input: { command: 'ls' } }, true],
  ['beforeShellExecution', 'my_terminal', { input: { cmd: 'ls' } }, true],
  ['beforeShellExecution', 'my_terminal', { input: { command: ['git', 'push'] }, matcher: 'git push' }, true],
  ['beforeShellExecution', 'Bash', { input: { command: 'ls', cmd: 'git push' }, matcher: 'git push' }, true],
  ['beforeShellExecution', 'Bash', { input: { command: '', cmd: 'git push' }, matcher: 'git push' }, true],
  ['beforeShellExecution', 'Bash', { input: { command: { run: 'git push' } }, matcher: 'git push' }, true],
  ['beforeShellExecution', 'Read', { input: { file_path: 'a' } }, false],
  ['beforeShellExecution', 'Bash', { input: { command: 'a; git push' }, matcher: 'git push' }, true],
  ['beforeShellExecution', 'Bash', { input: { command: 'ls' }, matcher: 'git' }, false],
  ['beforeReadFile', 'Read', { input: { file_path: 'a' } }, true],
  ['beforeReadFile', 'open_file', { input: { path: 'a' } }, true],
  ['beforeReadFile', 'Write', { input: { file_path: 'a' } }, false],
  ['beforeMCPExecution', 'mcp__files__read', {}, true],
  ['beforeMCPExecution', 'Bash', {}, false],
  ['afterFileEdit', 'Edit', { input: { file_path: 'a' } }, true],
  ['preToolUse', 'Bash', { matcher: 'Shell' }, true],
  ['preToolUse', 'mcp__files__read', { matcher: 'MCP:read' }, true],
  ['preToolUse', 'Read', { matcher: 'Shell|Write' }, false],
] as const)('%s is for a call of %s with %j: %s', (eventName, tool, more, isFor) => {
  expect(fits(eventName, tool, more)).toBe(isFor);
});

test('a file is read as Cursor reads it', () => {
  const { entries, findings } = cursor.read(
    settingsFile({
      hooks: {
        preToolUse: [
          { command: 'curl https://example.com' },
          { type: 'prompt', prompt: 'Is it fine?' },
          { timeout: 5 },
        ],
        subagentStart: [{ command: 'x' }],
        beforeTabFileRead: [{ command: 'x' }],
        preTolUse: [{ command: 'x' }],
        sessionStart: [{ command: 'x', matcher: 'y', event: 'z' }],
      },
    }),
  );
  expect(entries.map(({ timeoutMs, handler }) => [timeoutMs, handler.type])).toEqual([
    [60_000, 'command'],
    [60_000, 'prompt'],
    [60_000, 'command'],
  ]);
  expect(listCodes({ entries, findings })).toEqual([
    'warning no_version at hooks',
    'error unsupported_event at hooks.subagentStart',
    'error unsupported_event at hooks.beforeTabFileRead',
    'error unknown_event at hooks.preTolUse',
    'warning cut_at_slashes at hooks.preToolUse[0].command',
    'error bad_value at hooks.preToolUse[2].command',
    'note matcher_ignored at hooks.sessionStart[0].matcher',
    'warning unknown_key at hooks.sessionStart[0].event',
  ]);
});

test('hooks of the user run where their file is', () => {
  const { settings } = parseSettings('{"version":1,"hooks":{"stop":[{"command":"x"}]}}', {
    file: '/home/ada/.cursor/hooks.json',
    layer: 'user',
  });
  const { entries } = cursor.read(settings as NonNullable<typeof settings>);
  expect(entries[0]?.handler).toMatchObject({ cwd: '/home/ada/.cursor' });
});

test('a hook is told what Cursor tells', () => {
  const project = projectFolder({ '.env': 'KEY=1' });
  const tell = (eventName: string, given = call) =>
    JSON.parse(ofEvent(eventName).invocation({ ...given, projectDir: project.path }).payload);
  expect(tell('beforeShellExecution')).toMatchObject({
    conversation_id: 'thread-1',
    hook_event_name: 'beforeShellExecution',
    workspace_roots: [project.path],
    cursor_version: 'spec-hooks',
    command: 'git push',
    cwd: project.path,
  });
  expect(
    tell('beforeShellExecution', toolCall('Bash', { command: ['git', 'push'], cmd: 'ls' })).command,
  ).toBe('git push\nls');
  expect(tell('preToolUse')).toMatchObject({ tool_name: 'Shell', tool_input: { command: 'git push' } });
  expect(tell('beforeMCPExecution', toolCall('mcp__files__read', { a: 1 }))).toMatchObject({
    tool_name: 'read',
    mcp_server_name: 'files',
    tool_input: { a: 1 },
  });
  expect(tell('beforeReadFile', toolCall('Read', { file_path: '.env' }))).toMatchObject({
    file_path: '.env',
    content: 'KEY=1',
  });
  const result = { status: 'success', result: 'done' } as const;
  expect(JSON.parse(tell('postToolUse', { ...call, result }).tool_output)).toEqual({
    output: 'done',
    exitCode: 0,
  });
  expect(
    tell('afterFileEdit', toolCall('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' })),
  ).toMatchObject({
    edits: [{ old_string: 'x', new_string: 'y' }],
  });
});

describe('in a project', () => {
  const path = '.cursor/hooks.json';

  test('its file denies a command, and its script is in the fingerprint', async () => {
    const script = 'cat > told; printf %s \'{"permission":"deny","agent_message":"not here"}\'\n';
    const hooks = {
      beforeShellExecution: [{ command: 'sh "$CURSOR_PROJECT_DIR"/.cursor/guard.sh', matcher: 'git' }],
    };
    const { loaded, callBash, project, readStatus } = await agentProject(
      path,
      { version: 1, hooks },
      { '.cursor/guard.sh': script },
    );
    expect(loaded.report).toMatch(/cursor \(by its path\), 1 hook/);
    expect((await callBash({ command: 'ls' })).ran).toHaveLength(1);
    const { said, ran } = await callBash({ command: 'git push' });
    expect(said).toMatch(/not here/);
    expect(ran).toEqual([]);
    expect(JSON.parse(readFileSync(join(project.path, 'told'), 'utf8')).command).toBe('git push');
    project.write('.cursor/guard.sh', 'exit 0\n');
    expect(await readStatus()).toBe('changed');
  });

  test.each([
    ['exit 1', {}, 1],
    ['exit 1', { failClosed: true }, 0],
    ['sleep 9', { failClosed: true, timeout: 0.5 }, 0],
    ['no-such-program', {}, 1],
    ['no-such-program', { failClosed: true }, 0],
    ['echo well', {}, 0],
  ])('%s with %j: the tool runs %i times', async (command, more, count) => {
    const hooks = { preToolUse: [{ command, ...more }] };
    const { callBash } = await agentProject(path, { version: 1, hooks });
    expect((await callBash()).ran).toHaveLength(count);
  });

  test('a file is known by its shape', async () => {
    const { loaded } = await agentProject('other/hooks.json', {
      version: 1,
      hooks: { beforeShellExecution: [{ command: 'true' }] },
    });
    expect(loaded.files[0]).toMatchObject({ dialect: 'cursor', chosenBy: 'shape' });
    expect(dirname(loaded.files[0]?.file ?? '')).toMatch(/other$/);
  });
});
