import { type AnyHook, defineHook } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../test/project-folder.ts';
import { settingsFile } from '../../test/settings-file.ts';
import { createClaude } from '../dialects/claude/index.ts';
import { createService } from '../dialects/service/index.ts';
import { commandHooks } from '../members/command-hooks.ts';
import type { Dialect } from '../normal-form.ts';
import { createHookService, type Notice } from './hook-service.ts';

const strict = { timeoutBehavior: 'deny', failureBehavior: 'deny' };

function makeHooks(
  hooks: object,
  projectDir: string,
  dialect: Dialect = createService({ environment: {} }),
): AnyHook[] {
  const entries = dialect.read(settingsFile({ hooks })).entries.map((entry) => dialect.compile(entry));
  const permissionMode = async (state: { getValue(key: string): Promise<unknown> }) =>
    String(await state.getValue('runtime/permission-mode'));
  return commandHooks([{ file: 'settings.json', id: 'project', layer: 'project', dialect, entries }], {
    projectDir,
    permissionMode,
  });
}

/** A service over the hooks of one file, with everything it told. */
function serviceWith(hooks: object, dialect?: Dialect) {
  const folder = projectFolder();
  const notices: Notice[] = [];
  const service = createHookService({
    hooks: makeHooks({ ...strict, ...hooks }, folder.path, dialect),
    projectDir: folder.path,
    onNotice: (notice) => notices.push(notice),
  });
  return { ...service, folder, told: () => notices.map(({ kind, text }) => `${kind}: ${text}`) };
}

const group = (command: string, matcher?: object): object => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command }],
});
const say = (value: object): string => `echo '${JSON.stringify(value)}'`;

describe('before a tool', () => {
  test('input is rewritten field by field, each hook sees what those before it left', async () => {
    const { onPreToolUse, folder } = serviceWith({
      PreToolUse: [
        group(say({ updatedInput: { b: 2 } })),
        group(`cat > seen; ${say({ permissionDecision: 'allow', updatedInput: { c: 3 } })}`),
      ],
    });
    expect(await onPreToolUse('Read', 'call-1', { a: 1 }, 'session-1')).toEqual({
      decision: 'allow',
      modifiedInput: { a: 1, b: 2, c: 3 },
    });
    expect(JSON.parse(folder.read('seen'))).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_use_id: 'call-1',
      tool_input: { a: 1, b: 2 },
      session_id: 'session-1',
      project_dir: folder.path,
      permission_mode: 'default',
    });
  });

  test('the first deny ends it', async () => {
    const { onPreToolUse, folder } = serviceWith({
      PreToolUse: [
        group(say({ permissionDecision: 'deny', permissionDecisionReason: 'no' })),
        group('touch never'),
      ],
    });
    expect(await onPreToolUse('Read', 'call-1', {}, 'session-1')).toEqual({ decision: 'deny', reason: 'no' });
    expect(() => folder.read('never')).toThrow();
  });

  test('the same call is asked about once, and answered the same; another input is another question', async () => {
    const { onPreToolUse, folder } = serviceWith({
      PreToolUse: [group('echo x >> log; echo no >&2; exit 2')],
    });
    const ask = (input: Record<string, unknown>) => onPreToolUse('Read', 'call-1', input, 'session-1');
    const [first, second] = await Promise.all([ask({ a: 1 }), ask({ a: 1 })]);
    expect([first.decision, second]).toEqual(['deny', first]);
    expect((await ask({ a: 1 })).decision).toBe('deny');
    expect(folder.read('log')).toBe('x\n');
    await ask({ a: 2 });
    expect(folder.read('log')).toBe('x\nx\n');
  });

  test('the permission mode of the call is told', async () => {
    const { onPreToolUse, folder } = serviceWith({ PreToolUse: [group('cat > seen')] });
    await onPreToolUse('Read', 'call-1', {}, 'session-1', undefined, 'plan');
    expect(JSON.parse(folder.read('seen'))).toMatchObject({ permission_mode: 'plan' });
  });

  test('a timeout denies, or is let through, as the file says', async () => {
    for (const [timeoutBehavior, decision] of [
      ['deny', 'deny'],
      ['ask', 'ask'],
      ['ignore', 'allow'],
    ] as const) {
      const { onPreToolUse } = serviceWith({
        timeoutBehavior,
        defaultTimeout: 0.2,
        PreToolUse: [group('sleep 20')],
      });
      expect((await onPreToolUse('Read', 'call-1', {}, 'session-1')).decision).toBe(decision);
    }
  });

  test('exit code 1 is a warning, whatever failureBehavior says; others are failures', async () => {
    for (const [code, decision] of [
      [1, 'allow'],
      [2, 'deny'],
      [3, 'deny'],
      [124, 'deny'],
    ] as const) {
      const { onPreToolUse } = serviceWith({ PreToolUse: [group(`exit ${code}`)] });
      expect((await onPreToolUse('Read', 'call-1', {}, 'session-1')).decision).toBe(decision);
    }
  });
});

