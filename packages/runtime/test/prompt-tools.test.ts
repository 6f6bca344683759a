import { type AnyHook, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { z } from 'zod';
import { type AgentTool, defineAgent, definePrompt, defineTool, type Thread } from '../src/index.ts';
import type { ScriptedStep } from '../src/testing/index.ts';
import { type Kit, lines, onBothStores, type Setup, type StartedThread } from './kit.ts';

const summarise = defineTool({ name: 'summarise', prompt: 'summary' });

/** A thread whose model has called the tool; the prompt behind it is `summary`. */
async function called(
  kit: Kit,
  {
    tool = summarise,
    input = { task: 'Long text.' },
    ...setup
  }: Setup & { tool?: AgentTool; input?: object } = {},
): Promise<StartedThread> {
  const call: ScriptedStep = { toolCalls: [{ name: tool.name, input: input as Record<string, unknown> }] };
  const started = await kit.thread({
    prompts: [definePrompt({ name: 'summary', system: 'Summarise.' })],
    script: [call, 'Short.', 'Done.'],
    ...setup,
    tools: [tool],
  });
  await started.thread.send('Go');
  return started;
}

async function openChild({ thread, runtime }: StartedThread): Promise<Thread> {
  return runtime.openThread(thread.state.children[0] as string);
}

onBothStores('a prompt is a tool: it runs in a child thread, and its text is the result', async (kit) => {
  const started = await called(kit);
  expect(await lines(started.thread)).toContain('tool: Short.');
  const child = await openChild(started);
  expect(child.agentId).toBe('prompt:summary');
  expect(await lines(child)).toEqual(['user: Long text.', 'assistant: Short.']);
  expect(started.model.calls[1]?.prompt[0]).toMatchObject({ role: 'system', content: 'Summarise.' });
});

onBothStores('its thread can be opened by another runtime, and its agent loaded', async (kit) => {
  const first = await called(kit);
  const [id] = first.thread.state.children as [string];
  await first.thread.close();
  const { runtime } = kit.start({ prompts: [definePrompt({ name: 'summary' })], script: ['Again.'] });
  const child = await runtime.openThread(id);
  expect(await child.send('More.')).toMatchObject({ status: 'completed', text: 'Again.' });
  expect(await child.state.loadAgent(child.agentId)).toEqual({ name: 'prompt:summary', prompt: 'summary' });
  expect(child.state.agentNames()).toEqual(['agent']);
});

onBothStores('it has the hooks of its prompt, not those of who calls it; policies run', async (kit) => {
  const seen: string[] = [];
  const see = (id: string): AnyHook =>
    defineHook({
      hook: 'after_create_message',
      id,
      execute: async (state, { role }) => void seen.push(`${id} ${state.agentId} ${role}`),
    });
  await called(kit, {
    hooks: [see('of_summary'), see('of_agent')],
    policies: [see('policy')],
    agent: { hooks: ['of_agent'] },
    prompts: [definePrompt({ name: 'summary', hooks: ['of_summary'] })],
  });
  expect(seen.filter((line) => line.includes('prompt:summary'))).toEqual([
    ...['policy prompt:summary user', 'of_summary prompt:summary user'],
    ...['policy prompt:summary assistant', 'of_summary prompt:summary assistant'],
  ]);
  expect(seen).toContain('of_agent agent tool');
});

onBothStores('its arguments are checked by its schema, and made into a message', async (kit) => {
  const tool = defineTool({
    name: 'summarise',
    prompt: 'summary',
    input: z.object({ text: z.string(), words: z.coerce.number() }),
    message: ({ text, words }) => `In ${words + 1} words: ${text}`,
  });
  const started = await called(kit, { tool, input: { text: 'Long.', words: '9' } });
  expect((await lines(await openChild(started)))[0]).toBe('user: In 10 words: Long.');
  const { thread } = await called(kit, { tool, input: { words: 9 } });
  expect((await lines(thread))[2]).toMatch(/^tool: The arguments do not fit this tool, at text: /);
  expect(thread.state.children).toEqual([]);
});

onBothStores('without a message of its own, one text is told as it is, all else as JSON', async (kit) => {
  const first = await called(kit, { input: { task: 'Only this.' } });
  expect((await lines(await openChild(first)))[0]).toBe('user: Only this.');
  const second = await called(kit, { input: { text: 'This', words: 3 } });
  expect((await lines(await openChild(second)))[0]).toBe('user: {"text":"This","words":3}');
});

onBothStores('a message that cannot be made is a failed call', async (kit) => {
  const broken = (message: () => string): AgentTool =>
    defineTool({ name: 'summarise', prompt: 'summary', message });
  const cases: Array<[() => string, string]> = [
    [
      () => {
        throw new Error('No text here.');
      },
      'tool: No text here.',
    ],
    [() => 7 as never, 'tool: The tool "summarise" makes no message of its arguments.'],
  ];
  for (const [message, line] of cases) {
    const { thread } = await called(kit, { tool: broken(message) });
    expect((await lines(thread))[2]).toBe(line);
    expect(thread.state.children).toEqual([]);
  }
});

onBothStores('an agent as a tool takes a schema and a message too', async (kit) => {
  const tool = defineTool({
    name: 'ask',
    agent: 'expert',
    input: z.object({ topic: z.string() }),
    message: ({ topic }) => `Tell me about ${topic}.`,
  });
  const started = await called(kit, {
    tool,
    input: { topic: 'bees' },
    agents: [defineAgent({ name: 'expert', prompt: 'summary' })],
  });
  expect(started.model.calls[0]?.tools?.[0]).toMatchObject({ inputSchema: { required: ['topic'] } });
  expect((await lines(await openChild(started)))[0]).toBe('user: Tell me about bees.');
});
