import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentProject } from '../../../test/agent-project.ts';
import {
  compiledEntry,
  given,
  listCodes,
  occasion,
  readHooks,
  toolCall,
} from '../../../test/settings-file.ts';
import { parseSettings } from '../../settings-file.ts';
import { codex } from './index.ts';

const command = { type: 'command', command: 'guard' };
const ofEvent = (eventName: string, matcher?: string) =>
  compiledEntry(codex, { [eventName]: [{ matcher, hooks: [command] }] });
const call = toolCall('Bash', { command: 'ls' });
const about = (eventName: string, fields: object) => ({
  hookSpecificOutput: { hookEventName: eventName, ...fields },
});
const before = (fields: object) => about('PreToolUse', fields);
const deny = before({ permissionDecision: 'deny', permissionDecisionReason: 'no' });
const rewrite = before({ permissionDecision: 'allow', updatedInput: { command: 'ls -a' } });

describe('an exit code', () => {
  test.each([
    ['PreToolUse', given(0, deny), 'deny'],
    ['PreToolUse', given(0), undefined],
    ['PreToolUse', given(0, 'all is well'), undefined],
    ['PreToolUse', given(2, '', 'no'), 'deny'],
    ['PreToolUse', given(2), undefined],
    ['PreToolUse', given(2, deny), undefined],
    ['PreToolUse', given(2, rewrite, 'no'), 'deny'],
    ['PreToolUse', given(1, deny), undefined],
    ['PreToolUse', given(1, '', 'no'), undefined],
    ['PermissionRequest', given(2, '', 'no'), 'deny'],
    ['UserPromptSubmit', given(2, '', 'no'), 'deny'],
    ['PreCompact', given(0, { continue: false, stopReason: 'no' }), 'deny'],
  ])('%s, %#: as Codex 0.169.0 was seen to', (eventName, answer, decision) => {
    expect(ofEvent(eventName).answer(answer, call).decision).toBe(decision);
  });

  test('2 puts its words in the place of a result', () => {
    expect(ofEvent('PostToolUse').answer(given(2, '', 'secret'), call)).toMatchObject({ output: 'secret' });
  });
});

