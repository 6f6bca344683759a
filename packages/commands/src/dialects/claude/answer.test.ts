import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compiledEntry, given, occasion, toolCall } from '../../../test/settings-file.ts';
import type { EntryAnswer } from '../../normal-form.ts';
import { UNREADABLE } from '../nested/refusal.ts';
import { claude, createClaude } from './index.ts';

/** Reads what a command answered on an event. */
function answer(eventName: string, ...said: Parameters<typeof given>): EntryAnswer {
  const entry = compiledEntry(claude, { [eventName]: [{ hooks: [{ type: 'command', command: 'x' }] }] });
  return entry.answer(given(...said), occasion());
}

const specific = (hookEventName: string, fields: object): object => ({
  hookSpecificOutput: { hookEventName, ...fields },
});

const tool = (fields: object): object => specific('PreToolUse', fields);

describe('exit codes', () => {
  test.each([
    ['PreToolUse', { decision: 'deny', reason: 'no' }],
    ['UserPromptSubmit', { decision: 'deny', reason: 'no', userMessage: 'no' }],
    ['PreCompact', { decision: 'deny', reason: 'no', userMessage: 'no' }],
    ['Stop', { keepsGoing: true, reason: 'no' }],
    ['SubagentStop', { keepsGoing: true, reason: 'no' }],
    ['PostToolBatch', { endsTurn: true, reason: 'no', userMessage: 'no' }],
    ['PostToolUse', { context: 'no' }],
    ['PostToolUseFailure', { context: 'no' }],
    ['SessionStart', { userMessage: 'no' }],
    ['SessionEnd', { userMessage: 'no' }],
    ['Notification', { userMessage: 'no' }],
    ['SubagentStart', { userMessage: 'no' }],
  ])('2 on %s blocks as the event can', (eventName, expected) => {
    expect(answer(eventName, 2, '', 'no\n')).toEqual(expected);
  });

  test('2 on a permission request is a failure like any other', () => {
    expect(answer('PermissionRequest', 2, '', 'no')).toEqual({
      failure: { effect: 'onExit', why: 'it exited with code 2' },
    });
  });

  test('2 without a word on standard error says so, or takes the reason of the JSON', () => {
    expect(answer('PreToolUse', 2).reason).toContain('without giving a reason');
    expect(answer('PreToolUse', 2, { decision: 'block', reason: 'because' })).toEqual({
      decision: 'deny',
      reason: 'because',
    });
  });

  test.each([1, 3, 124, 126, 127, 255])('%d does not block', (code) => {
    for (const eventName of ['PreToolUse', 'UserPromptSubmit', 'Stop', 'SessionStart']) {
      expect(answer(eventName, code, 'text', 'broken')).toEqual({
        failure: { effect: 'onExit', why: `it exited with code ${code}` },
      });
    }
  });

  test('JSON is read on any exit code', () => {
    expect(
      answer('PreToolUse', 1, tool({ permissionDecision: 'deny', permissionDecisionReason: 'r' })),
    ).toEqual({
      decision: 'deny',
      reason: 'r',
      failure: { effect: 'onExit', why: 'it exited with code 1' },
    });
  });
});

describe('exit code 2 is not overridden (reported regressions)', () => {
  test.each([
    ['an allow', tool({ permissionDecision: 'allow', updatedInput: { command: 'ls' } })],
    ['an ask', tool({ permissionDecision: 'ask' })],
    ['an old approve', { decision: 'approve' }],
    ['invalid JSON', '{"hookSpecificOutput": {'],
    ['JSON of another event', specific('PostToolUse', {})],
    ['a list', '[1]'],
    ['text', 'all fine'],
  ])('by %s', (_, stdout) => {
    expect(answer('PreToolUse', 2, stdout, 'blocked')).toEqual({ decision: 'deny', reason: 'blocked' });
  });

  test('and context and message of the JSON stay', () => {
    const said = { systemMessage: 'for you', ...tool({ additionalContext: 'look' }) };
    expect(answer('PreToolUse', 2, said, 'blocked')).toEqual({
      decision: 'deny',
      reason: 'blocked',
      userMessage: 'for you',
      context: 'look',
    });
  });
});

