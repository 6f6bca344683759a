import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { defineAgent, definePrompt, defineTool, type FamilyEvent, type ThreadEvent } from '../src/index.ts';
import type { ScriptedToolCall } from '../src/testing/scripted-model.ts';
import { never, onBothStores, recordEvents, runWhatIsReady, thrownBy } from './kit.ts';

onBothStores('what a turn tells, in its order', async (kit) => {
  const ping = defineTool({ name: 'ping', execute: () => 'pong' });
  const { thread, events } = await kit.thread({
    tools: [ping],
    script: [{ text: 'Wait.', toolCalls: [{ id: 'c1', name: 'ping', input: { n: 1 } }] }, 'Done.'],
  });
  const { turnId } = await thread.send('Go');
  await runWhatIsReady();
  const brief = events.map((event) =>
    event.type === 'message' ? `${event.message.id}: ${event.message.content}` : event,
  );
  const call = { toolCallId: 'c1', name: 'ping' };
  const text = (step: number, piece: string): unknown => ({
    type: 'text',
    text: piece,
    messageId: `${turnId}.${step}.answer`,
  });
  expect(brief).toEqual([
    { type: 'turn_started', turnId },
    `${turnId}.0.user: Go`,
    { type: 'step_started', turnId, step: 1 },
    ...[text(1, 'Wai'), text(1, 't.'), `${turnId}.1.answer: Wait.`],
    { type: 'tool_called', ...call, input: '{"n":1}', decision: 'run' },
    { type: 'tool_started', ...call },
    { type: 'tool_ended', ...call, status: 'success' },
    { type: 'tool_result', ...call, status: 'success', content: 'pong', messageId: `${turnId}.1.result.0` },
    `${turnId}.1.result.0: pong`,
    { type: 'step_ended', turnId, step: 1, callCount: 1 },
    { type: 'step_started', turnId, step: 2 },
    ...[text(2, 'Don'), text(2, 'e.'), `${turnId}.2.answer: Done.`],
    { type: 'step_ended', turnId, step: 2, callCount: 0 },
    { type: 'turn_ended', turnId, status: 'completed' },
    { type: 'notification', notification: expect.objectContaining({ kind: 'waiting' }) },
  ]);
});

onBothStores('a function hears what a reader reads, before send resolves', async (kit) => {
  const { thread, events } = await kit.thread({ script: ['Hello'] });
  const heard: ThreadEvent[] = [];
  const forget = thread.on((event) => heard.push(event));
  await thread.send('Hi');
  expect(heard.map(({ type }) => type)).toContain('turn_ended');
  await runWhatIsReady();
  expect(heard).toEqual(events);
  forget();
  await thread.inject({ role: 'user', content: 'unheard' });
  expect(heard.length).toBeLessThan(events.length + 1);
});

onBothStores('a turn does not wait for a listener', async (kit) => {
  const { thread } = await kit.thread({ script: ['Hello'] });
  thread.on(() => never());
  thread.on(
    () => {
      throw new Error('mine');
    },
    { onError: () => {} },
  );
  expect(await thread.send('Hi')).toMatchObject({ status: 'completed', text: 'Hello' });
});

onBothStores('a listener may stop the turn at any event', async (kit) => {
  const ping = defineTool({ name: 'ping', execute: () => 'pong' });
  const script = [{ text: 'Wait.', toolCalls: [{ name: 'ping' }] }, 'Done.'];
  const { thread: model, events } = await kit.thread({ tools: [ping], script });
  await model.send('Go');
  await runWhatIsReady();
  const calls = events.findIndex(({ type }) => type === 'turn_ended');
  for (let at = 0; at < calls; at++) {
    const { thread } = await kit.thread({ tools: [ping], script });
    let heard = 0;
    thread.on(() => {
      if (heard++ === at) void thread.stop();
    });
    const { status } = await thread.send('Go');
    expect(['aborted', 'completed']).toContain(status);
    const results = (await thread.messages()).filter(({ role }) => role === 'tool').length;
    const asked = (await thread.messages()).filter(({ tool_calls }) => tool_calls != null).length;
    expect(results).toBe(asked);
  }
});

