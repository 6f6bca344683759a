import { type AnyHook, defineHook, type SessionInfo } from '@spec/hooks';
import { expect } from 'vitest';
import { gate, type Kit, lines, onBothStores, runWhatIsReady, thrownBy } from '../../test/kit.ts';
import { defineAgent, definePrompt, defineTool } from '../index.ts';

type Heard = { readonly what: 'started' | 'ended'; readonly threadId: string } & SessionInfo;

/** Two policies that write down every session. */
function watchers(heard: Heard[], texts: string | string[] | null = null): AnyHook[] {
  return [
    defineHook({
      hook: 'after_session_started',
      id: 'on_start',
      execute: async ({ threadId }, session) => {
        heard.push({ what: 'started', threadId, ...session });
        return texts;
      },
    }),
    defineHook({
      hook: 'after_session_ended',
      id: 'on_end',
      execute: async ({ threadId }, session) => void heard.push({ what: 'ended', threadId, ...session }),
    }),
  ];
}

const told = (heard: readonly Heard[]): string[] => heard.map(({ what, source }) => `${what} ${source}`);

onBothStores('a session runs from createThread or openThread to close, and is told once', async (kit) => {
  const heard: Heard[] = [];
  const { runtime, thread } = await kit.thread({ policies: watchers(heard) });
  expect(told(heard)).toEqual(['started created']);
  await runtime.openThread(thread.id);
  expect(heard).toHaveLength(1);
  await Promise.all([thread.close(), thread.close()]);
  const again = await runtime.openThread(thread.id);
  await again.close();
  expect(told(heard)).toEqual(['started created', 'ended created', 'started opened', 'ended opened']);
  const [first, , second] = heard;
  expect(heard[1]).toEqual({ ...first, what: 'ended' });
  expect(first).toMatchObject({ threadId: thread.id, agentId: 'agent', parentId: null });
  expect(second?.sessionId).not.toBe(first?.sessionId);
  const outcomes = (await kit.store.listRuns({ threadId: thread.id })).map(({ id, outcome }) => [
    id,
    outcome,
  ]);
  expect(outcomes).toEqual([
    ...[
      ['on_start', 'ok'],
      ['on_end', 'ok'],
    ],
    ...[
      ['on_start', 'ok'],
      ['on_end', 'ok'],
    ],
  ]);
});

onBothStores('runtime.close ends the sessions of all threads, each once', async (kit) => {
  const heard: Heard[] = [];
  const { runtime, thread } = await kit.thread({ policies: watchers(heard) });
  const other = await runtime.createThread({ agent: 'agent' });
  await other.close();
  await runtime.close();
  expect(heard.filter(({ what }) => what === 'ended').map(({ threadId }) => threadId)).toEqual([
    ...[other.id, thread.id],
  ]);
});

onBothStores('a thread that was only looked at, from a child or a parent, has no session', async (kit) => {
  const heard: Heard[] = [];
  const looks = defineTool({
    name: 'looks',
    execute: async (_input, { state }) => `${(await state.getParentThread())?.threadId}`,
  });
  const setup = {
    policies: watchers(heard),
    tools: [looks, defineTool({ name: 'helper', agent: 'child' })],
    agents: [defineAgent({ name: 'child', prompt: 'child' })],
    prompts: [definePrompt({ name: 'child', tools: ['looks'] })],
  };
  const { runtime, thread } = await kit.thread({
    ...setup,
    script: [{ toolCalls: [{ name: 'helper' }] }, { toolCalls: [{ name: 'looks' }] }, 'seen', 'ok'],
  });
  await thread.send('Go');
  const [child] = thread.state.children;
  await runtime.close();
  expect(heard.map(({ what, threadId, agentId, parentId }) => [what, threadId, agentId, parentId])).toEqual([
    ['started', thread.id, 'agent', null],
    ['started', child, 'child', thread.id],
    ['ended', child, 'child', thread.id],
    ['ended', thread.id, 'agent', null],
  ]);
});

