import { type AnyHook, defineHook } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { onBothStores, recordEvents, type Setup, settle } from '../test/kit.ts';
import { EventHub } from './events.ts';
import { defineTool, type ThreadEvent } from './index.ts';

const emitted = (n: number): ThreadEvent => ({ type: 'custom', name: `${n}`, data: undefined });

describe('the events of a thread', () => {
  test('several readers each get all of them, from when they began', async () => {
    const hub = new EventHub();
    expect(hub.hasListeners).toBe(false);
    const first = hub.stream();
    hub.emit(emitted(1));
    const second = hub.stream();
    hub.emit(emitted(2));
    hub.close();
    expect(await all(first)).toEqual([emitted(1), emitted(2)]);
    expect(await all(second)).toEqual([emitted(2)]);
    expect(hub.hasListeners).toBe(false);
  });

  test('reads that were asked for before there was anything are answered in order', async () => {
    const hub = new EventHub();
    const reader = hub.stream();
    const reads = [reader.next(), reader.next(), reader.next()];
    hub.emit(emitted(1));
    hub.emit(emitted(2));
    hub.close();
    expect(await Promise.all(reads)).toEqual([
      { done: false, value: emitted(1) },
      { done: false, value: emitted(2) },
      { done: true, value: undefined },
    ]);
  });

  test('a reader that stops is forgotten, also while it waits', async () => {
    const hub = new EventHub();
    const reader = hub.stream();
    const waiting = reader.next();
    expect(await reader.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(hub.hasListeners).toBe(false);
    hub.emit(emitted(1));
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    for await (const _ of readerWith(hub, 3)) break;
    expect(hub.hasListeners).toBe(false);
  });

  test('for a slow reader the oldest are dropped, and it is told', async () => {
    const hub = new EventHub();
    const reader = hub.stream();
    for (let n = 0; n < 10_005; n++) hub.emit(emitted(n));
    hub.close();
    const events = await all(reader);
    expect(events).toHaveLength(10_001);
    expect(events.slice(0, 2)).toEqual([{ type: 'events_dropped', count: 5 }, emitted(5)]);
    expect(events.at(-1)).toEqual(emitted(10_004));
  });
});

function readerWith(hub: EventHub, count: number): AsyncIterableIterator<ThreadEvent> {
  const reader = hub.stream();
  for (let n = 0; n < count; n++) hub.emit(emitted(n));
  return reader;
}

async function all(reader: AsyncIterable<ThreadEvent>): Promise<ThreadEvent[]> {
  const events: ThreadEvent[] = [];
  for await (const event of reader) events.push(event);
  return events;
}

onBothStores('what a turn tells, in its order', async (kit) => {
  const { thread, events } = await kit.thread({
    tools: [defineTool({ name: 'ping', execute: () => 'pong' })],
    script: [{ text: 'Wait.', toolCalls: [{ id: 'c1', name: 'ping' }] }, 'Done.'],
  });
  const { turnId } = await thread.send('Go');
  await thread.close();
  await settle();
  const brief = events.map((event) => ('message' in event ? `message: ${event.message.content}` : event));
  expect(brief).toEqual([
    'message: Go',
    ...[{ type: 'text', text: 'Wai' }, { type: 'text', text: 't.' }, 'message: Wait.'],
    { type: 'tool_started', toolCallId: 'c1', name: 'ping' },
    { type: 'tool_ended', toolCallId: 'c1', name: 'ping', status: 'success' },
    'message: pong',
    ...[{ type: 'text', text: 'Don' }, { type: 'text', text: 'e.' }, 'message: Done.'],
    { type: 'turn_ended', turnId, status: 'completed' },
  ]);
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
  await settle();
  expect(injected.content).toBe('mine');
  expect(ran).toEqual(['{}']);
});

const rewrite = (changes?: readonly string[]): AnyHook =>
  defineHook({
    hook: 'before_create_message',
    id: 'rewrite',
    ...(changes === undefined ? {} : { changes }),
    execute: async (_, message) => message,
  });
const twoHalves = ['Hel', 'lo'];
const streamings: Array<[string, Setup, string[]]> = [
  ['streams where no hook could change it', {}, twoHalves],
  ['streams past hooks that leave content alone', { policies: [rewrite(['metadata'])] }, twoHalves],
  ['waits for a hook that may change content', { policies: [rewrite(['content'])] }, ['Hello']],
  ['waits for a hook that does not say what it changes', { policies: [rewrite()] }, ['Hello']],
  ['streams past every hook on request', { policies: [rewrite()], stream: 'raw' }, twoHalves],
];
for (const [name, setup, texts] of streamings) {
  onBothStores(`the answer’s text ${name}`, async (kit) => {
    const { thread, events } = await kit.thread({ ...setup, script: ['Hello'] });
    await thread.send('Hi');
    await settle();
    const kinds = events.filter(({ type }) => type === 'text' || type === 'message');
    expect(kinds.map((event) => ('text' in event ? event.text : event.type))).toEqual([
      'message',
      ...texts,
      'message',
    ]);
  });
}

onBothStores('text that a hook changes or blocks never leaves as it was', async (kit) => {
  const answers = ['fine', 'blocked secret'];
  const guard = defineHook({
    hook: 'before_create_message',
    id: 'guard',
    execute: async (_, message) => {
      if (`${message.content}`.startsWith('blocked')) throw new Error('no');
      return { ...message, content: `${message.content}`.replace('secret', '***') };
    },
  });
  const { thread, events } = await kit.thread({
    policies: [guard],
    script: ['the secret', ...answers.slice(1)],
  });
  await thread.send('1');
  await thread.send('2').catch(() => {});
  await settle();
  expect(events.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', text: 'the ***' }]);
  expect(JSON.stringify(events)).not.toContain('secret');
});

onBothStores('the text of an answer that calls tools is released too', async (kit) => {
  const { thread, events } = await kit.thread({
    policies: [rewrite()],
    tools: [defineTool({ name: 'ping', execute: () => 'pong' })],
    script: [{ text: 'Wait.', toolCalls: [{ name: 'ping' }] }, 'Done.'],
  });
  await thread.send('Go');
  await settle();
  expect(events.filter(({ type }) => type === 'text')).toEqual([
    { type: 'text', text: 'Wait.' },
    { type: 'text', text: 'Done.' },
  ]);
});

onBothStores('runs of hooks and edits are told', async (kit) => {
  const { thread, events } = await kit.thread({ policies: [rewrite()] });
  const { id } = await thread.inject({ role: 'user', content: 'a' });
  await thread.update(id, { content: 'b' });
  await settle();
  expect(events).toMatchObject([
    { type: 'hook_run', run: { id: 'rewrite', outcome: 'ok' } },
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
  await settle();
  expect(events).toContainEqual({ type: 'tool_ended', toolCallId: 'c1', name: 'hang', status: 'error' });
});

onBothStores('a listener begun late misses what was before, and ends with the thread', async (kit) => {
  const { thread } = await kit.thread();
  await thread.inject({ role: 'user', content: 'before' });
  const later = recordEvents(thread);
  const reader = thread.events();
  await thread.inject({ role: 'user', content: 'after' });
  await thread.close();
  expect(await all(reader)).toMatchObject([{ message: { content: 'after' } }]);
  expect(later).toHaveLength(1);
});
