import { describe, expect, test } from 'vitest';
import { compiledEntry, given, occasion } from '../../../test/settings-file.ts';
import type { Dialect, EntryAnswer } from '../../normal-form.ts';
import { claude } from '../claude/index.ts';
import { cursor } from '../cursor/index.ts';
import { qwen } from '../qwen.ts';

const prompt = { type: 'prompt', prompt: 'Fine?' };
const hooks: readonly (readonly [string, Dialect, string, object])[] = [
  ['claude', claude, 'PreToolUse', { hooks: [prompt] }],
  ['claude', claude, 'UserPromptSubmit', { hooks: [prompt] }],
  ['claude', claude, 'Stop', { hooks: [{ ...prompt, type: 'agent' }] }],
  ['qwen', qwen, 'PreToolUse', { hooks: [prompt] }],
  ['cursor', cursor, 'preToolUse', prompt],
  ['cursor', cursor, 'beforeSubmitPrompt', prompt],
];

describe.each(hooks)('a model of %s', (_name, dialect, eventName, group) => {
  const say = (said: string): EntryAnswer =>
    compiledEntry(dialect, { [eventName]: [group] }).answer(given(0, said), occasion());
  const refuses = ({ decision, keepsGoing }: EntryAnswer): boolean =>
    decision === 'deny' || keepsGoing === true;

  test.each([
    'Here is my verdict:\n{"ok": false, "reason": "It removes files."}',
    'Verdict: {"ok": false, "reason": "It removes files."}',
    'Sure!\n\n```json\n{\n  "ok": false\n}\n```',
    '```json\n{"ok": false}\n```\nIt removes files.',
    '<think>It removes files.</think>{"ok":false}',
    '{"ok": false}\n\nI hope that helps.',
    '[{"ok": false}]',
    '{"ok": "false"}',
    '{"OK": false}',
    '{"ok": 0}',
    "{'ok': False, 'reason': 'It removes files.'}",
    'ok: no, it removes files',
    'I looked at it. {"decision": "block"}',
  ])('that says no refuses, whatever stands around it: %j', (said) => {
    expect(refuses(say(said))).toBe(true);
  });

  test.each([
    '{"ok": true}',
    '{"ok": true, "reason": "Nothing in it says \\"ok\\": false."}',
    'It looks fine.',
    '{"ok": "yes"}',
    '',
  ])('that says no such thing does not: %j', (said) => {
    expect(refuses(say(said))).toBe(false);
  });
});
