import { defineHook, isLifecycleName } from '@spec/hooks';
import { expect, test } from 'vitest';
import { eventNamed, eventNames, whyUnsupported } from './event-names.ts';

test('every name of every format leads to a hook', () => {
  expect(eventNames).toEqual(
    expect.arrayContaining(['PreToolUse', 'AgentStart', 'Compaction', 'PostToolBatch']),
  );
  for (const name of eventNames) expect(isLifecycleName(eventNamed(name)?.hook)).toBe(true);
});

test.each(eventNames)('defineHook names the hook of %s', (hook) => {
  const define = (): unknown => defineHook({ hook, id: 'mark', execute: async () => null } as never);
  expect(define).toThrow(`Did you mean "${eventNamed(hook)?.hook}"?`);
});

test('subagents are told apart, and what is no name leads nowhere', () => {
  expect(eventNamed('SubagentStop')).toEqual({ hook: 'before_stop', isOfSubagents: true });
  expect(eventNamed('Stop')).toEqual({ hook: 'before_stop', isOfSubagents: false });
  expect([eventNamed('Setup'), eventNamed('toString'), eventNamed('')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(whyUnsupported('Setup')).toContain('when a project is set up');
  expect(whyUnsupported('PreToolUse')).toBeUndefined();
});
