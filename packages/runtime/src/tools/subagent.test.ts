import { type AnyHook, defineHook, type HookToolResult, type ThreadState } from '@spec/hooks';
import { expect } from 'vitest';
import {
  gate,
  type Kit,
  lines,
  never,
  onBothStores,
  runWhatIsReady,
  type Setup,
  type StartedThread,
  writeLine,
} from '../../test/kit.ts';
import { defineAgent, definePrompt, defineTool } from '../index.ts';
import type { ScriptedStep } from '../testing/index.ts';

const child: Setup = {
  tools: [defineTool({ name: 'helper', agent: 'child' })],
  agents: [defineAgent({ name: 'child', prompt: 'child_prompt' })],
  prompts: [definePrompt({ name: 'child_prompt' })],
};

const askHelper: ScriptedStep = { toolCalls: [{ name: 'helper', input: { task: 'Think' } }] };

async function withChild(
  kit: Kit,
  script: readonly ScriptedStep[],
  policies: readonly AnyHook[] = [],
): Promise<StartedThread> {
  const started = await kit.thread({ ...child, script, policies });
  await started.thread.send('Go');
  return started;
}

onBothStores('an agent is a tool: its last text is the result', async (kit) => {
  const { thread, runtime, model } = await withChild(kit, [askHelper, 'Thought.', 'Done.']);
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: null', 'tool: Thought.', 'assistant: Done.']);
  expect(model.calls[0]?.tools?.[0]).toMatchObject({ name: 'helper', inputSchema: { required: ['task'] } });
  const [id] = thread.state.children as [string];
  expect(
    (await runtime.listThreads({ parentId: thread.id })).map((record) => [record.id, record.depth]),
  ).toEqual([[id, 1]]);
  const state = (await thread.state.getChildThread(id)) as ThreadState;
  expect((await state.getMessages()).map(writeLine)).toEqual(['user: Think', 'assistant: Thought.']);
  expect((await state.getParentThread())?.threadId).toBe(thread.id);
});

onBothStores('policies run in subagents, in their own scope', async (kit) => {
  const where: string[] = [];
  const policy = defineHook({
    hook: 'before_create_message',
    id: 'policy',
    execute: async (state, message) => {
      where.push(`${state.agentId} ${message.role}`);
      return { ...message, content: `${message.content}`.replace('secret', '***') };
    },
  });
  const { runtime, thread } = await withChild(kit, [askHelper, 'the secret', 'Done.'], [policy]);
  expect(where).toEqual([
    ...['agent user', 'agent assistant', 'child user', 'child assistant', 'agent tool', 'agent assistant'],
  ]);
  const opened = await runtime.openThread(thread.state.children[0] as string);
  expect(await lines(opened)).toEqual(['user: Think', 'assistant: the ***']);
  expect((await opened.runs()).map(({ threadId }) => threadId)).toEqual([opened.id, opened.id]);
});

onBothStores('a child that fails, or is refused, is a failed tool call', async (kit) => {
  const secret = new Error('secret-of-the-provider');
  const failed = await withChild(kit, [askHelper, secret, 'Done.']);
  expect((await lines(failed.thread))[2]).toBe(
    'tool: The model scripted/scripted failed: its provider reported an error.',
  );
  const deny = defineHook({
    hook: 'before_user_message',
    id: 'deny',
    execute: async (state) => (state.agentId === 'child' ? { decision: 'deny', reason: 'no helpers' } : null),
  });
  const refused = await withChild(kit, [askHelper, 'Done.'], [deny]);
  expect((await lines(refused.thread))[2]).toBe('tool: The agent did not finish: no helpers.');
});

onBothStores('the parent’s stop reaches the child', async (kit) => {
  const reached = gate();
  const started = await kit.thread({
    ...child,
    script: [
      askHelper,
      () => {
        reached.open();
        return never();
      },
    ],
  });
  const sending = started.thread.send('Go');
  await reached.opened;
  void started.thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted' });
  expect((await lines(started.thread))[2]).toContain('The turn was stopped');
  await runWhatIsReady(10);
  const opened = await started.runtime.openThread(started.thread.state.children[0] as string);
  expect(await lines(opened)).toEqual(['user: Think']);
  await opened.inject({ role: 'user', content: 'usable' });
});

