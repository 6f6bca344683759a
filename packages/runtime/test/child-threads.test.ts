import { type AnyHook, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { defineAgent, definePrompt, defineTool, saidText } from '../src/index.ts';
import type { ScriptedStep } from '../src/testing/index.ts';
import { gate, lines, onBothStores, type Setup } from './kit.ts';

const askHelper: ScriptedStep = { toolCalls: [{ name: 'helper', input: { task: 'Think' } }] };

function withHelper(agent: Partial<Parameters<typeof defineAgent>[0]> = {}): Setup {
  return {
    tools: [defineTool({ name: 'helper', agent: 'helper' })],
    agents: [defineAgent({ name: 'helper', prompt: 'helper', ...agent } as never)],
    prompts: [definePrompt({ name: 'helper' })],
  };
}

onBothStores(
  'the child hears of its making first, then the parent of the child, then it runs',
  async (kit) => {
    const heard: string[] = [];
    const hear = (hook: 'after_thread_created' | 'after_subagent_created' | 'before_user_message'): AnyHook =>
      defineHook({
        hook,
        id: hook,
        execute: (async (state: { agentId: string }, child?: { agentId?: string }) => {
          heard.push(`${hook} ${state.agentId} ${child?.agentId ?? ''}`.trim());
          return null;
        }) as never,
      }) as AnyHook;
    const { thread } = await kit.thread({
      ...withHelper(),
      policies: [hear('after_thread_created'), hear('after_subagent_created'), hear('before_user_message')],
      script: [askHelper, 'Thought.', 'Done.'],
    });
    await thread.send('Go');
    expect(heard).toEqual([
      ...['after_thread_created agent', 'before_user_message agent', 'after_thread_created helper'],
      ...['after_subagent_created agent helper', 'before_user_message helper'],
    ]);
  },
);

onBothStores('a child has the hooks of its own prompt and agent, and none of its parent’s', async (kit) => {
  const seen: string[] = [];
  const see = (id: string): AnyHook =>
    defineHook({
      hook: 'after_create_message',
      id,
      execute: async (state, { role }) => void seen.push(`${id} ${state.agentId} ${role}`),
    });
  const { thread } = await kit.thread({
    ...withHelper({ hooks: ['of_child'] }),
    hooks: [see('of_child'), see('of_parent')],
    agent: { hooks: ['of_parent'] },
    script: [askHelper, 'Thought.', 'Done.'],
  });
  await thread.send('Go');
  expect(seen).toEqual([
    ...['of_parent agent user', 'of_parent agent assistant'],
    ...['of_child helper user', 'of_child helper assistant'],
    ...['of_parent agent tool', 'of_parent agent assistant'],
  ]);
});

onBothStores('a policy denies the same call in a child as in its parent', async (kit) => {
  let ran = 0;
  const wipe = defineTool({ name: 'wipe', execute: () => `${++ran}` });
  const deny = defineHook({
    hook: 'before_tool_call',
    id: 'deny',
    match: 'wipe',
    execute: async (_) => ({ decision: 'deny', reason: 'never' }),
  });
  const setup = withHelper();
  const { thread, runtime } = await kit.thread({
    ...setup,
    tools: [...(setup.tools ?? []), wipe],
    prompts: [definePrompt({ name: 'helper', tools: ['wipe'], hooks: [] })],
    policies: [deny],
    script: [
      askHelper,
      { toolCalls: [{ name: 'wipe' }] },
      'Thought.',
      { toolCalls: [{ name: 'wipe' }] },
      'Done.',
    ],
  });
  await thread.send('Go');
  const child = await runtime.openThread(thread.state.children[0] as string);
  expect((await lines(child))[2]).toContain('denied by deny');
  expect((await lines(thread))[4]).toContain('denied by deny');
  expect(ran).toBe(0);
});

onBothStores('a child that comes to a limit or is stopped has not done what it was asked', async (kit) => {
  const limited = await kit.thread({
    ...withHelper({ maxSteps: 1 }),
    prompts: [definePrompt({ name: 'helper', tools: ['helper'] })],
    script: [askHelper, askHelper, 'deep', 'Done.'],
  });
  await limited.thread.send('Go');
  expect(await lines(limited.thread)).toContain('tool: The agent did not finish: limit.');
  const stop = defineHook({
    hook: 'after_create_message',
    id: 'stop',
    execute: async (state, { role }) => {
      if (state.agentId === 'helper' && role === 'user') state.execution.stop();
    },
  });
  const stopped = await kit.thread({ ...withHelper(), policies: [stop], script: [askHelper, 'Done.'] });
  await stopped.thread.send('Go');
  expect(await lines(stopped.thread)).toContain('tool: The agent did not finish: stopped.');
});

onBothStores('a stop condition is how a child finishes', async (kit) => {
  const { thread } = await kit.thread({
    ...withHelper({ stopWhen: saidText('Found') }),
    prompts: [definePrompt({ name: 'helper', tools: ['helper'] })],
    script: [askHelper, { text: 'Found it.', toolCalls: [{ name: 'nobody' }] }, 'Done.'],
  });
  await thread.send('Go');
  expect(await lines(thread)).toContain('tool: Found it.');
});

onBothStores('a child may have two sides; the last word is the result', async (kit) => {
  const { thread, runtime } = await kit.thread({
    tools: [defineTool({ name: 'helper', agent: 'debate' })],
    agents: [
      defineAgent({
        name: 'debate',
        type: 'dual_ai',
        sides: { a: { prompt: 'helper' }, b: { prompt: 'helper', stopWhen: saidText('agreed') } },
      }),
    ],
    prompts: [definePrompt({ name: 'helper' })],
    script: [askHelper, 'I say yes.', 'Then agreed.', 'Done.'],
  });
  await thread.send('Go');
  expect(await lines(thread)).toContain('tool: Then agreed.');
  const child = await runtime.openThread(thread.state.children[0] as string);
  expect(await lines(child)).toEqual(['user: Think', 'assistant: I say yes.', 'assistant: Then agreed.']);
});

onBothStores('children of one step run at the same time', async (kit) => {
  const both = gate();
  let running = 0;
  const together: ScriptedStep = async () => {
    if (++running === 2) both.open();
    await both.opened;
    return 'Thought.';
  };
  const { thread } = await kit.thread({
    ...withHelper(),
    script: [
      { toolCalls: [1, 2].map((n) => ({ name: 'helper', input: { task: `${n}` } })) },
      together,
      together,
      'Done.',
    ],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
  expect(thread.state.children).toHaveLength(2);
});
