import type { HookToolCall } from '@spec/hooks';
import { fakeState } from '@spec/hooks/testing';
import { expect, test } from 'vitest';
import { claude } from '../dialects/claude/index.ts';
import type { CommandEntry } from '../normal-form.ts';
import { parseSettings } from '../settings-file.ts';
import { explainEntry } from './explain-entry.ts';

function readEntries(hooks: object): readonly CommandEntry[] {
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
  const [guard] = readEntries({ PreToolUse: [{ matcher: 'Bash', ...handler }] }) as [CommandEntry];
  const state = fakeState();
  expect(await explainEntry(guard, { state, args: [call('Read')] })).toEqual({
    runs: false,
    why: 'the matcher Bash does not match Read',
    answer: {},
    strategy: 'parallel',
  });
  expect(await explainEntry(guard, { state, args: [call('Bash')] })).toEqual({
    runs: true,
    strategy: 'parallel',
  });
});

test('tells main threads from subagents', async () => {
  const [stop] = readEntries({ SubagentStop: [handler] }) as [CommandEntry];
  const child = fakeState();
  const parent = fakeState({ children: [child] });
  const args = [{ reason: 'completed', keptGoing: 0 }];
  expect(await explainEntry(stop, { state: parent, args })).toMatchObject({ why: 'it is for subagents' });
  expect(await explainEntry(stop, { state: child, args })).toEqual({ runs: true, strategy: 'parallel' });
});

test('of a file that is not trusted, a guard denies and the others are passed over', async () => {
  const [guard, after] = readEntries({ PreToolUse: [handler], PostToolUse: [handler] }) as [
    CommandEntry,
    CommandEntry,
  ];
  const firing = { state: fakeState(), trust: 'unknown' } as const;
  const reason =
    'A hook of settings.json guards this, and cannot run: it is not trusted. A person has to look at the file and trust it.';
  expect(await explainEntry(guard, { ...firing, args: [call('Bash')] })).toEqual({
    runs: false,
    why: 'its file does not run: it is not trusted',
    answer: { decision: 'deny', reason, userMessage: reason },
    strategy: 'parallel',
    isRefused: true,
  });
  const changed = await explainEntry(guard, { ...firing, trust: 'changed', args: [call('Bash')] });
  expect(changed).toMatchObject({
    why: 'its file does not run: it has changed since it was trusted',
    answer: { decision: 'deny' },
  });
  const result = { status: 'success', result: 'x' };
  expect(await explainEntry(after, { ...firing, args: [call('Bash'), result] })).toEqual({
    runs: false,
    why: 'its file does not run: it is not trusted',
    answer: {},
    strategy: 'parallel',
    isRefused: true,
  });
});

test('a command that cannot be started does what the entry says of that, one that nobody waits for nothing', async () => {
  const [guard] = readEntries({ PreToolUse: [handler] }) as [CommandEntry];
  const strict: CommandEntry = { ...guard, effects: { ...guard.effects, onLaunchError: 'block' } };
  const firing = { state: fakeState(), args: [call('Bash')], launch: 'not_found' } as const;
  const outlook = { runs: true, why: 'the command was not found (127)' };
  expect(await explainEntry(guard, firing)).toMatchObject({ ...outlook, answer: { failure: {} } });
  expect(await explainEntry(strict, firing)).toMatchObject({ ...outlook, answer: { decision: 'deny' } });
  const { launch: _, ...started } = firing;
  const unheard: CommandEntry = { ...strict, isAwaited: false };
  for (const some of [firing, started])
    expect(await explainEntry(unheard, some)).toMatchObject({ runs: true, answer: {} });
  expect((await explainEntry(unheard, firing)).answer).toEqual({});
});

test('refuses an entry of a hook that commands cannot run in', async () => {
  const [guard] = readEntries({ PreToolUse: [handler] }) as [CommandEntry];
  const misplaced: CommandEntry = { ...guard, event: 'filter_messages' };
  await expect(explainEntry(misplaced, { state: fakeState(), args: [[]] })).rejects.toMatchObject({
    code: 'bad_definition',
  });
});