onBothStores('a stop while the child is being made: it never begins', async (kit) => {
  const reached = gate();
  const slow = defineHook({
    hook: 'after_thread_created',
    id: 'slow',
    execute: async (state) => {
      if (state.agentId !== 'child') return;
      reached.open();
      await runWhatIsReady(20);
    },
  });
  const { thread, model, runtime } = await kit.thread({
    ...child,
    policies: [slow],
    script: [askHelper, 'never'],
  });
  const sending = thread.send('Go');
  await reached.opened;
  void thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted' });
  await runWhatIsReady(40);
  expect(model.calls).toHaveLength(1);
  const [record] = await runtime.listThreads({ parentId: thread.id });
  expect(await lines(await runtime.openThread(record?.id ?? ''))).toEqual([]);
});

onBothStores('a child’s hook may write to the parent: it waits for the parent’s batch', async (kit) => {
  const parentSteps: unknown[] = [];
  const tell = defineHook({
    hook: 'before_stop',
    id: 'tell',
    execute: async (state) => {
      const parent = await state.getParentThread();
      parentSteps.push(parent?.execution.stepCount);
      await parent?.injectMessage({ role: 'user', content: 'The child says hello.' });
      return null;
    },
  });
  const { thread } = await withChild(kit, [askHelper, 'Thought.', 'Done.'], [tell]);
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: Thought.', 'user: The child says hello.', 'assistant: Done.'],
  ]);
  expect(parentSteps).toEqual([1, undefined]);
});

onBothStores('after_subagent_created may write to the child before it runs, not afterwards', async (kit) => {
  let kept: ThreadState | undefined;
  const prepare = defineHook({
    hook: 'after_subagent_created',
    id: 'prepare',
    execute: async (_, childState) => {
      kept = childState;
      await childState.injectMessage({ role: 'system', content: 'Be kind.' });
    },
  });
  const { thread, runtime } = await withChild(kit, [askHelper, 'Thought.', 'Done.'], [prepare]);
  const opened = await runtime.openThread(thread.state.children[0] as string);
  expect(await lines(opened)).toEqual(['system: Be kind.', 'user: Think', 'assistant: Thought.']);
  await expect(kept?.setValue('late', 1)).rejects.toMatchObject({ code: 'late_write' });
});

onBothStores('two children run side by side', async (kit) => {
  const both: ScriptedStep = {
    toolCalls: [
      { name: 'helper', input: { task: 'one' } },
      { name: 'helper', input: { a: 1, b: 2 } },
    ],
  };
  const answer: ScriptedStep = ({ prompt }) => `about ${JSON.stringify(prompt.at(-1)?.content)}`;
  const { thread, runtime } = await withChild(kit, [both, answer, answer, 'Done.']);
  expect(thread.state.children).toHaveLength(2);
  const first = await Promise.all(
    thread.state.children.map(async (id) => (await lines(await runtime.openThread(id)))[0]),
  );
  expect(first.sort()).toEqual(['user: one', 'user: {"a":1,"b":2}']);
  expect((await lines(thread))[2]).toContain('one');
});

onBothStores('an agent that calls itself ends', async (kit) => {
  const { thread } = await kit.thread({
    tools: [defineTool({ name: 'again', agent: 'agent' })],
    script: Array.from({ length: 40 }, (_, i) =>
      i < 9 ? { toolCalls: [{ name: 'again', input: { task: 'x' } }] } : 'ok',
    ),
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
  const threads = await kit.store.listThreads();
  expect(Math.max(...threads.map(({ depth }) => depth))).toBe(8);
});

onBothStores('a hook can run an agent with invokeTool', async (kit) => {
  const results: HookToolResult[] = [];
  const ask = defineHook({
    hook: 'before_user_message',
    id: 'ask',
    execute: async (state) => {
      if (state.agentId === 'agent')
        results.push(await state.invokeTool('helper', { task: 'Is this fine?' }));
      return null;
    },
  });
  const { thread } = await withChild(kit, ['It is.', 'Done.'], [ask]);
  expect(results).toEqual([{ status: 'success', result: 'It is.' }]);
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: Done.']);
});

onBothStores('deleting a thread deletes its children and ends their handles', async (kit) => {
  const { thread, runtime } = await withChild(kit, [askHelper, 'Thought.', 'Done.']);
  const opened = await runtime.openThread(thread.state.children[0] as string);
  await thread.delete();
  expect(await runtime.listThreads()).toEqual([]);
  await expect(opened.inject({ role: 'user', content: 'x' })).rejects.toMatchObject({ code: 'closed' });
});
