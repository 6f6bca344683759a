import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentProject } from '../../../test/agent-project.ts';
import { given, listCodes, occasion, settingsFile, toolCall } from '../../../test/settings-file.ts';
import { copilot } from './index.ts';

const ofEvent = (eventName: string, more: object = { bash: 'guard' }) => {
  const { entries, findings } = copilot.read(settingsFile({ version: 1, hooks: { [eventName]: [more] } }));
  const [entry] = entries;
  if (entry === undefined) throw new Error(JSON.stringify(findings));
  return copilot.compile(entry);
};
/** A variable that Copilot fills in. */
const filledIn = (name: string): string => `\${${name}}`;
const call = toolCall('Bash', { command: 'ls' });
const deny = { permissionDecision: 'deny', permissionDecisionReason: 'no' };

describe('an answer', () => {
  test.each([
    ['preToolUse', given(0, deny), 'deny'],
    ['PreToolUse', given(0, { hookSpecificOutput: { hookEventName: 'PreToolUse', ...deny } }), 'deny'],
    ['preToolUse', given(0, { permissionDecision: 'ask' }), 'ask'],
    ['preToolUse', given(0, { permissionDecision: 'allow' }), 'allow'],
    ['preToolUse', given(0, 'all is well'), undefined],
    ['preToolUse', given(2), 'deny'],
    ['preToolUse', given(2, { permissionDecision: 'allow' }), 'deny'],
    ['preToolUse', given(0, `{"type":"progress","message":"x"}\n${JSON.stringify(deny)}`), 'deny'],
    ['preToolUse', given(0, `{"type":"progress","message":"rm "}\n,"}\n${JSON.stringify(deny)}`), 'deny'],
    ['permissionRequest', given(0, { behavior: 'deny', message: 'no' }), 'deny'],
    ['permissionRequest', given(0, { behavior: 'allow' }), 'allow'],
    ['permissionRequest', given(2, '', 'no'), 'deny'],
    ['permissionRequest', given(1, '', 'no'), undefined],
    ['PermissionRequest', given(0, { hookSpecificOutput: { decision: { behavior: 'deny' } } }), 'deny'],
    ['userPromptSubmitted', given(2, '', 'no'), undefined],
    ['preCompact', given(2, '', 'no'), undefined],
  ])('%s, %#', (eventName, answer, decision) => {
    expect(ofEvent(eventName).answer(answer, call).decision).toBe(decision);
  });

  test.each([
    ['postToolUse', given(0, { modifiedResult: 'other' }), { output: 'other' }],
    ['postToolUse', given(0, { modifiedResult: { textResultForLlm: 'other' } }), { output: 'other' }],
    ['postToolUseFailure', given(2, 'try again'), { context: 'try again' }],
    ['preToolUse', given(0, { modifiedArgs: { command: 'x' } }), { input: { command: 'x' } }],
    ['agentStop', given(0, { decision: 'block', reason: 'go on' }), { keepsGoing: true, reason: 'go on' }],
    ['sessionStart', given(0, { additionalContext: 'mind' }), { context: 'mind' }],
    ['permissionRequest', given(0, { behavior: 'deny', interrupt: true }), { endsTurn: true }],
  ])('of %s does what it says: %#', (eventName, answer, expected) => {
    expect(ofEvent(eventName).answer(answer, call)).toMatchObject(expected);
  });

  test('in the form of VS Code can end a turn, and warns by other codes than 2', () => {
    const ofCode = ofEvent('PreToolUse', { command: 'guard', linux: 'guard-linux', osx: 'guard-osx' });
    expect(ofCode.answer(given(0, { continue: false, stopReason: 'enough' }), call)).toMatchObject({
      endsTurn: true,
      reason: 'enough',
    });
    expect(ofCode.entry.effects).toMatchObject({ onExit: 'continue', onLaunchError: 'continue' });
    expect(ofEvent('preToolUse').entry.effects).toMatchObject({ onExit: 'block', onTimeout: 'continue' });
  });
});

test.each([
  ['preToolUse', 'bash', 'Bash', true],
  ['preToolUse', 'ba', 'Bash', false],
  ['PreToolUse', 'Bash|Edit', 'bash', true],
  ['PreToolUse', '**', 'Read', true],
  ['PreToolUse', 'Read', 'view', true],
  ['preToolUse', 'b.*', 'Bash', true],
])('%s with the matcher %s on %s: %s', (eventName, matcher, tool, fits) => {
  expect(ofEvent(eventName, { bash: 'x', matcher }).mismatch(toolCall(tool)) === undefined).toBe(fits);
});