describe('an answer', () => {
  test.each([
    ['PreToolUse', rewrite],
    ['PreToolUse', before({ additionalContext: 'mind' })],
    ['PreToolUse', { decision: 'block', reason: 'no', systemMessage: 'well' }],
    ['PermissionRequest', about('PermissionRequest', { decision: { behavior: 'allow' } })],
    ['PostToolUse', { decision: 'block', reason: 'other', continue: true }],
    ['UserPromptSubmit', { decision: 'block', reason: 'no', suppressOutput: true }],
    ['Stop', { decision: 'block', reason: 'go on' }],
    ['SessionStart', about('SessionStart', { additionalContext: 'mind' })],
  ])('that %s takes is no fault: %j', (eventName, answer) => {
    expect(ofEvent(eventName).answer(given(0, answer), call).failure).toBeUndefined();
  });

  test.each([
    ['PreToolUse', before({ permissionDecision: 'allow' }), 'an allow counts with updatedInput alone'],
    ['PreToolUse', before({ updatedInput: { command: 'x' } }), 'updatedInput with an allow'],
    ['PreToolUse', before({ permissionDecision: 'ask' }), 'permissionDecision does not belong'],
    ['PreToolUse', before({ permissionDecision: 'deny' }), 'a deny needs a reason'],
    [
      'PreToolUse',
      before({ permissionDecision: 'allow', updatedInput: { cmd: 'x' } }),
      'needs a text "command"',
    ],
    ['PreToolUse', { decision: 'approve' }, 'decision does not belong'],
    ['PreToolUse', { continue: false }, 'continue does not belong'],
    ['PreToolUse', { reason: 'so' }, 'a reason needs a decision'],
    ['PreToolUse', { ...deny, extra: 1 }, 'extra does not belong'],
    ['PostToolUse', { suppressOutput: true }, 'suppressOutput does not belong'],
    ['Stop', { decision: 'block' }, 'a block needs a reason'],
  ])('that %s does not take is void, and says why: %j', (eventName, answer, why) => {
    const { failure } = ofEvent(eventName).answer(given(0, answer), call);
    expect(failure).toMatchObject({ effect: 'onInvalidOutput', why: expect.stringContaining(why) });
  });

  test('that is void rewrites and allows nothing', () => {
    const { input, decision } = ofEvent('PreToolUse').answer(given(0, { ...rewrite, extra: 1 }), call);
    expect([input, decision]).toEqual([undefined, undefined]);
  });

  test('that refuses holds even where Codex would take it for void', () => {
    expect(ofEvent('PreToolUse').answer(given(0, { ...deny, extra: 1 }), call).decision).toBe('deny');
    const { hookSpecificOutput: specific } = before({ permissionDecision: 'ask' });
    expect(ofEvent('PreToolUse').answer(given(0, { hookSpecificOutput: specific }), call).decision).toBe(
      'ask',
    );
  });

  test.each([
    { behavior: 'allow', updatedInput: { command: 'x' } },
    { behavior: 'allow', updatedPermissions: [] },
    { behavior: 'deny', interrupt: true },
  ])('with a reserved field of a permission refuses it: %j', (decision) => {
    const answer = ofEvent('PermissionRequest').answer(
      given(0, about('PermissionRequest', { decision })),
      call,
    );
    expect(answer.decision).toBe('deny');
  });

  test.each([
    ['Stop', undefined, 'onInvalidOutput'],
    ['SessionStart', 'well', undefined],
    ['SubagentStart', 'well', undefined],
    ['UserPromptSubmit', 'well', undefined],
    ['PreToolUse', undefined, undefined],
  ])('of plain text on %s is context %s and fails by %s', (eventName, context, effect) => {
    const answer = ofEvent(eventName).answer(given(0, 'well'), call);
    expect([answer.context, answer.failure?.effect]).toEqual([context, effect]);
  });
});

test.each([
  ['Bash', 'Bash', true],
  ['Edit', 'apply_patch', true],
  ['apply_patch|Bash', 'Write', true],
  ['Write', 'Edit', false],
  ['Agent', 'spawn_agent', true],
  ['Bas', 'Bash', false],
  ['mcp__a-b', 'mcp__a-b__c', true],
  ['Bash,Edit', 'Bash', false],
])('the matcher %s on %s: %s', (matcher, tool, fits) => {
  expect(ofEvent('PreToolUse', matcher).mismatch(toolCall(tool)) === undefined).toBe(fits);
});

test('a file is read as Codex reads it', () => {
  const hooks = [
    { ...command, timeout: 0.5, commandWindows: 'dir', statusMessage: 'Looking', additionalContextLimit: 9 },
    { type: 'prompt', prompt: 'x' },
    { type: 'mcp_tool', server: 'guard', tool: 'check', input: { line: 1 } },
    { ...command, onFailure: 'block' },
  ];
  const { entries, findings } = readHooks(codex, {
    PreToolUse: [{ hooks }],
    SessionEnd: [{ hooks: [command, { ...command, timeout: 9 }] }],
    Interrupt: [{ hooks: [command] }],
    PostToolUseFailure: [{ hooks: [command] }],
  });
  expect(entries.map(({ timeoutMs }) => timeoutMs)).toEqual([1_000, 600_000, 600_000, 1_000, 3_000]);
  expect(listCodes({ entries, findings })).toEqual([
    'error unsupported_event at hooks.Interrupt',
    'error unknown_event at hooks.PostToolUseFailure',
    'note context_limit at hooks.PreToolUse[0].hooks[0].additionalContextLimit',
    'error unsupported_handler at hooks.PreToolUse[0].hooks[1].type',
    'warning unknown_key at hooks.PreToolUse[0].hooks[3].onFailure',
    'note timeout_cut at hooks.SessionEnd[0].hooks[1].timeout',
  ]);
});