onBothStores('a failed turn tells its code, never more', async (kit) => {
  const { thread, events } = await kit.thread({ script: [new Error('the secret')] });
  expect(await thrownBy(thread.send('Hi'))).toMatchObject({ code: 'model_failed' });
  await runWhatIsReady();
  expect(events).toContainEqual({
    type: 'turn_ended',
    turnId: expect.any(String),
    status: 'failed',
    code: 'model_failed',
  });
  expect(JSON.stringify(events)).not.toContain('the secret');
});

const readCallId = (event: ThreadEvent): string => ('toolCallId' in event ? `${event.toolCallId}` : '');

onBothStores('a tool call is told as it was decided on, not as it was asked for', async (kit) => {
  const pay = defineTool({ name: 'pay', execute: () => 'paid' });
  const limit = defineHook({
    hook: 'before_tool_call',
    id: 'limit',
    execute: async (_state, call) => {
      const { sum } = JSON.parse(call.function.arguments) as { sum: number };
      if (sum > 100) return { decision: 'deny', reason: 'too much' };
      return sum === 7 ? { result: { status: 'success', result: 'free' } } : { input: { sum: sum / 2 } };
    },
  });
  const call = (id: string, sum: number): ScriptedToolCall => ({ id, name: 'pay', input: { sum } });
  const { thread, events } = await kit.thread({
    tools: [pay],
    policies: [limit],
    script: [{ toolCalls: [call('c1', 80), call('c2', 900), call('c3', 7)] }, 'Done.'],
  });
  await thread.send('Pay');
  await runWhatIsReady();
  const of = (type: ThreadEvent['type']): ThreadEvent[] =>
    events.filter((event) => event.type === type).sort((a, b) => (readCallId(a) < readCallId(b) ? -1 : 1));
  expect(of('tool_called')).toMatchObject([
    { toolCallId: 'c1', input: '{"sum":40}', decision: 'run' },
    { toolCallId: 'c2', input: '{"sum":900}', decision: 'denied' },
    { toolCallId: 'c3', input: '{"sum":7}', decision: 'answered' },
  ]);
  expect(of('tool_started')).toMatchObject([{ toolCallId: 'c1' }]);
  expect(of('tool_result')).toMatchObject([
    { toolCallId: 'c1', status: 'success', content: 'paid' },
    { toolCallId: 'c2', status: 'error', content: expect.stringContaining('too much') },
    { toolCallId: 'c3', status: 'success', content: 'free' },
  ]);
});

onBothStores('what is put back for a tool is told to nobody', async (kit) => {
  const paid: unknown[] = [];
  const vault = defineHook({
    hook: 'before_tool_call',
    id: 'vault',
    execute: async (_state) => ({ decision: 'ask' }),
    restore: async (_state, call) => ({
      ...call,
      function: { ...call.function, arguments: call.function.arguments.replace('[CARD]', '41-card-11') },
    }),
    conceal: async (_state, _call, decision) => decision,
  });
  const { thread, events } = await kit.thread({
    tools: [defineTool({ name: 'pay', execute: (input: unknown) => void paid.push(input) })],
    policies: [vault],
    onAsk: () => true,
    script: [{ toolCalls: [{ name: 'pay', input: { card: '[CARD]' } }] }, 'Done.'],
  });
  await thread.send('Pay');
  await runWhatIsReady();
  expect(paid).toEqual([{ card: '41-card-11' }]);
  const asked = { type: 'permission_asked', about: 'tool_call', input: '{"card":"[CARD]"}' };
  expect(events).toContainEqual(expect.objectContaining(asked));
  expect(events).toContainEqual(expect.objectContaining({ type: 'permission_answered', allowed: true }));
  expect(JSON.stringify(events)).not.toContain('41-card-11');
});

onBothStores('tokens are told as the provider counts them', async (kit) => {
  const { thread, model, events } = await kit.thread({ script: ['Hello'] });
  const doStream = model.doStream.bind(model);
  model.doStream = async (options) => {
    const { stream } = await doStream(options);
    const usage = { inputTokens: { total: 12 }, outputTokens: { total: undefined } };
    return {
      stream: stream.pipeThrough(
        new TransformStream({
          transform: (part, controller) =>
            controller.enqueue((part.type === 'finish' ? { ...part, usage } : part) as typeof part),
        }),
      ),
    };
  };
  await thread.send('Hi');
  await runWhatIsReady();
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'step_ended', step: 1, usage: { inputTokens: 12 } }),
  );
});