describe('decisions on a tool', () => {
  test.each<[object, EntryAnswer]>([
    [tool({ permissionDecision: 'deny', permissionDecisionReason: 'r' }), { decision: 'deny', reason: 'r' }],
    [
      tool({ permissionDecision: 'allow', permissionDecisionReason: 'r' }),
      { decision: 'allow', userMessage: 'r' },
    ],
    [tool({ permissionDecision: 'ask', permissionDecisionReason: 'r' }), { decision: 'ask', reason: 'r' }],
    [tool({ permissionDecision: 'defer' }), { decision: 'ask' }],
    [
      tool({ permissionDecision: 'allow', updatedInput: { command: 'ls' } }),
      { decision: 'allow', input: { command: 'ls' } },
    ],
    [tool({ updatedInput: { command: 'ls' } }), { input: { command: 'ls' } }],
    [tool({ permissionDecision: 'deny', updatedInput: { command: 'ls' } }), { decision: 'deny' }],
    [tool({ additionalContext: 'c' }), { context: 'c' }],
    [
      { decision: 'approve', reason: 'r' },
      { decision: 'allow', userMessage: 'r' },
    ],
    [
      { decision: 'block', reason: 'r' },
      { decision: 'deny', reason: 'r' },
    ],
    [
      { decision: 'block', reason: 'r', ...tool({ permissionDecision: 'allow' }) },
      { decision: 'deny', reason: 'r' },
    ],
    [
      { decision: 'approve', ...tool({ permissionDecision: 'deny', permissionDecisionReason: 'r' }) },
      { decision: 'deny', reason: 'r' },
    ],
    [{ systemMessage: 'm', suppressOutput: true }, { userMessage: 'm' }],
    [tool({ permissionDecision: null, somethingNew: 1 }), {}],
    [{}, {}],
  ])('%j', (said, expected) => {
    expect(answer('PreToolUse', 0, said)).toEqual(expected);
  });

  test.each([
    ['an unknown decision', tool({ permissionDecision: 'maybe' }), 'hookSpecificOutput.permissionDecision'],
    ['an unknown old decision', { decision: 'perhaps' }, 'decision'],
    ['no name of the event', { hookSpecificOutput: { permissionDecision: 'allow' } }, 'hookEventName'],
    ['the name of another event', specific('Stop', {}), 'hookEventName'],
    ['a text for continue', { continue: 'false' }, 'continue'],
    ['an input that is no object', tool({ updatedInput: 'ls' }), 'updatedInput'],
    ['half an answer', '{"decision": "bl', 'JSON'],
    ['a greeting before it', 'Welcome!\n{"decision":"block"}', 'other text around its JSON'],
  ])('%s is invalid output', (_, said, named) => {
    const { failure, ...rest } = answer('PreToolUse', 0, said);
    expect(rest).toEqual({});
    expect(failure).toMatchObject({ effect: 'onInvalidOutput', why: expect.stringContaining(named) });
  });

  test.each<[string, object | string, string]>([
    ['a key twice', '{"decision":"block","decision":"approve"}', UNREADABLE],
    ['a quote that was not escaped', '{"decision":"block","reason":"rm "x""}', UNREADABLE],
    ['a reason of another sort', { decision: 'block', reason: { a: 1 } }, 'A hook blocked this'],
    ['a word of another format', { decision: 'deny' }, 'A hook blocked this'],
    ['its place', { permissionDecision: 'deny', reason: 'r' }, 'r'],
    ['no name of the event', { hookSpecificOutput: { permissionDecision: 'deny' } }, 'A hook blocked this'],
    ['the name of another event', specific('Stop', { permissionDecision: 'deny' }), 'A hook blocked this'],
    ['a number as its reason', tool({ permissionDecision: 'deny', permissionDecisionReason: 5 }), ''],
  ])('a refusal holds in spite of %s', (_, said, reason) => {
    const { failure, decision, reason: given = '' } = answer('PreToolUse', 0, said);
    expect([failure?.effect, decision]).toEqual(['onInvalidOutput', 'deny']);
    expect(given).toContain(reason);
  });

  test('what an answer allows or rewrites does not count where it cannot be taken at its word', () => {
    const half = tool({ permissionDecision: 'allow', updatedInput: { command: 'ls' }, additionalContext: 5 });
    expect(answer('PreToolUse', 0, half)).toEqual({
      failure: expect.objectContaining({ effect: 'onInvalidOutput' }),
    });
  });

  test('plain text says nothing', () => {
    expect(answer('PreToolUse', 0, 'checked, all fine')).toEqual({});
    expect(answer('PostToolUse', 0, 'formatted')).toEqual({});
  });
});