onBothStores('deleting a thread ends its session and those below it', async (kit) => {
  const heard: Heard[] = [];
  const { runtime, thread } = await kit.thread({
    policies: watchers(heard),
    tools: [defineTool({ name: 'helper', agent: 'child' })],
    agents: [defineAgent({ name: 'child', prompt: 'child' })],
    prompts: [definePrompt({ name: 'child' })],
    script: [{ toolCalls: [{ name: 'helper' }] }, 'child', 'ok'],
  });
  await thread.send('Go');
  const child = await runtime.openThread(thread.state.children[0] as string);
  await thread.delete();
  expect(heard.slice(-2).map(({ what, threadId }) => [what, threadId])).toEqual([
    ...[
      ['ended', thread.id],
      ['ended', child.id],
    ],
  ]);
  await Promise.allSettled([thread.close(), child.close()]);
  await runtime.close();
  expect(heard).toHaveLength(6);
});

onBothStores(
  'what hooks say of a session comes with the first message, and is not stored before',
  async (kit) => {
    const heard: Heard[] = [];
    const notes = defineHook({
      hook: 'before_user_message',
      id: 'notes',
      execute: async (_) => ({ context: ['Be brief.', 'It rains.'] }),
    });
    const { thread } = await kit.thread({
      policies: [...watchers(heard, ['It is Monday.', 'Be brief.']), notes],
      script: ['ok', 'ok'],
    });
    expect(await lines(thread)).toEqual([]);
    await thread.send('Go');
    await thread.send('Go on');
    expect(await lines(thread)).toEqual([
      ...['user: Go', 'user: Be brief.\n\nIt rains.\n\nIt is Monday.', 'assistant: ok'],
      ...['user: Go on', 'user: Be brief.\n\nIt rains.', 'assistant: ok'],
    ]);
  },
);

onBothStores('a turn that begins without a message is told before the model is called', async (kit) => {
  const { thread } = await kit.thread({ policies: watchers([], 'It is Monday.'), script: ['ok'] });
  await thread.queue({ role: 'user', content: 'queued' });
  await thread.idle();
  expect(await lines(thread)).toEqual(['user: queued', 'user: It is Monday.', 'assistant: ok']);
});

onBothStores('a subagent’s session is told to the subagent', async (kit) => {
  const where = defineHook({
    hook: 'after_session_started',
    id: 'where',
    execute: async (_, { agentId, parentId }) => `${agentId} ${parentId === null ? 'alone' : 'called'}`,
  });
  const { thread, model } = await kit.thread({
    policies: [where],
    tools: [defineTool({ name: 'helper', agent: 'child' })],
    agents: [defineAgent({ name: 'child', prompt: 'child' })],
    prompts: [definePrompt({ name: 'child' })],
    script: [{ toolCalls: [{ name: 'helper', input: { task: 'Help' } }] }, 'child', 'ok'],
  });
  await thread.send('Go');
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('agent alone');
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('child called');
  expect(JSON.stringify(model.calls[1]?.prompt)).not.toContain('agent alone');
});

onBothStores('a thread that has a turn left behind is resumed', async (kit) => {
  const heard: Heard[] = [];
  const { runtime, thread } = await kit.thread({ policies: watchers(heard, 'A new day.'), script: ['ok'] });
  await thread.close();
  const lease = await kit.store.acquireLease({ threadId: thread.id, owner: 'dead', ttlMs: 1 });
  const turn = { id: 'left' };
  const message = { id: 'left.0.user', role: 'user', content: 'Go', created_at: 1 } as never;
  await kit.store.append(thread.id, lease.fence, { messages: [message], thread: { turn } });
  await runWhatIsReady(5);
  const again = await runtime.openThread(thread.id);
  expect(told(heard).at(-1)).toBe('started resumed');
  expect(await again.resume()).toMatchObject({ status: 'completed', text: 'ok' });
  expect(await lines(again)).toEqual(['user: Go', 'user: A new day.', 'assistant: ok']);
});

