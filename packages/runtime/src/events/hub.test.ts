import { afterEach, describe, expect, test } from 'vitest';
import { gate, runWhatIsReady } from '../../test/kit.ts';
import type { ThreadEvent } from '../index.ts';
import { EventHub } from './hub.ts';

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

  test('for a slow reader pieces of a text are joined before anything is dropped', async () => {
    const hub = new EventHub();
    const reader = hub.stream();
    for (let n = 0; n < 30_000; n++)
      hub.emit({ type: 'text', text: `${n % 10}`, messageId: n < 20_000 ? 'a' : 'b' });
    hub.close();
    const events = await all(reader);
    const textOf = (id: string): string =>
      events.map((event) => (event.type === 'text' && event.messageId === id ? event.text : '')).join('');
    expect(events.length).toBeLessThan(1_100);
    expect(textOf('a')).toBe('0123456789'.repeat(2_000));
    expect(textOf('b')).toBe('0123456789'.repeat(1_000));
  });

  test('a signal ends the reading after what has happened; a closed hub tells nothing more', async () => {
    const hub = new EventHub();
    const controller = new AbortController();
    const reader = hub.stream({ signal: controller.signal });
    hub.emit(emitted(1));
    controller.abort();
    hub.emit(emitted(2));
    expect(hub.hasListeners).toBe(false);
    expect(await all(reader)).toEqual([emitted(1)]);
    expect(await all(hub.stream({ signal: controller.signal }))).toEqual([]);
    hub.close();
    expect(await all(hub.stream())).toEqual([]);
  });

  test('a message is each listener’s own', async () => {
    const hub = new EventHub();
    const spoil = (event: ThreadEvent): void => {
      if (event.type === 'message') event.message.content = 'spoiled';
    };
    const message = { id: 'm1', role: 'user', content: 'mine', created_at: 1 } as const;
    hub.on(spoil);
    const reader = hub.stream();
    hub.on(spoil, { children: true });
    hub.emit({ type: 'message', message });
    hub.close();
    expect(await all(reader)).toEqual([{ type: 'message', message }]);
    expect(message.content).toBe('mine');
  });
});

describe('a function that listens', () => {
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  afterEach(() => {
    process.off('warning', hear);
    warnings.splice(0);
  });

  test('is called at once, with one event after the other, until it is taken away', () => {
    const hub = new EventHub();
    const heard: string[] = [];
    const forget = hub.on((event: ThreadEvent) => {
      if (event.type !== 'custom') return;
      heard.push(`${event.name} begins`);
      if (event.name === '1') hub.emit(emitted(2));
      heard.push(`${event.name} ends`);
    });
    hub.emit(emitted(1));
    expect(heard).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
    forget();
    expect(hub.hasListeners).toBe(false);
    hub.emit(emitted(3));
    expect(heard).toHaveLength(4);
  });

  test('that returns a promise is waited for by its own events only', async () => {
    const hub = new EventHub();
    const { opened, open } = gate();
    const slow: ThreadEvent[] = [];
    const quick: ThreadEvent[] = [];
    hub.on(async (event: ThreadEvent) => {
      slow.push(event);
      await opened;
    });
    hub.on((event: ThreadEvent) => quick.push(event));
    for (const n of [1, 2, 3]) hub.emit(emitted(n));
    hub.close();
    expect(quick).toEqual([1, 2, 3].map(emitted));
    expect(slow).toEqual([emitted(1)]);
    open();
    await runWhatIsReady();
    expect(slow).toEqual([1, 2, 3].map(emitted));
  });

  test('that throws or rejects is told of it, and hurts nobody', async () => {
    const hub = new EventHub('t1');
    const told: unknown[] = [];
    const heard: ThreadEvent[] = [];
    const onError = (error: unknown, { type }: ThreadEvent): void => void told.push([error, type]);
    hub.on(
      () => {
        throw 'thrown';
      },
      { onError },
    );
    hub.on(() => Promise.reject('rejected'), { onError });
    hub.on((event: ThreadEvent) => heard.push(event));
    for (const n of [1, 2]) {
      hub.emit(emitted(n));
      await runWhatIsReady();
    }
    expect(heard).toEqual([emitted(1), emitted(2)]);
    const round = [
      ['thrown', 'custom'],
      ['rejected', 'custom'],
    ];
    expect(told).toEqual([...round, ...round]);
  });

  test('that throws and told nobody whom to tell becomes one warning, without data', async () => {
    process.on('warning', hear);
    const hub = new EventHub('t1');
    const fail = (): never => {
      throw new TypeError('the secret');
    };
    hub.on(fail);
    hub.on(() => {}, { onError: fail });
    hub.emit(emitted(1));
    hub.emit(emitted(2));
    await runWhatIsReady();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ name: 'ThreadListenerWarning', code: 'LISTENER_FAILED' });
    expect(warnings[0]?.message).toMatch(
      /^A listener of thread t1 failed at the event "custom": TypeError at events[/]hub.test.ts:\d+:\d+.$/,
    );
  });
});

describe('a thread with child threads', () => {
  function family(): { parent: EventHub; child: EventHub; grandchild: EventHub } {
    const parent = new EventHub('parent');
    const child = new EventHub('child', () => parent);
    return { parent, child, grandchild: new EventHub('grandchild', () => child) };
  }

  test('tells of all of them on request, each with its thread', async () => {
    const { parent, child, grandchild } = family();
    const own = parent.stream();
    const everything = parent.stream({ children: true });
    const [one, two, three] = [1, 2, 3].map(emitted) as [ThreadEvent, ThreadEvent, ThreadEvent];
    parent.emit(one);
    child.emit(two);
    grandchild.emit(three);
    parent.close();
    expect(await all(own)).toEqual([one]);
    expect(await all(everything)).toEqual([
      { ...one, threadId: 'parent' },
      { ...two, threadId: 'child' },
      { ...three, threadId: 'grandchild' },
    ]);
  });

  test('is heard below only where somebody asked for it', () => {
    const { parent, child, grandchild } = family();
    parent.stream();
    expect([child.hasListeners, grandchild.hasListeners]).toEqual([false, false]);
    const forget = parent.on(() => {}, { children: true });
    expect([child.hasListeners, grandchild.hasListeners]).toEqual([true, true]);
    forget();
    expect(grandchild.hasListeners).toBe(false);
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

test('who begins to read is told the questions that wait: of its thread, and of those below where it asked for them', async () => {
  const parent = new EventHub('parent');
  const child = new EventHub('child', () => parent);
  const about = 'user_message';
  for (const [hub, askId] of [
    [parent, 'answered'],
    [parent, 'own'],
    [child, 'below'],
  ] as const)
    hub.ask({ type: 'permission_asked', askId, about });
  parent.answer({ type: 'permission_answered', askId: 'answered', about, allowed: true });
  const alone = parent.stream();
  const family = parent.stream({ children: true });
  child.answer({ type: 'permission_answered', askId: 'below', about, allowed: true });
  const late = parent.stream({ children: true });
  parent.close();
  const own = { type: 'permission_asked', askId: 'own', about };
  const below = { type: 'permission_asked', askId: 'below', about, threadId: 'child' };
  expect(await all(alone)).toEqual([own]);
  expect(await all(family)).toEqual([
    { ...own, threadId: 'parent' },
    below,
    { ...below, type: 'permission_answered', allowed: true },
  ]);
  expect(await all(late)).toEqual([{ ...own, threadId: 'parent' }]);
});