describe('continue: false', () => {
  test.each(['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop', 'PostToolBatch', 'SessionStart'])(
    'ends the turn on %s, and beats every decision',
    (eventName) => {
      const said = { continue: false, stopReason: 'enough', decision: 'block', reason: 'r' };
      const read = answer(eventName, 0, said);
      expect(read).toMatchObject({
        endsTurn: true,
        reason: 'enough',
        userMessage: expect.stringContaining('enough'),
      });
      expect(read.decision).toBeUndefined();
      expect(read.keepsGoing).toBeUndefined();
    },
  );

  test('a stop hook that blocks with exit code 2 and continue: false does not keep the turn going', () => {
    expect(answer('Stop', 2, { continue: false }, 'go on')).toMatchObject({ endsTurn: true });
    expect(answer('Stop', 2, { continue: false }, 'go on').keepsGoing).toBeUndefined();
  });

  test('continue: true says nothing', () => {
    expect(answer('Stop', 0, { continue: true })).toEqual({});
  });
});

describe('the other events', () => {
  test('a permission request is answered by its decision', () => {
    const said = (decision: object): object => specific('PermissionRequest', { decision });
    expect(answer('PermissionRequest', 0, said({ behavior: 'allow', updatedInput: { a: 1 } }))).toEqual({
      decision: 'allow',
      input: { a: 1 },
    });
    expect(answer('PermissionRequest', 0, said({ behavior: 'deny', message: 'm' }))).toEqual({
      decision: 'deny',
      reason: 'm',
    });
    expect(answer('PermissionRequest', 0, said({ behavior: 'deny', message: 'm', interrupt: true }))).toEqual(
      {
        decision: 'deny',
        reason: 'm',
        endsTurn: true,
      },
    );
    expect(answer('PermissionRequest', 0, said({ behavior: 'perhaps' })).failure?.effect).toBe(
      'onInvalidOutput',
    );
  });

  test('after a tool: context, feedback, another output', () => {
    expect(answer('PostToolUse', 0, specific('PostToolUse', { additionalContext: 'c' }))).toEqual({
      context: 'c',
    });
    expect(
      answer('PostToolUse', 0, {
        decision: 'block',
        reason: 'r',
        ...specific('PostToolUse', { additionalContext: 'c' }),
      }),
    ).toEqual({
      context: 'r\n\nc',
    });
    expect(answer('PostToolUse', 0, specific('PostToolUse', { updatedToolOutput: { rows: 2 } }))).toEqual({
      output: '{"rows":2}',
    });
    expect(answer('PostToolUse', 0, specific('PostToolUse', { updatedToolOutput: 'short' }))).toEqual({
      output: 'short',
    });
    expect(
      answer('PostToolUseFailure', 0, specific('PostToolUseFailure', { additionalContext: 'c' })),
    ).toEqual({
      context: 'c',
    });
  });

  test('a prompt: text and JSON are context, a block refuses it', () => {
    expect(answer('UserPromptSubmit', 0, 'branch: main\n')).toEqual({ context: 'branch: main' });
    expect(answer('UserPromptSubmit', 0, specific('UserPromptSubmit', { additionalContext: 'c' }))).toEqual({
      context: 'c',
    });
    expect(answer('UserPromptSubmit', 0, { decision: 'block', reason: 'r' })).toEqual({
      decision: 'deny',
      reason: 'r',
      userMessage: 'r',
    });
  });

  test('the start of a session: text, context, a first message', () => {
    expect(answer('SessionStart', 0, 'hello')).toEqual({ context: 'hello' });
    expect(answer('SessionStart', 0, '["a list is text"]')).toEqual({ context: '["a list is text"]' });
    const said = specific('SessionStart', { additionalContext: 'c', initialUserMessage: 'm' });
    expect(answer('SessionStart', 0, said)).toEqual({ context: 'c\n\nm' });
    expect(answer('SubagentStart', 0, 'text')).toEqual({});
  });

  test('a stop: a block keeps the turn going, context is kept', () => {
    expect(answer('Stop', 0, { decision: 'block', reason: 'tests' })).toEqual({
      keepsGoing: true,
      reason: 'tests',
    });
    expect(answer('Stop', 0, { decision: 'block' }).reason).toContain('without giving a reason');
    expect(answer('SubagentStop', 0, specific('SubagentStop', { additionalContext: 'c' }))).toEqual({
      context: 'c',
    });
  });

  test('a compaction is refused', () => {
    expect(answer('PreCompact', 0, { decision: 'block', reason: 'r' })).toMatchObject({ decision: 'deny' });
  });
});

