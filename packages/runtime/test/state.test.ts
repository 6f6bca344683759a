import { inspect } from 'node:util';
import { defineHook, type ThreadState } from '@spec/hooks';
import { expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import {
  type Kit,
  lines,
  onBothStores,
  runWhatIsReady,
  type Setup,
  type StartedThread,
  thrownBy,
} from './kit.ts';

const tool = defineTool({ name: 'tool', execute: () => 'done' });

/** Runs something on the state that a hook gets, while the hook runs. */
async function inHook<T>(
  kit: Kit,
  run: (state: ThreadState) => Promise<T>,
  setup: Setup = {},
): Promise<StartedThread & { result: T }> {
  let result: T | undefined;
  const failures: unknown[] = [];
  const hook = defineHook({
    hook: 'before_user_message',
    id: 'in_hook',
    execute: async (state) => {
      await run(state).then(
        (value) => (result = value),
        (error: unknown) => failures.push(error),
      );
      return null;
    },
  });
  const started = await kit.thread({ policies: [hook], tools: [tool], script: ['ok'], ...setup });
  await started.thread.send('Go');
  if (failures.length > 0) throw failures[0];
  return { ...started, result: result as T };
}

onBothStores('state: identity', async (kit) => {
  const { runtime } = kit.start();
  const thread = await runtime.createThread({
    agent: 'agent',
    id: 'my-thread',
    userId: 'ada',
    metadata: { a: [1] },
  });
  const { threadId, agentId, userId, children } = thread.state;
  expect([threadId, agentId, userId, children]).toEqual(['my-thread', 'agent', 'ada', []]);
  expect([thread.id, thread.agentId]).toEqual(['my-thread', 'agent']);
  expect((await runtime.listThreads())[0]).toMatchObject({ userId: 'ada', metadata: { a: [1] }, depth: 0 });
  expect((await runtime.createThread({ agent: 'agent' })).state.userId).toBeNull();
});

onBothStores('state: messages', async (kit) => {
  const { thread } = await inHook(kit, async (state) => {
    const first = await state.injectMessage({ role: 'user', content: 'a' });
    await state.injectMessage({ role: 'user', content: 'b' });
    expect((await state.getMessages()).map(({ content }) => content)).toEqual(['a', 'b']);
    expect((await state.getMessages({ last: 1 })).map(({ content }) => content)).toEqual(['b']);
    expect(await state.getMessage(first.id)).toEqual(first);
    expect(await state.getMessage('nobody')).toBeNull();
    expect(await state.updateMessage(first.id, { content: 'A' })).toMatchObject({
      id: first.id,
      content: 'A',
    });
    await state.queueMessage({ role: 'user', content: 'queued' });
    await state.queueTool('tool', { n: 1 });
    const doomed = await state.injectMessage({ role: 'user', content: 'doomed' });
    expect(await state.deleteMessage(doomed.id)).toBe(true);
  });
  expect(await lines(thread)).toEqual([
    ...['user: A', 'user: b', 'user: Go', 'user: queued'],
    ...['assistant: null', 'tool: done', 'assistant: ok'],
  ]);
});

onBothStores('state: what a hook does to a message it read, nobody sees', async (kit) => {
  const { thread } = await inHook(kit, async (state) => {
    await state.injectMessage({ role: 'user', content: 'a', metadata: { tags: ['x'] } });
    for (const message of (await state.getMessages()) as unknown[]) {
      const data = message as { content: string; metadata: { tags: string[] } };
      data.content = 'changed';
      data.metadata.tags.push('y');
    }
  });
  expect((await thread.messages())[0]).toMatchObject({ content: 'a', metadata: { tags: ['x'] } });
});

onBothStores('state: definitions', async (kit) => {
  const { result } = await inHook(kit, async (state) => ({
    agents: state.agentNames(),
    prompts: state.promptNames(),
    models: state.modelNames(),
    tools: state.toolNames(),
    agent: await state.loadAgent(state.agentId),
    prompt: await state.loadPrompt('prompt'),
    model: await state.loadModel('scripted'),
    tool: await state.loadTool('tool'),
    none: [
      await state.loadAgent('x'),
      await state.loadPrompt('x'),
      await state.loadModel('x'),
      await state.loadTool('x'),
    ],
  }));
  expect(result).toMatchObject({
    agents: ['agent'],
    prompts: ['prompt'],
    models: ['scripted'],
    tools: ['tool'],
    agent: { name: 'agent', prompt: 'prompt' },
    prompt: { name: 'prompt', tools: ['tool'] },
    model: { provider: 'scripted' },
    tool: { name: 'tool' },
    none: [null, null, null, null],
  });
});

onBothStores('state: tools that nobody registered', async (kit) => {
  const { thread } = await kit.thread({ tools: [tool] });
  for (const way of ['invokeTool', 'queueTool'] as const) {
    const error = await thrownBy(thread.state[way]('tol', {}));
    expect(error).toMatchObject({ code: 'not_found' });
    expect(error.message).toBe('There is no tool named "tol". Registered are: tool.');
  }
});

onBothStores('state: values', async (kit) => {
  const { thread } = await inHook(kit, async (state) => {
    expect(await state.getValue('k')).toBeUndefined();
    await state.setValue('k', { a: [1, null, 'x'] });
    await state.setValue('gone', 1);
    await state.setValue('gone', undefined);
    expect(await thrownBy(state.setValue('f', () => 1))).toMatchObject({ code: 'invalid_input' });
  });
  expect(await thread.state.getValue('k')).toEqual({ a: [1, null, 'x'] });
  expect(await thread.state.getValue('gone')).toBeUndefined();
});

onBothStores('state: files', async (kit) => {
  const { thread } = await inHook(kit, async (state) => {
    const stat = await state.writeFile('notes/a.txt', 'héllo');
    expect(stat).toEqual({
      type: 'file',
      path: 'notes/a.txt',
      name: 'a.txt',
      mimeType: 'text/plain',
      size: 6,
    });
    await state.writeFile('notes/a.txt.bak', new Uint8Array([1, 2, 3]));
    await state.writeFile('other', '{}', 'application/json');
    expect(await state.statFile('notes/a.txt')).toEqual(stat);
    expect(await state.statFile('notes/a')).toBeNull();
    expect((await state.listFiles('notes/')).map(({ path, mimeType }) => [path, mimeType])).toEqual([
      ['notes/a.txt', 'text/plain'],
      ['notes/a.txt.bak', 'application/octet-stream'],
    ]);
    expect(await state.listFiles()).toHaveLength(3);
    expect(await state.unlinkFile('other')).toBe(true);
    expect(await state.unlinkFile('other')).toBe(false);
    expect(await state.readFile('other')).toBeNull();
  });
  expect(new TextDecoder().decode((await thread.state.readFile('notes/a.txt')) ?? undefined)).toBe('héllo');
  for (const path of ['', 'folder/', undefined as never]) {
    const error = await thrownBy(thread.state.writeFile(path, 'x'));
    expect(error).toMatchObject({ code: 'invalid_message' });
    expect(error.message).toBe('A file path must name a file, such as "reports/march.txt".');
  }
});

onBothStores('state: emit reaches the thread’s listeners', async (kit) => {
  const { events } = await inHook(kit, async (state) => state.emit('progress', { done: 3 }));
  await runWhatIsReady();
  expect(events).toContainEqual({ type: 'custom', name: 'progress', data: { done: 3 } });
});

onBothStores('state: terminate in a hook ends the turn before the model is asked', async (kit) => {
  const { thread, model } = await inHook(kit, async (state) => state.terminate('abuse'));
  expect(model.calls).toEqual([]);
  expect(await thrownBy(thread.send('x'))).toMatchObject({ code: 'thread_terminated' });
  expect((await thread.runs()).map(({ outcome }) => outcome)).toEqual(['ok']);
});

onBothStores('state: a terminated thread is terminated for whoever opens it', async (kit) => {
  const { thread } = await kit.thread();
  await thread.state.terminate();
  await thread.close();
  const again = await kit.start().runtime.openThread(thread.id);
  expect(await thrownBy(again.inject({ role: 'user', content: 'x' }))).toMatchObject({
    code: 'thread_terminated',
  });
  expect(await thrownBy(again.update('x', {}))).toMatchObject({ code: 'thread_terminated' });
});

onBothStores('state: no parent, no children, no strangers', async (kit) => {
  const { runtime, thread } = await kit.thread();
  const other = await runtime.createThread({ agent: 'agent' });
  expect(await thread.state.getParentThread()).toBeNull();
  expect(await thread.state.getChildThread(other.id)).toBeNull();
});

onBothStores('state: printed, it shows where it is and nothing of what it holds', async (kit) => {
  const { thread } = await kit.thread();
  await thread.inject({ role: 'user', content: 'secret-content' });
  const printed = inspect(thread.state, { depth: 10 });
  expect(printed).toContain(thread.id);
  expect(printed).not.toContain('secret-content');
  expect(printed.length).toBeLessThan(1_000);
});