test('a hook is told what Codex tells, but for the model and the turn', () => {
  const tell = (eventName: string, given = call) => JSON.parse(ofEvent(eventName).invocation(given).payload);
  expect(tell('PreToolUse')).toEqual({
    session_id: 'session-1',
    transcript_path: null,
    cwd: '/work/project',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'call-1',
  });
  expect(tell('PermissionRequest')).not.toHaveProperty('permission_suggestions');
  expect(tell('SessionEnd', occasion())).not.toHaveProperty('permission_mode');
  expect(tell('Stop', occasion())).toMatchObject({ last_assistant_message: null, stop_hook_active: false });
});

test('in a project its file denies, and its script is in the fingerprint', async () => {
  const script =
    'cat > told; printf %s \'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not here"}}\'\n';
  const hooks = {
    PreToolUse: [{ matcher: '^Bash$', hooks: [{ ...command, command: 'sh .codex/guard.sh' }] }],
  };
  const { loaded, callBash, project, readStatus } = await agentProject(
    '.codex/hooks.json',
    { hooks },
    { '.codex/guard.sh': script },
  );
  expect(loaded.report).toMatch(/codex \(by its path\), 1 hook/);
  const { said, ran } = await callBash();
  expect(said).toMatch(/not here/);
  expect(ran).toEqual([]);
  expect(JSON.parse(readFileSync(join(project.path, 'told'), 'utf8')).tool_name).toBe('Bash');
  project.write('.codex/guard.sh', 'exit 0\n');
  expect(await readStatus()).toBe('changed');
});

describe('config.toml', () => {
  const toml = `model = "gpt-6.1-sol"
notify = ["say", "done"]

[features]
web = true

[[hooks.PreToolUse]]
matcher = "^Bash$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "sh .codex/guard.sh"
command_windows = "guard.cmd"
timeout = 5

[[hooks.PreToolUse.hooks]]
type = "prompt"
prompt = "x"

[[hooks.Interrupt]]
[[hooks.Interrupt.hooks]]
type = "command"
command = "true"

[hooks.state."/home/ada/.codex/config.toml:pre_tool_use:0:0"]
trusted_hash = "sha256:0"
`;
  const script =
    'printf %s \'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not here"}}\'\n';

  test('its hooks run as those of hooks.json, and what is wrong is told by its line', async () => {
    const { loaded, callBash, project, readStatus } = await agentProject('.codex/config.toml', toml, {
      '.codex/guard.sh': script,
    });
    expect(loaded.report).toMatch(/codex \(by its path\), 1 hook/);
    const { said, ran } = await callBash();
    expect(said).toMatch(/not here/);
    expect(ran).toEqual([]);
    const told = loaded.findings.filter(({ level }) => level === 'error');
    expect(told.map(({ code, position }) => [code, position.line])).toEqual([
      ['unsupported_event', 20],
      ['unsupported_handler', 17],
    ]);
    project.write('.codex/config.toml', toml.replace('web = true', 'web = true\nhooks = true'));
    expect(await readStatus()).toBe('changed');
    project.write('.codex/config.toml', toml.replace('gpt-6.1-sol', 'other'));
    expect(await readStatus()).toBe('trusted');
  });

  test.each(['hooks', 'codex_hooks'])('features.%s = false switches them off', (name) => {
    const text = toml.replace('web = true', `${name} = false`);
    const { settings } = parseSettings(text, { file: '.codex/config.toml', layer: 'project' });
    if (settings === undefined) throw new Error('it was not read');
    const { entries, findings } = codex.read(settings);
    expect(entries).toEqual([]);
    expect(findings).toMatchObject([{ code: 'disabled', position: { line: 5, path: `features.${name}` } }]);
  });

  test('that is none says where, and nothing of what stands there', () => {
    const text = 'a = 1\nkey = "sk-secret\n';
    const { settings, findings } = parseSettings(text, { file: 'config.toml', layer: 'project' });
    expect(settings).toBeUndefined();
    expect(findings).toMatchObject([{ code: 'bad_json', position: { line: 2 } }]);
    expect(JSON.stringify(findings)).not.toContain('secret');
  });
});
