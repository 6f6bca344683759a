import { expectTypeOf, test } from 'vitest';
import { defineTrigger, type PastUse, type ToolUse, triggerHooks } from './index.ts';

test('a trigger knows what it sees', () => {
  defineTrigger({
    id: 'result',
    on: 'tool_result',
    match: 'bash',
    when: ({ use, uses }, state) => {
      expectTypeOf(use).toEqualTypeOf<ToolUse>();
      expectTypeOf(uses).toEqualTypeOf<readonly PastUse[]>();
      expectTypeOf(state.threadId).toBeString();
      return true;
    },
    message: 'x',
  });
  defineTrigger({
    id: 'message',
    on: 'user_message',
    message: ({ content }) => {
      expectTypeOf(content).toBeString();
      return null;
    },
  });
  triggerHooks([
    defineTrigger({ id: 'a', on: 'tool_batch', message: async ({ batch }) => batch[0]?.text ?? null }),
    defineTrigger({ id: 'b', on: 'session_started', message: ({ source }) => source }),
  ]);
});

test('what cannot be meant does not compile', () => {
  // @ts-expect-error there is no tool to match
  defineTrigger({ id: 'a', on: 'user_message', match: 'bash', message: 'x' });
  // @ts-expect-error no such kind
  defineTrigger({ id: 'a', on: 'tool_results', message: 'x' });
  // @ts-expect-error a session has no use
  defineTrigger({ id: 'a', on: 'session_started', message: ({ use }) => use });
  // @ts-expect-error once a turn or a thread
  defineTrigger({ id: 'a', on: 'tool_batch', once: 'session', message: 'x' });
});