describe('the answer of a model', () => {
  function verdict(eventName: string, said: object | string, more: object = {}): EntryAnswer {
    const entry = compiledEntry(claude, {
      [eventName]: [{ hooks: [{ type: 'prompt', prompt: 'Fine?', ...more }] }],
    });
    return entry.answer(given(0, said), occasion());
  }

  test.each([
    ['PreToolUse', { decision: 'deny', reason: 'r' }],
    ['PermissionRequest', { decision: 'deny', reason: 'r', userMessage: 'r' }],
    ['UserPromptSubmit', { decision: 'deny', reason: 'r', userMessage: 'r' }],
    ['Stop', { keepsGoing: true, reason: 'r' }],
    ['PostToolUse', { endsTurn: true, reason: 'r', userMessage: 'r' }],
    ['PostToolBatch', { endsTurn: true, reason: 'r', userMessage: 'r' }],
  ])('no, on %s', (eventName, expected) => {
    expect(verdict(eventName, { ok: false, reason: 'r' })).toEqual(expected);
    expect(verdict(eventName, { ok: true })).toEqual({});
  });

  test('no after a tool is feedback with continueOnBlock', () => {
    expect(verdict('PostToolUse', { ok: false, reason: 'r' }, { continueOnBlock: true })).toEqual({
      context: 'r',
    });
  });

  test('may be given in the words of a command', () => {
    expect(verdict('PreToolUse', tool({ permissionDecision: 'deny' }))).toEqual({ decision: 'deny' });
  });

  test.each(['It looks fine.', '', '{"ok": "yes"}', '{"decision": "stop"}'])(
    '%j is invalid output',
    (said) => {
      const { failure } = verdict('Stop', said);
      expect(failure?.effect).toBe('onInvalidOutput');
    },
  );
});

describe('output that is too long for the model', () => {
  const outputDir = mkdtempSync(join(tmpdir(), 'claude-output-'));
  afterAll(() => rmSync(outputDir, { recursive: true }));
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'x' }] }] };
  const dialect = createClaude({ outputDir });
  const shortAnswer = (text: string): EntryAnswer => {
    const entry = compiledEntry(dialect, hooks);
    const on = toolCall('Bash');
    return entry.shorten?.(entry.answer(given(0, text), on), on) as EntryAnswer;
  };

  test('is cut after 10,000 characters, and kept whole in a file for this user alone', () => {
    const text = `${'a'.repeat(9_999)}😀${'b'.repeat(5_000)}`;
    const { context = '' } = shortAnswer(text);
    expect(context).toMatch(/^a{9999}\n\[5002 more characters: the whole output is in /);
    const path = /is in (.*)\]$/.exec(context)?.[1] as string;
    expect(path.startsWith(outputDir)).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('of exactly 10,000 characters is left alone', () => {
    const text = 'a'.repeat(10_000);
    expect(shortAnswer(text)).toEqual({ context: text });
  });

  test('is gone once the dialect is closed', () => {
    shortAnswer('a'.repeat(10_001));
    expect(readdirSync(outputDir)).not.toEqual([]);
    dialect.close?.();
    expect(readdirSync(outputDir)).toEqual([]);
  });
});
