import { type AnyHook, defineHook, type ThreadState } from '@spec/hooks';
import { expect } from 'vitest';
import {
  fields,
  gate,
  lines,
  never,
  onBothStores,
  runWhatIsReady,
  type StartedThread,
  thrownBy,
  writeLine,
} from '../../test/kit.ts';
import { defineAgent, definePrompt, defineTool } from '../index.ts';

/** Counts, by content, how often each message went through the chains of its creation. */
function counters(before: string[], after: string[]): AnyHook[] {
  return [
    defineHook({
      hook: 'before_create_message',
      id: 'count_before',
      execute: async (_, message) => {
        before.push(writeLine(message as never));
        return { ...message, stamps: Number(message.stamps ?? 0) + 1 };
      },
    }),
    defineHook({
      hook: 'after_create_message',
      id: 'count_after',
      execute: async (_, message) => {
        after.push(writeLine(message as never));
      },
    }),
  ];
}

async function expectOnce({ thread }: StartedThread, before: string[], after: string[]): Promise<string[]> {
  const stored = await lines(thread);
  expect([...before].sort()).toEqual([...stored].sort());
  expect([...after].sort()).toEqual([...stored].sort());
  expect(await fields(thread, 'stamps')).toEqual(stored.map(() => 1));
  return stored;
}

onBothStores('every write passes its chain exactly once', async (kit) => {
  const [before, after]: [string[], string[]] = [[], []];
  const busy = defineTool({
    name: 'busy',
    execute: async (_input, { state }) => {
      await state.injectMessage({ role: 'user', content: 'from the tool' });
      await state.queueMessage({ role: 'user', content: 'queued by the tool' });
      return 'done';
    },
  });
  const fromHook = defineHook({
    hook: 'after_tool_call_success',
    id: 'inject_one',
    execute: async (state) => {
      await state.injectMessage({ role: 'user', content: 'from the hook' });
      return null;
    },
  });
  const context = defineHook({
    hook: 'after_tool_batch',
    id: 'context',
    execute: async () => ['batch', 'context'],
  });
  const started = await kit.thread({
    policies: [...counters(before, after), fromHook, context],
    tools: [busy],
    script: [{ toolCalls: [{ name: 'busy' }] }, 'Done.', new Error('boom')],
  });
  const { thread } = started;
  await thread.inject({ role: 'system', content: 'idle' });
  await thread.queue({ role: 'user', content: 'queued' }, { wake: false });
  await thread.send('Hello');
  await thrownBy(thread.send('Again'));
  expect(await expectOnce(started, before, after)).toEqual([
    ...['system: idle', 'user: Hello', 'user: queued', 'assistant: null', 'tool: done'],
    ...['user: from the tool', 'user: from the hook', 'user: batch\n\ncontext', 'user: queued by the tool'],
    ...['assistant: Done.', 'user: Again', 'assistant: The turn ended with an error: model_failed.'],
  ]);
});

onBothStores('what an abort leaves to be stored passes its chain once', async (kit) => {
  const [before, after]: [string[], string[]] = [[], []];
  const running = gate();
  const hang = defineTool({
    name: 'hang',
    execute: async () => {
      running.open();
      return never<string>();
    },
  });
  const started = await kit.thread({
    policies: counters(before, after),
    tools: [hang],
    script: [{ toolCalls: [{ name: 'hang' }] }],
  });
  const sending = started.thread.send('Go');
  await running.opened;
  const injecting = started.thread.inject({ role: 'user', content: 'meanwhile' });
  await runWhatIsReady(5);
  void started.thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted' });
  await injecting;
  expect(await expectOnce(started, before, after)).toEqual([
    ...['user: Go', 'assistant: null'],
    ...['tool: The turn was stopped before this tool call was finished.', 'user: meanwhile'],
  ]);
});

onBothStores('a child’s messages pass their chains once, in the child', async (kit) => {
  const [before, after]: [string[], string[]] = [[], []];
  const { runtime, thread } = await kit.thread({
    policies: counters(before, after),
    tools: [defineTool({ name: 'helper', agent: 'child' })],
    agents: [defineAgent({ name: 'child', prompt: 'child_prompt' })],
    prompts: [definePrompt({ name: 'child_prompt' })],
    script: [{ toolCalls: [{ name: 'helper', input: { task: 'Think' } }] }, 'Thought.', 'Done.'],
  });
  await thread.send('Go');
  const child = await runtime.openThread(thread.state.children[0] as string);
  expect(await lines(child)).toEqual(['user: Think', 'assistant: Thought.']);
  expect((await child.messages()).map(({ depth }) => depth)).toEqual([1, 1]);
  expect(before.filter((line) => line === 'user: Think')).toHaveLength(1);
  expect([...before].sort()).toEqual([...after].sort());
});

onBothStores('edits pass their chains once, and what comes back is stored', async (kit) => {
  const seen: unknown[] = [];
  const { thread } = await kit.thread({
    policies: [
      defineHook({
        hook: 'before_update_message',
        id: 'upper',
        execute: async (_, id, updates) => {
          seen.push(id, { ...updates });
          return { ...updates, content: `${updates.content}`.toUpperCase(), edited: true };
        },
      }),
      defineHook({
        hook: 'after_update_message',
        id: 'look',
        execute: async (_, message) => void seen.push(message.content),
      }),
    ],
  });
  const { id } = await thread.inject({ role: 'user', content: 'a', tag: 1 });
  const updated = await thread.update(id, { content: 'b' });
  expect(updated).toMatchObject({ id, content: 'B', edited: true, tag: 1 });
  expect((await thread.messages())[0]).toEqual(updated);
  expect(seen).toEqual([id, { content: 'b' }, 'B']);
});

