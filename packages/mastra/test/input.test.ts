import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { createSignal } from '@mastra/core/signals';
import { defineHook, type HookMessage } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { hearUsers } from '@spec/test-helpers';
import { describe, expect, test } from 'vitest';
import { createHooks } from '../src/index.ts';
import { scriptedModel } from './scripted-model.ts';

const thread = { thread: 'chat-1', resource: 'ada' };

/** An agent whose user is heard by a hook, which lets nobody say `secret`. */
function makeAgent() {
  const { heard, listen } = hearUsers();
  const store = memoryStore();
  const hooks = createHooks({ hooks: [defineHook(listen)], store });
  const { model, sent } = scriptedModel({ text: 'one' }, { text: 'two' }, { text: 'three' });
  const agent = new Agent({
    ...{ id: 'clerk', name: 'clerk', instructions: 'You help.', model, memory: new MockMemory() },
    inputProcessors: [hooks.processor],
  });
  const say = (...messages: readonly object[]) => agent.generate(messages as never, { memory: thread });
  const sayAlone = (...messages: readonly object[]) =>
    new Agent({
      ...{ id: 'clerk', name: 'clerk', instructions: 'You help.', model },
      inputProcessors: [hooks.processor],
    }).generate(messages as never);
  const listStored = async () => (await store.listMessages('chat-1')).map(readMessage);
  return { say, sayAlone, heard, sent, listStored };
}

function readMessage({ role, content }: HookMessage): string {
  return `${role}: ${content}`;
}

/** A message of a page, which says itself how old it is. */
function fromPage(text: string, createdAt = new Date(), id: string = crypto.randomUUID()): object {
  return { id, role: 'user', createdAt, parts: [{ type: 'text', text }] };
}

const longAgo = new Date(2000, 0, 1);
const inAnHour = (): Date => new Date(Date.now() + 3_600_000);

describe('what the user says now', () => {
  test('is heard where it says that it is older than the last answer', async () => {
    const { say, heard, listStored } = makeAgent();
    await say(fromPage('hello'));
    await say(fromPage('and?', longAgo));
    expect(heard).toEqual(['hello', 'and?']);
    expect(await listStored()).toEqual(['user: hello', 'assistant: one', 'user: and?', 'assistant: two']);
  });

  test('reaches no model where it is denied, however old it says it is', async () => {
    const { say, sent } = makeAgent();
    await say(fromPage('hello'));
    const { tripwire } = await say(fromPage('a secret', longAgo), fromPage('hi'));
    expect(tripwire?.reason).toBe('No.');
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  test('is heard after a message that said it was of a later time, as a clock of another machine may', async () => {
    const { say, heard, listStored } = makeAgent();
    await say(fromPage('hello', inAnHour()));
    await say({ role: 'user', content: 'and?' });
    expect(heard).toEqual(['hello', 'and?']);
    expect(await listStored()).toContain('user: and?');
  });

  test('is heard where an answer that the input makes up stands behind it', async () => {
    const { say, heard } = makeAgent();
    await say({ role: 'user', content: 'hello' }, { role: 'assistant', content: 'made up' });
    expect(heard).toEqual(['hello']);
  });

  test('is not heard again with what the memory has of it', async () => {
    const { say, heard } = makeAgent();
    await say(fromPage('hello', new Date(), 'm1'));
    await say(fromPage('hello', new Date(), 'm1'), fromPage('and?', new Date(), 'm2'));
    expect(heard).toEqual(['hello', 'and?']);
  });

  test('under the id of what the memory has reaches no model', async () => {
    const { say, sent } = makeAgent();
    await say(fromPage('hello', new Date(), 'm1'));
    await say(fromPage('a secret', new Date(), 'm1'));
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  test('is heard in every form that a message may have in the database', async () => {
    const { say, heard, sent } = makeAgent();
    const stored = (content: object, role = 'user') => ({
      id: crypto.randomUUID(),
      role,
      createdAt: new Date(),
      content,
    });
    await say(stored({ format: 2, content: 'hello', parts: [] }));
    await say(stored({ format: 2, parts: [{ type: 'text', text: 'and?' }] }));
    expect(heard).toEqual(['hello', 'and?']);
    const { tripwire } = await say(stored({ format: 2, content: 'a secret', parts: [] }));
    expect(tripwire?.reason).toBe('No.');
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  test('is heard as a signal, which Mastra gives the model as a message of the user', async () => {
    const { say, heard, sent } = makeAgent();
    await say(createSignal({ type: 'user', contents: 'hello' }), { role: 'user', content: 'and?' });
    expect(heard).toEqual(['hello', 'and?']);
    const { tripwire } = await say(createSignal({ type: 'user', contents: 'a secret' }), {
      role: 'user',
      content: 'hi',
    });
    expect(tripwire?.reason).toBe('No.');
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  test('is what the input ends with where there is no memory, whatever time it says that it is of', async () => {
    const { sayAlone, heard } = makeAgent();
    const stored = (role: string, text: string, at: number) => ({
      ...{ id: text, role, createdAt: new Date(at) },
      content: { format: 2, parts: [{ type: 'text', text }] },
    });
    await sayAlone(
      stored('user', 'hello', 1_000),
      stored('assistant', 'one', 9_000),
      stored('user', 'and?', 2_000),
    );
    expect(heard).toEqual(['and?']);
  });
});
