import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentProject } from '../../test/agent-project.ts';
import { compiledEntry, given, listCodes, occasion, readHooks, toolCall } from '../../test/settings-file.ts';
import { qwen } from './qwen.ts';

const command = { type: 'command', command: 'guard' };
const guard = (matcher?: string) => compiledEntry(qwen, { PreToolUse: [{ matcher, hooks: [command] }] });
const deny = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } };
const allow = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };

describe('an answer', () => {
  test.each([
    [given(2), undefined],
    [given(2, deny), undefined],
    [given(2, '', 'no'), 'deny'],
    [given(2, allow, 'no'), 'deny'],
    [given(2, '', JSON.stringify(deny)), 'deny'],
    [given(1, deny), 'deny'],
    [given(1, '', JSON.stringify(deny)), 'deny'],
    [given(1, '', 'no'), undefined],
    [given(127, '', 'no such command'), undefined],
    [given(0, { decision: 'deny', reason: 'no' }), 'deny'],
    [given(0, { decision: 'block', reason: 'no' }), 'deny'],
    [given(0, { decision: 'ask' }), 'ask'],
    [given(0, allow), 'allow'],
    [given(0, 'deny'), undefined],
  ])('%# decides as Qwen Code 0.24.4 was seen to', (answer, decision) => {
    expect(guard().answer(answer, toolCall('Bash')).decision).toBe(decision);
  });

  test('that the program does not read is told, and does nothing', () => {
    const { hookSpecificOutput: specific } = allow;
    const rewritten = { ...specific, updatedInput: { command: 'ls' }, additionalContext: 'mind' };
    const answer = guard().answer(given(0, { hookSpecificOutput: rewritten }), toolCall('Bash'));
    expect(answer).toEqual({
      decision: 'allow',
      uncounted:
        'updatedInput: Qwen Code does not read it there; additionalContext: Qwen Code does not read it there',
    });
  });

  test('gives the words of standard error, or the reason in it', () => {
    const said = JSON.stringify({ decision: 'deny', reason: 'not here' });
    expect(guard().answer(given(2, '', said), toolCall('Bash')).reason).toBe('not here');
    expect(guard().answer(given(2, '', 'not so'), toolCall('Bash')).reason).toBe('not so');
  });
});

test.each([
  ['Bash', 'run_shell_command', true],
  ['WriteFile', 'Write', true],
  ['Edit | Write', 'write_file', true],
  ['run_shell', 'Bash', true],
  ['^Bash$', 'run_shell_command', true],
  ['Read', 'Bash', false],
])('the matcher %s on %s: %s', (matcher, tool, fits) => {
  expect(guard(matcher).mismatch(toolCall(tool)) === undefined).toBe(fits);
});

test('a file is read as the program reads it', () => {
  const { entries, findings } = readHooks(qwen, {
    PreToolUse: [
      {
        matcher: 'Bash',
        sequential: true,
        hooks: [
          { ...command, timeout: 5_000, name: 'g', env: { A: '1' } },
          { ...command, timeout: 5, if: 'Bash(git *)', onFailure: 'block' },
          { type: 'agent', prompt: 'Look.' },
          { type: 'http', url: 'http://localhost/x' },
        ],
      },
    ],
    SessionDelete: [{ hooks: [command] }],
    Setup: [{ hooks: [command] }],
  });
  expect(entries.map(({ timeoutMs, isSequential, name }) => [timeoutMs, isSequential, name])).toEqual([
    [5_000, true, 'g'],
    [5_000, true, undefined],
    [600_000, true, undefined],
  ]);
  const at = 'hooks.PreToolUse[0].hooks';
  expect(listCodes({ entries, findings })).toEqual([
    'error unsupported_event at hooks.SessionDelete',
    'error unknown_event at hooks.Setup',
    `note suspicious_timeout at ${at}[0].timeout`,
    `warning unknown_key at ${at}[1].if`,
    `warning unknown_key at ${at}[1].onFailure`,
    `error unsupported_handler at ${at}[2].type`,
  ]);
});

test('a hook is told what Qwen Code tells', () => {
  const after = compiledEntry(qwen, { PostToolUse: [{ hooks: [command] }] });
  const call = toolCall(
    'Bash',
    { command: 'ls' },
    { permissionMode: 'allow', result: { status: 'success', result: 'a' } },
  );
  const payload = JSON.parse(after.invocation(call).payload);
  expect(payload).toMatchObject({
    hook_event_name: 'PostToolUse',
    permission_mode: 'yolo',
    tool_call_id: 'call-1',
    tool_response: { llmContent: 'a', returnDisplay: '' },
    timestamp: '2026-08-01T10:00:00.000Z',
  });
  const batch = [
    { tool: { id: 'c', name: 'Bash', input: {} }, result: { status: 'success', result: 'ab' } as const },
  ];
  const told = compiledEntry(qwen, { PostToolBatch: [{ hooks: [command] }] }).invocation(occasion({ batch }));
  expect(JSON.parse(told.payload).tool_calls[0]).toMatchObject({
    tool_call_id: 'c',
    tool_response: { content_length: 2 },
  });
});

describe('in a project', () => {
  const hook = { type: 'command', command: 'sh "$QWEN_PROJECT_DIR/.qwen/guard.sh"', env: { LEVEL: 'high' } };
  const content = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } };

  test('its file denies with the command that it names, and the script is in its fingerprint', async () => {
    const script = 'cat > "$QWEN_PROJECT_DIR/told"; echo "level $LEVEL" >&2; exit 2\n';
    const { loaded, callBash, project, readStatus } = await agentProject('.qwen/settings.json', content, {
      '.qwen/guard.sh': script,
    });
    expect(loaded.report).toMatch(/qwen \(by its path\), 1 hook/);
    const { said, ran } = await callBash();
    expect(said).toMatch(/level high/);
    expect(ran).toEqual([]);
    expect(JSON.parse(readFileSync(join(project.path, 'told'), 'utf8')).tool_input).toEqual({
      command: 'ls',
    });
    project.write('.qwen/guard.sh', 'exit 0\n');
    expect(await readStatus()).toBe('changed');
  });

  test('a variable that loads code is in its fingerprint', async () => {
    const loading = { ...hook, command: 'bash -c true', env: { BASH_ENV: './env.sh' } };
    const { readStatus, project, loaded } = await agentProject(
      '.qwen/settings.json',
      { hooks: { PreToolUse: [{ hooks: [loading] }] } },
      { 'env.sh': 'true\n' },
    );
    const isTold = loaded.findings.some(({ code }) => code === 'unseen_script');
    project.write('env.sh', 'exit 0\n');
    expect(isTold || (await readStatus()) === 'changed').toBe(true);
  });

  test('one group that is sequential makes all of its event so: the second runs after the first', async () => {
    const slow = { type: 'command', command: 'sleep 0.3; echo first >> order' };
    const quick = { type: 'command', command: 'echo second >> order' };
    const hooks = { PreToolUse: [{ hooks: [slow] }, { sequential: true, hooks: [quick] }] };
    const { project, callBash } = await agentProject('.qwen/settings.json', { hooks });
    expect((await callBash()).ran).toHaveLength(1);
    expect(readFileSync(join(project.path, 'order'), 'utf8')).toBe('first\nsecond\n');
  });
});