onBothStores('a start that must succeed and does not leaves no open thread', async (kit) => {
  const setup = (onError: 'block' | 'continue'): AnyHook =>
    defineHook({
      hook: 'after_session_started',
      id: 'prepare',
      onError,
      execute: () => Promise.reject(new Error('secret')),
    });
  const strict = kit.start({ policies: [setup('block')] });
  expect(await thrownBy(strict.runtime.createThread({ agent: 'agent', id: 't' }))).toMatchObject({
    code: 'hook_failed',
  });
  expect(await strict.runtime.listThreads()).toEqual([]);
  const lax = kit.start({ policies: [setup('continue')], script: ['ok', 'ok'] });
  const thread = await lax.runtime.createThread({ agent: 'agent', id: 't' });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
  await thread.close();
  expect(await thrownBy(strict.runtime.openThread('t'))).toMatchObject({ code: 'hook_failed' });
  expect(await lines(await lax.runtime.openThread('t'))).toEqual(['user: Go', 'assistant: ok']);
});

onBothStores('a subagent that could not be created is none', async (kit) => {
  const strict = defineHook({
    hook: 'after_session_started',
    id: 'strict',
    onError: 'block',
    execute: async (_, { parentId }) => {
      if (parentId !== null) throw new Error('secret');
      return null;
    },
  });
  const { runtime, thread } = await kit.thread({
    policies: [strict],
    tools: [defineTool({ name: 'helper', agent: 'child' })],
    agents: [defineAgent({ name: 'child', prompt: 'child' })],
    prompts: [definePrompt({ name: 'child' })],
    script: [{ toolCalls: [{ name: 'helper' }] }, 'ok'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
  expect((await runtime.listThreads()).map(({ id }) => id)).toEqual([thread.id]);
});

onBothStores('a session of a reader holds no writer up', async (kit) => {
  const heard: Heard[] = [];
  const { thread } = await kit.thread({ policies: watchers(heard), script: ['ok', 'ok'] });
  await thread.send('Go');
  const reader = kit.start({ policies: watchers(heard) });
  const view = await reader.runtime.openThread(thread.id);
  expect(await lines(view)).toEqual(['user: Go', 'assistant: ok']);
  await view.close();
  expect(told(heard)).toEqual(['started created', 'started opened', 'ended opened']);
  expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
});

onBothStores('a thread that is opened while its session ends begins another one', async (kit) => {
  const ending = gate();
  const mayEnd = gate();
  const heard: Heard[] = [];
  const slow = defineHook({
    hook: 'after_session_ended',
    id: 'slow',
    execute: async (_) => {
      ending.open();
      await mayEnd.opened;
    },
  });
  const { runtime, thread } = await kit.thread({ policies: [...watchers(heard), slow], script: ['ok'] });
  const closing = thread.close();
  await ending.opened;
  const opening = runtime.openThread(thread.id);
  mayEnd.open();
  await closing;
  const again = await opening;
  expect(await again.send('Go')).toMatchObject({ status: 'completed' });
  expect(told(heard)).toEqual(['started created', 'ended created', 'started opened']);
});

async function endingWith(kit: Kit, execute: () => Promise<void>): Promise<number> {
  const ending = defineHook({ hook: 'after_session_ended', id: 'ending', timeout: 30, execute });
  const { thread } = await kit.thread({ policies: [ending] });
  const before = performance.now();
  await thread.close();
  return performance.now() - before;
}

onBothStores('an end that fails or hangs keeps no thread open', async (kit) => {
  await endingWith(kit, () => Promise.reject(new Error('secret')));
  expect(await endingWith(kit, () => new Promise(() => {}))).toBeLessThan(3_000);
});

onBothStores('streams end with the end of the session', async (kit) => {
  const { thread, events } = await kit.thread();
  await thread.close();
  await runWhatIsReady();
  expect(events.at(-1)).toMatchObject({ type: 'session_ended', session: { source: 'created' } });
});