test('a file is read as Copilot reads it', () => {
  const { entries, findings } = copilot.read(
    settingsFile({
      version: 1,
      hooks: {
        preToolUse: [
          { bash: 'a', powershell: 'b', timeoutSec: 5 },
          { command: 'a', timeout: 7 },
          { exec: 'guard', args: ['-x'] },
          { powershell: 'b' },
          { type: 'http', url: 'http://example.com' },
          { type: 'http', url: 'https://example.com' },
          { bash: 'a', env: { A: filledIn('SECRET') } },
          { matcher: 'bash', hooks: [{ type: 'command', command: 'inner' }] },
        ],
        sessionStart: [{ type: 'prompt', prompt: 'hello' }],
        errorOccurred: [{ bash: 'a' }],
        preTolUse: [{ bash: 'a' }],
        PostToolUse: [{ linux: 'a', osx: 'a', windows: 'b', matcher: 'Bash' }],
      },
    }),
  );
  expect(entries.map(({ timeoutMs, handler, matcher }) => [timeoutMs, handler.type, matcher])).toEqual([
    [5_000, 'command', undefined],
    [7_000, 'command', undefined],
    [30_000, 'command', undefined],
    [30_000, 'http', undefined],
    [30_000, 'command', 'bash'],
    [30_000, 'command', undefined],
  ]);
  expect(entries[3]?.effects.onLaunchError).toBe('continue');
  expect(listCodes({ entries, findings })).toEqual([
    'error unsupported_event at hooks.errorOccurred',
    'error unknown_event at hooks.preTolUse',
    'error no_command at hooks.preToolUse[3].powershell',
    'error bad_value at hooks.preToolUse[4].url',
    'error bad_value at hooks.preToolUse[6].env',
    'error unsupported_handler at hooks.sessionStart[0].type',
    'note matcher_ignored at hooks.PostToolUse[0].matcher',
  ]);
});

test('a hook is told Copilot’s fields, or Claude Code’s in PascalCase', () => {
  const tell = (eventName: string, given = call) => JSON.parse(ofEvent(eventName).invocation(given).payload);
  expect(tell('preToolUse')).toEqual({
    sessionId: 'session-1',
    timestamp: Date.parse('2026-08-01T10:00:00.000Z'),
    cwd: '/work/project',
    toolName: 'bash',
    toolArgs: { command: 'ls' },
  });
  expect(tell('PreToolUse', toolCall('bash', { command: 'ls' }))).toMatchObject({
    hook_event_name: 'PreToolUse',
    hookEventName: 'PreToolUse',
    session_id: 'session-1',
    sessionId: 'session-1',
    timestamp: '2026-08-01T10:00:00.000Z',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  });
  const result = { status: 'success', result: 'done' } as const;
  expect(tell('postToolUse', { ...call, result }).toolResult).toEqual({
    resultType: 'success',
    textResultForLlm: 'done',
  });
  expect(tell('agentStop', occasion({ keptGoing: 1 }))).toMatchObject({
    stopReason: 'end_turn',
    stop_hook_active: true,
  });
});

describe('in a project', () => {
  const path = '.github/hooks/guard.json';
  const guard = (entry: object, eventName = 'preToolUse') => ({
    version: 1,
    hooks: { [eventName]: [entry] },
  });

  test('its file denies, and a script in the folder of the entry is in the fingerprint', async () => {
    const entry = { bash: 'sh guard.sh', cwd: 'tools', env: { LEVEL: 'high' }, matcher: 'bash' };
    const script = 'cat > ../told; echo "level $LEVEL" >&2; exit 2\n';
    const { loaded, callBash, project, readStatus } = await agentProject(path, guard(entry), {
      'tools/guard.sh': script,
    });
    expect(loaded.report).toMatch(/copilot \(by its path\), 1 hook/);
    const { said, ran } = await callBash();
    expect(said).toMatch(/level high/);
    expect(ran).toEqual([]);
    expect(JSON.parse(readFileSync(join(project.path, 'told'), 'utf8')).toolArgs).toEqual({ command: 'ls' });
    project.write('tools/guard.sh', 'exit 0\n');
    expect(await readStatus()).toBe('changed');
  });

  test.each([
    [{ exec: './guard', args: [] }, 'guard'],
    [{ exec: 'sh', args: ['guard'] }, 'guard'],
    [{ exec: 'sh', args: ['guard'], cwd: 'sub' }, 'sub/guard'],
    [{ bash: 'sh "$GUARD"', env: { GUARD: `${filledIn('COPILOT_PROJECT_DIR')}/guard` } }, 'guard'],
    [{ command: 'sh no', linux: 'sh guard', osx: 'sh guard' }, 'guard'],
    [{ hooks: [{ type: 'command', command: 'sh guard' }] }, 'guard'],
  ])('what %j runs is in the fingerprint', async (entry, script) => {
    const { project, readStatus } = await agentProject(path, guard(entry), { [script]: 'exit 2\n' });
    expect(await readStatus()).toBe('trusted');
    project.write(script, 'exit 0\n');
    expect(await readStatus()).toBe('changed');
  });

  test.each([
    [{ bash: 'exit 1' }, 0],
    [{ bash: 'no-such-program' }, 0],
    [{ bash: 'kill -9 $$' }, 0],
    [{ bash: 'sleep 9', timeoutSec: 0.5 }, 1],
    [{ command: 'exit 1', linux: 'exit 1', osx: 'exit 1' }, 1],
    [{ bash: 'true' }, 1],
  ])('%j: the tool runs %i times', async (entry, count) => {
    const { callBash } = await agentProject(path, guard(entry));
    expect((await callBash()).ran).toHaveLength(count);
  });

  test('a file is known by its shape', async () => {
    const { loaded } = await agentProject('hooks.json', guard({ bash: 'true' }, 'sessionStart'));
    expect(loaded.files[0]).toMatchObject({ dialect: 'copilot', chosenBy: 'shape' });
  });
});

test('names that switch hooks off are not understood: the hooks run, and that is said', () => {
  const hooks = { preToolUse: [{ type: 'command', bash: 'true' }] };
  const file = copilot.read(settingsFile({ disabledHooks: ['guard'], hooks }));
  expect(file.entries).toHaveLength(1);
  expect(listCodes(file)).toEqual(['warning switch_not_read at disabledHooks']);
});
