import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentProject } from '../../test/agent-project.ts';
import {
  compiledEntry,
  given,
  listCodes,
  readHooks,
  settingsFile,
  toolCall,
} from '../../test/settings-file.ts';
import { factory } from './factory.ts';

const command = { type: 'command', command: 'guard' };
const ofEvent = (eventName: string) => compiledEntry(factory, { [eventName]: [{ hooks: [command] }] });

test.each([
  ['PreToolUse', given(2), 'deny'],
  ['PreToolUse', given(2, { decision: 'approve' }, 'no'), 'deny'],
  ['PreToolUse', given(1, '', 'no'), undefined],
  ['PreToolUse', given(127, '', 'no'), undefined],
  ['UserPromptSubmit', given(2, '', 'no'), 'deny'],
  ['PreCompact', given(2, '', 'no'), undefined],
])('%s decides as Claude Code did in autumn 2025: %#', (eventName, answer, decision) => {
  expect(ofEvent(eventName).answer(answer, toolCall('Bash')).decision).toBe(decision);
});

test('a rewritten input changes the fields that it names', () => {
  expect(ofEvent('PreToolUse').entry.rewrite).toBe('merge');
});

test('a hook is told the common fields in both spellings', () => {
  const payload = JSON.parse(ofEvent('PreToolUse').invocation(toolCall('Bash', { command: 'ls' })).payload);
  expect(payload).toMatchObject({ session_id: 'session-1', sessionId: 'session-1', permissionMode: 'off' });
  expect(payload).toMatchObject({
    hookEventName: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  });
});

test('it takes nine events, commands alone, and 60 seconds', () => {
  const { entries, findings } = readHooks(factory, {
    PreToolUse: [
      { matcher: 'Execute', hooks: [command, { type: 'prompt', prompt: 'x' }, { ...command, async: true }] },
    ],
    Notification: [{ matcher: 'x', hooks: [command] }],
    SubagentStart: [{ hooks: [command] }],
  });
  expect(entries.map(({ timeoutMs }) => timeoutMs)).toEqual([60_000, 60_000, 60_000]);
  expect(listCodes({ entries, findings })).toEqual([
    'error unknown_event at hooks.SubagentStart',
    'error unsupported_handler at hooks.PreToolUse[0].hooks[1].type',
    'warning unknown_key at hooks.PreToolUse[0].hooks[2].async',
    'note matcher_ignored at hooks.Notification[0].matcher',
  ]);
});

test('a file may be the map of events itself', () => {
  const { entries, findings } = factory.read(
    settingsFile({ PreToolUse: [{ hooks: [command] }], PreToolUze: [{ hooks: [command] }] }),
  );
  expect(entries.map(({ position }) => position.path)).toEqual(['PreToolUse[0].hooks[0]']);
  expect(listCodes({ entries, findings })).toEqual(['error unknown_event at PreToolUze']);
});

test('in a project its file denies, and its script is in the fingerprint', async () => {
  const hook = { type: 'command', command: '"$FACTORY_PROJECT_DIR"/guard' };
  const script = '#!/bin/sh\ncat > told\necho "not here" >&2\nexit 2\n';
  const { loaded, callBash, project, readStatus } = await agentProject(
    '.factory/hooks.json',
    { PreToolUse: [{ matcher: 'Bash|Execute', hooks: [{ ...hook, command: `sh ${hook.command}` }] }] },
    { guard: script },
  );
  expect(loaded.report).toMatch(/factory \(by its path\), 1 hook/);
  const { said, ran } = await callBash();
  expect(said).toMatch(/not here/);
  expect(ran).toEqual([]);
  expect(JSON.parse(readFileSync(join(project.path, 'told'), 'utf8')).sessionId).toBeTruthy();
  project.write('guard', 'exit 0\n');
  expect(await readStatus()).toBe('changed');
});