onBothStores(
  'what the create chain returns is what is executed: a stripped call does not run',
  async (kit) => {
    const ran: string[] = [];
    const strip = defineHook({
      hook: 'before_create_message',
      id: 'strip',
      execute: async (_, message) => {
        if (typeof message.tool_calls !== 'string') return message;
        const calls = (JSON.parse(message.tool_calls) as Array<{ function: { name: string } }>).filter(
          (call) => call.function.name !== 'danger',
        );
        return { ...message, tool_calls: JSON.stringify(calls) };
      },
    });
    const tool = (name: string) => defineTool({ name, execute: () => void ran.push(name) });
    const { thread } = await kit.thread({
      policies: [strip],
      tools: [tool('danger'), tool('safe')],
      script: [{ toolCalls: [{ name: 'danger' }, { name: 'safe' }] }, { toolCalls: [{ name: 'danger' }] }],
    });
    expect(await thread.send('Go')).toMatchObject({ status: 'completed', steps: 2 });
    expect(ran).toEqual(['safe']);
    expect(JSON.stringify(await thread.messages())).not.toContain('danger');
  },
);

onBothStores('what the create chain returns is what is executed: rewritten arguments run', async (kit) => {
  const ran: unknown[] = [];
  const rewrite = defineHook({
    hook: 'before_create_message',
    id: 'rewrite',
    execute: async (_, message) => ({
      ...message,
      ...(typeof message.tool_calls === 'string'
        ? { tool_calls: message.tool_calls.replace('/etc/passwd', '/tmp/x') }
        : {}),
    }),
  });
  const read = defineTool({
    name: 'read',
    parameters: { type: 'object' },
    execute: (input: unknown) => void ran.push(input),
  });
  const { thread } = await kit.thread({
    policies: [rewrite],
    tools: [read],
    script: [{ toolCalls: [{ name: 'read', input: { path: '/etc/passwd' } }] }, 'ok'],
  });
  await thread.send('Go');
  expect(ran).toEqual([{ path: '/tmp/x' }]);
});

onBothStores('a message that is there already is not stored again, nor is its chain run', async (kit) => {
  const [before, after]: [string[], string[]] = [[], []];
  const { thread } = await kit.thread({ policies: counters(before, after), script: ['ok'] });
  await thread.inject({ id: 'm1', role: 'user', content: 'first' });
  expect(await thread.inject({ id: 'm1', role: 'user', content: 'second' })).toMatchObject({
    content: 'first',
  });
  await thread.queue({ id: 'm1', role: 'user', content: 'third' }, { wake: false });
  await thread.queue({ id: 'm2', role: 'user', content: 'queued' }, { wake: false });
  await thread.inject({ id: 'm2', role: 'user', content: 'injected first' });
  await thread.send('Go');
  expect(await lines(thread)).toEqual(['user: first', 'user: injected first', 'user: Go', 'assistant: ok']);
  expect(after).toEqual(await lines(thread));
  expect(before).not.toContain('user: second');
  expect(before).not.toContain('user: third');
  expect(await kit.store.listQueue(thread.id)).toEqual([]);
});

onBothStores('unknown fields and both kinds of metadata come back as given', async (kit) => {
  const { thread } = await kit.thread();
  const message = {
    role: 'user',
    content: 'a',
    metadata: { a: [1, null] },
    attachments: [{ type: 'url', url: 'https://example.com/a.txt', name: 'a.txt', mimeType: 'text/plain' }],
  } as const;
  const object = await thread.inject({ ...message });
  const text = await thread.inject({ role: 'user', content: 'b', metadata: '{"a":1}' });
  expect(object).toMatchObject(message);
  expect(await thread.messages()).toEqual([object, text]);
});

onBothStores('the runs of a write whose commit fails are not lost', async (kit) => {
  const spoil = defineHook({
    hook: 'before_create_message',
    id: 'spoil',
    execute: async (_, message) => ({ ...message, depth: 'x' }),
  });
  const { thread } = await kit.thread({ policies: [spoil] });
  expect(await thrownBy(thread.inject({ role: 'user', content: 'x' }))).toMatchObject({
    code: 'invalid_message',
  });
  expect((await thread.runs()).map(({ id, outcome }) => [id, outcome])).toEqual([['spoil', 'changed']]);
});

onBothStores('an inject from outside is not ended by the stop of a turn', async (kit) => {
  const running = gate();
  const inHook = gate();
  const goOn = gate();
  const slow = defineHook({
    hook: 'before_create_message',
    id: 'slow',
    execute: async (state: ThreadState, message) => {
      if (message.content !== 'outside') return message;
      inHook.open();
      await goOn.opened;
      return { ...message, live: !state.execution.abortSignal.aborted, step: state.execution.stepCount };
    },
  });
  const { thread } = await kit.thread({
    policies: [slow],
    script: [
      () => {
        running.open();
        return never();
      },
    ],
  });
  const sending = thread.send('Go');
  await running.opened;
  const injecting = thread.inject({ role: 'user', content: 'outside' });
  await inHook.opened;
  void thread.stop();
  goOn.open();
  expect(await injecting).toMatchObject({ live: true, step: 0 });
  expect(await sending).toMatchObject({ status: 'aborted' });
  expect(await lines(thread)).toEqual(['user: Go', 'user: outside']);
});
