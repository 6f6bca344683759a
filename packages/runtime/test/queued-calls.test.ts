import { defineHook, type ThreadState } from '@spec/hooks';
import { expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import { afterCrash, hangAt } from './after-crash.ts';
import { gate, lines, onBothStores } from './kit.ts';
import type { Setup } from './start-runtime.ts';

/** A model's call that queues two others; the second of them says something before it ends. */
function queueing(end: (state: ThreadState) => Promise<string>): Setup {
  const both = defineTool({
    name: 'both',
    execute: async (_, { state }) => {
      await state.queueTool('quick', {});
      await state.queueTool('slow', {});
      return 'queued';
    },
  });
  const quick = defineTool({ name: 'quick', execute: () => 'quick' });
  const slow = defineTool({
    name: 'slow',
    onInterrupted: 'retry',
    execute: async (_, { state }) => {
      await state.injectMessage({ role: 'user', content: 'meanwhile' });
      return end(state);
    },
  });
  return { tools: [both, quick, slow] };
}

onBothStores('a queued call that a crash left has its result before what it injected', async (kit) => {
  const { open, opened } = gate();
  const asked: string[] = [];
  const ask = defineHook({
    hook: 'after_tool_batch',
    id: 'ask',
    execute: async (state, results) => {
      const names = results.map(({ toolCall }) => toolCall.function.name).join();
      asked.push(names);
      await state.injectMessage({ role: 'user', content: `${names} (${asked.length})` });
      return null;
    },
  });
  const script = [{ toolCalls: [{ name: 'both' }] }];
  const dying = { ...queueing(hangAt(open)), policies: [ask], script, reached: opened };
  const next = { ...queueing(async () => 'slow'), policies: [ask], script: ['Done.'] };
  const thread = await afterCrash(kit, dying, next);
  await thread.resume();
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: queued', 'user: both (1)'],
    ...['assistant: null', 'tool: quick', 'user: quick (2)'],
    ...['assistant: null', 'tool: slow', 'user: meanwhile', 'user: slow (3)'],
    'assistant: Done.',
  ]);
});
