import { type AnyHook, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { defineAgent, definePrompt, defineTool } from '../src/index.ts';
import { afterCrash, hangAt } from './after-crash.ts';
import { gate, lines, onBothStores, type Setup } from './kit.ts';

/** What a child queues with its last word begins a turn behind its task's. */
const queueMore = defineHook({
  hook: 'after_create_message',
  id: 'queue_more',
  execute: async (state, { content }) => {
    if (content === 'Thought.') await state.queueMessage({ role: 'user', content: 'And more' });
  },
});

const withHelper: Setup = {
  tools: [defineTool({ name: 'helper', agent: 'helper' })],
  agents: [defineAgent({ name: 'helper', prompt: 'helper' })],
  prompts: [definePrompt({ name: 'helper' })],
  policies: [queueMore as AnyHook],
};

onBothStores('a turn that something queued began in a child is finished after a crash', async (kit) => {
  const { open, opened } = gate();
  const asked = { toolCalls: [{ name: 'helper', input: { task: 'Think' } }] };
  const dying = { ...withHelper, script: [asked, 'Thought.', hangAt(open)], reached: opened };
  const next = { ...withHelper, script: ['More thought.', 'Done.'] };
  const thread = await afterCrash(kit, { ...dying, turnId: 'one' }, next);
  expect(await thread.resume()).toMatchObject({ status: 'completed', text: 'Done.' });
  expect(await lines(thread)).toContain('tool: Thought.');
  const childId = 't~one.1.result.0';
  const said = (await kit.store.listMessages(childId)).map(({ content }) => content);
  expect(said).toEqual(['Think', 'Thought.', 'And more', 'More thought.']);
  expect((await kit.store.getThread(childId))?.turn).toBeNull();
});