describe('after a tool', () => {
  const outcome = { success: true, llmContent: 'text' };

  test('standard output is context, from all hooks in their order', async () => {
    const { onPostToolUse } = serviceWith({ PostToolUse: [group('sleep 0.1; echo one'), group('echo two')] });
    expect(await onPostToolUse('Write', 'call-1', {}, outcome, 'session-1')).toEqual({
      additionalContext: 'one\n\ntwo',
    });
  });

  test('hooks that say nothing change nothing', async () => {
    const { onPostToolUse } = serviceWith({ PostToolUse: [group('true')] });
    expect(await onPostToolUse('Write', 'call-1', {}, outcome, 'session-1')).toEqual({});
  });

  test('another result takes the place of the first', async () => {
    const output = {
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: 'other',
        additionalContext: 'c',
      },
    };
    const { onPostToolUse } = serviceWith({ PostToolUse: [group(say(output))] }, createClaude());
    expect(await onPostToolUse('Write', 'call-1', {}, outcome, 'session-1')).toEqual({
      modifiedContent: 'other',
      additionalContext: 'c',
    });
  });

  test('a failure is told to hooks', async () => {
    const { onPostToolUseFailure, folder } = serviceWith({ PostToolUseFailure: [group('cat > seen')] });
    await onPostToolUseFailure('Write', 'call-1', {}, 'disk full', 'session-1');
    expect(JSON.parse(folder.read('seen'))).toMatchObject({ error: 'disk full' });
  });
});

test.each([
  [say({ permissionDecision: 'allow' }), 'approve'],
  [say({ permissionDecision: 'deny' }), 'deny'],
  [say({ permissionDecision: 'ask' }), 'ask'],
  ['true', 'ask'],
])('a permission: %s is %s', async (command, expected) => {
  const { onPermissionRequest } = serviceWith({
    PermissionRequest: [group('true'), group(command), group(say({ permissionDecision: 'allow' }))].slice(
      0,
      expected === 'ask' ? 2 : 3,
    ),
  });
  expect(await onPermissionRequest('Bash', { command: 'ls' }, 'session-1')).toBe(expected);
});

describe('sessions and turns', () => {
  test('a prompt gets context, or is refused', async () => {
    const { onUserPromptSubmit } = serviceWith({ UserPromptSubmit: [group('echo one'), group('echo two')] });
    expect(await onUserPromptSubmit('Hello', 'session-1')).toBe('one\n\ntwo');
    const refusing = serviceWith({ UserPromptSubmit: [group('echo secret-reason >&2; exit 2')] });
    const refusal = await refusing.onUserPromptSubmit('Hello', 'session-1').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'hook_failed' });
    expect(String(refusal)).not.toContain('secret-reason');
    expect(refusing.told()).toEqual(['message: secret-reason', 'denied: secret-reason']);
  });

  test('a stop is put off at most 8 times in a row', async () => {
    const { onStop, onUserPromptSubmit, told } = serviceWith({
      Stop: [group(say({ continue: true, reason: 'tests fail' }))],
    });
    const answers: boolean[] = [];
    for (let i = 0; i < 9; i++) answers.push(await onStop('completed', 'session-1'));
    expect(answers).toEqual([...Array<boolean>(8).fill(true), false]);
    expect(told()[0]).toBe('keep-going: tests fail');
    await onUserPromptSubmit('Next', 'session-1');
    expect(await onStop(undefined, 'session-1')).toBe(true);
  });

  test('a compaction is blocked, and told the tokens', async () => {
    const { onCompaction, folder } = serviceWith({ Compaction: [group('cat > seen; exit 2')] });
    expect(await onCompaction(900, 4, 'session-1')).toBe(true);
    expect(JSON.parse(folder.read('seen'))).toMatchObject({
      trigger: 'auto',
      pre_tokens: 900,
      message_count: 4,
    });
    expect(await serviceWith({ Compaction: [group('true')] }).onCompaction(1, 1, 's')).toBe(false);
  });

  test('start and end of a session run their hooks', async () => {
    const { onSessionStart, onSessionEnd, folder } = serviceWith({
      SessionStart: [group('echo start >> log')],
      SessionEnd: [group('echo end >> log')],
    });
    await onSessionStart('session-1');
    await onSessionEnd('session-1');
    expect(folder.read('log')).toBe('start\nend\n');
  });

  test('context of hooks that no function returns goes to onNotice', async () => {
    const { onSessionStart, told } = serviceWith({ SessionStart: [group('echo hello')] }, createClaude());
    await onSessionStart('session-1');
    expect(told()).toEqual(['context: hello']);
  });
});

describe('which hooks there are', () => {
  test('none', async () => {
    const service = createHookService({ hooks: [] });
    expect(service.isHooksAvailable()).toBe(false);
    expect(await service.onPreToolUse('Read', '1', {}, 's')).toEqual({ decision: 'allow' });
  });

  test('those of each project, loaded once', async () => {
    const one = projectFolder();
    const other = projectFolder();
    const loaded: string[] = [];
    const service = createHookService({
      projectDir: other.path,
      async hooks(projectDir) {
        loaded.push(projectDir);
        return projectDir === one.path
          ? makeHooks({ ...strict, PreToolUse: [group('exit 2')] }, projectDir)
          : [];
      },
    });
    expect(service.isHooksAvailable()).toBe(true);
    expect((await service.onPreToolUse('Read', '1', {}, 's', one.path)).decision).toBe('deny');
    expect((await service.onPreToolUse('Read', '2', {}, 's', one.path)).decision).toBe('deny');
    expect((await service.onPreToolUse('Read', '3', {}, 's')).decision).toBe('allow');
    expect(loaded).toEqual([one.path, other.path]);
    expect(service.isHooksAvailable()).toBe(false);
  });

  test.each([undefined, null, {}, 'hooks'])('hooks that are none are refused: %j', (hooks) => {
    expect(() => createHookService({ hooks: hooks as never })).toThrow(/hooks must be a list of hooks/);
  });

  test('typed hooks count as well, and what they write without a thread is refused', async () => {
    const hook = defineHook({
      hook: 'before_tool_call',
      id: 'writes',
      execute: async (state) => {
        await state.setValue('key', 1);
        return null;
      },
    });
    const { onPreToolUse } = createHookService({ hooks: [hook] });
    expect((await onPreToolUse('Read', '1', {}, 's')).decision).toBe('deny');
  });
});