onBothStores('child threads are heard on request, with their ids', async (kit) => {
  const { thread, events } = await kit.thread({
    tools: [defineTool({ name: 'research', agent: 'researcher' })],
    agents: [defineAgent({ name: 'researcher', prompt: 'research' })],
    prompts: [definePrompt({ name: 'research' })],
    script: [{ toolCalls: [{ name: 'research', input: { topic: 'hooks' } }] }, 'Found.', 'Thanks.'],
  });
  const everything: FamilyEvent[] = [];
  thread.on((event) => everything.push(event), { children: true });
  await thread.send('Go');
  await runWhatIsReady();
  const texts = everything.flatMap((event) =>
    event.type === 'text' ? [`${event.threadId === thread.id ? 'parent' : 'child'}: ${event.text}`] : [],
  );
  expect(texts).toEqual(['child: Fou', 'child: nd.', 'parent: Than', 'parent: ks.']);
  expect(
    everything.filter(({ threadId }) => threadId === thread.id).map(({ threadId: _, ...event }) => event),
  ).toEqual(events);
});

onBothStores('what a listener does to a message nobody else sees', async (kit) => {
  const ran: string[] = [];
  const { thread } = await kit.thread({
    tools: [
      defineTool({
        name: 'ping',
        parameters: {},
        execute: (input: unknown) => void ran.push(JSON.stringify(input)),
      }),
    ],
    script: [{ toolCalls: [{ name: 'ping' }] }, 'Done.'],
  });
  void (async () => {
    for await (const event of thread.events()) {
      if (event.type !== 'message') continue;
      event.message.content = 'changed';
      if (event.message.tool_calls)
        event.message.tool_calls = event.message.tool_calls.replace('{}', '{\\"evil\\":1}');
    }
  })();
  const injected = await thread.inject({ role: 'user', content: 'mine', metadata: { a: 1 } });
  await thread.send('Go');
  await runWhatIsReady();
  expect(injected.content).toBe('mine');
  expect(ran).toEqual(['{}']);
});

const keep = defineHook({
  hook: 'before_create_message',
  id: 'keep',
  execute: async (_, message) => message,
});

onBothStores('runs of hooks and edits are told', async (kit) => {
  const { thread, events } = await kit.thread({ policies: [keep] });
  const { id } = await thread.inject({ role: 'user', content: 'a' });
  await thread.update(id, { content: 'b' });
  await runWhatIsReady();
  expect(events).toMatchObject([
    { type: 'hook_run', run: { id: 'keep', outcome: 'ok' } },
    { type: 'message', message: { id, content: 'a' } },
    { type: 'message_updated', message: { id, content: 'b' } },
  ]);
});

onBothStores('a stopped tool is told to have ended', async (kit) => {
  let stop = (): void => {};
  const { thread, events } = await kit.thread({
    tools: [
      defineTool({
        name: 'hang',
        execute: () => {
          setTimeout(() => stop(), 1);
          return new Promise<string>(() => {});
        },
      }),
    ],
    script: [{ toolCalls: [{ id: 'c1', name: 'hang' }] }],
  });
  stop = () => thread.stop();
  await thread.send('Go');
  await runWhatIsReady();
  expect(events).toContainEqual({ type: 'tool_ended', toolCallId: 'c1', name: 'hang', status: 'error' });
});

onBothStores('a listener begun late misses what was before, and ends with the thread', async (kit) => {
  const { thread } = await kit.thread();
  await thread.inject({ role: 'user', content: 'before' });
  const later = recordEvents(thread);
  const reader = thread.events();
  await thread.inject({ role: 'user', content: 'after' });
  await thread.close();
  const heard: ThreadEvent[] = [];
  for await (const event of reader) heard.push(event);
  expect(heard).toMatchObject([{ message: { content: 'after' } }, { type: 'session_ended' }]);
  expect(later).toEqual(heard);
});
