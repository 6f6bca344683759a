import type { HookToolCall } from '@spec/hooks';
import { fakeState } from '@spec/hooks/testing';
import { expect, test } from 'vitest';
import { claude } from '../dialects/claude/index.ts';
import type { CommandEntry } from '../normal-form.ts';
import { parseSettings } from '../settings-file.ts';
import { explainEntry } from './explain-entry.ts';

function entriesOf(hooks: object): readonly CommandEntry[] {
  const bytes = new TextEncoder().encode(JSON.stringify({ hooks }));
  const { settings } = parseSettings(bytes, { file: 'settings.json', layer: 'user', ordinal: 1 });
  return settings === undefined ? [] : claude.read(settings).entries;
}

const handler = { hooks: [{ type: 'command', command: 'exit 2' }] };
const call = (name: string): HookToolCall => ({
  id: 'c',
  type: 'function',
  function: { name, arguments: '{}' },
});

test('names the clause that keeps an entry from running, and runs nothing', async () => {
  const [guard] = entriesOf({ PreToolUse: [{ matcher: 'Bash', ...handler }] }) as [CommandEntry];
  const state = fakeState();
  expect(await explainEntry(guard, { state, args: [call('Read')] })).toBe(
    'the matcher Bash does not match Read',
  );
  expect(await explainEntry(guard, { state, args: [call('Bash')] })).toBeUndefined();
});

test('tells main threads from subagents', async () => {
  const [stop] = entriesOf({ SubagentStop: [handler] }) as [CommandEntry];
  const child = fakeState();
  const parent = fakeState({ children: [child] });
  const args = [{ reason: 'completed', keptGoing: 0 }];
  expect(await explainEntry(stop, { state: parent, args })).toBe('it is for subagents');
  expect(await explainEntry(stop, { state: child, args })).toBeUndefined();
});

test('refuses an entry of a hook that commands cannot run in', async () => {
  const [guard] = entriesOf({ PreToolUse: [handler] }) as [CommandEntry];
  const misplaced: CommandEntry = { ...guard, event: 'filter_messages' };
  await expect(explainEntry(misplaced, { state: fakeState(), args: [[]] })).rejects.toMatchObject({
    code: 'bad_definition',
  });
});
