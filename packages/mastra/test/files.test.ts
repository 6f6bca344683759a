import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { redact } from '@spec/builtins';
import { type AnyHook, defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { describe, expect, test } from 'vitest';
import { createHooks } from '../src/index.ts';
import { scriptedModel } from './scripted-model.ts';

const thread = { thread: 'chat-1', resource: 'ada' };
const encode = (text: string): string => Buffer.from(text).toString('base64');
const said = 'Write to ada@example.org.';
const secret = encode(said);
const clean = encode('Write to [EMAIL_1].');
const address = `data:text/plain;base64,${secret}`;

function makeAgent(hooks: readonly AnyHook[]) {
  const store = memoryStore();
  const { processor } = createHooks({ hooks, store, allowPartial: hooks.map(({ id }) => id) } as never);
  const { model, sent } = scriptedModel({ text: 'one' }, { text: 'two' });
  const memory = new MockMemory();
  const agent = new Agent({
    ...{ id: 'clerk', name: 'clerk', instructions: 'You help.', model, memory },
    inputProcessors: [processor],
  });
  const say = (message: object) => agent.generate([message] as never, { memory: thread });
  const remember = async () => JSON.stringify(await memory.recall({ threadId: 'chat-1', resourceId: 'ada' }));
  return { say, sent, store, remember };
}

const text = { type: 'text', text: 'Read this.' };
const spoken = (...content: object[]) => ({ role: 'user', content: [text, ...content] });
const ofPage = (...parts: object[]) => ({ id: 'm1', role: 'user', parts: [text, ...parts] });

interface Sent {
  readonly role: string;
  readonly content: readonly { readonly type: string; readonly data?: unknown }[];
}

/** What the model was sent as the content of the files of the user, in each call. */
function listFiles(sent: readonly unknown[][]): unknown[] {
  return sent.map((prompt) =>
    (prompt as Sent[])
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => content.flatMap(({ type, data }) => (type === 'file' ? [data] : []))),
  );
}

/** The contents of the last message of the first call. */
const readLast = ([prompt = []]: readonly unknown[][]): unknown => (prompt.at(-1) as Sent).content;

describe('a file of the user', () => {
  test.each([
    ['base64', spoken({ type: 'file', data: secret, mimeType: 'text/plain', filename: 'a.txt' })],
    ['bytes', spoken({ type: 'file', data: Buffer.from(said), mediaType: 'text/plain' })],
    ['an address', spoken({ type: 'file', data: new URL(address), mediaType: 'text/plain' })],
    ['an image', spoken({ type: 'image', image: secret, mimeType: 'image/svg+xml' })],
    ['a part of a page', ofPage({ type: 'file', url: address, mediaType: 'text/plain', filename: 'a.txt' })],
    [
      'an attachment of version 4',
      {
        ...ofPage(),
        content: text.text,
        experimental_attachments: [{ url: address, contentType: 'text/plain' }],
      },
    ],
  ])('reaches the model and the memory as redact has left it: %s', async (_, message) => {
    const { say, sent, store, remember } = makeAgent(redact());
    await say(message);
    await say({ role: 'user', content: 'And?' });
    expect(listFiles(sent)).toEqual([[clean], [clean]]);
    const kept = (await remember()) + JSON.stringify(await store.listMessages('chat-1'));
    expect(kept).not.toContain(secret);
  });

  test('stands behind a text that hooks have changed', async () => {
    const { say, sent } = makeAgent(redact());
    const file = { type: 'file', data: secret, mimeType: 'text/plain' };
    await say({ role: 'user', content: [{ type: 'text', text: 'Of ada@example.org:' }, file] });
    expect(readLast(sent)).toMatchObject([
      { type: 'text', text: 'Of [EMAIL_1]:' },
      { type: 'file', data: clean },
    ]);
  });

  test('keeps the message from the model where a guard denies it', async () => {
    const guard = defineHook({
      hook: 'before_user_message',
      id: 'guard',
      execute: async (_state, message) =>
        'attachments' in message ? { decision: 'deny', reason: 'No files.' } : null,
    });
    const { say, sent } = makeAgent([guard]);
    const { tripwire } = await say(
      spoken({ type: 'file', data: 'https://a.example/a.pdf', mediaType: 'a/b' }),
    );
    expect([tripwire?.reason, sent]).toEqual(['No files.', []]);
  });

  test('may be taken out by a hook, and another one put in', async () => {
    const swap = defineHook({
      hook: 'before_create_message',
      id: 'swap',
      execute: async (_state, message) =>
        message.role === 'user'
          ? { ...message, attachments: [{ name: 'a.txt', mimeType: 'text/plain', data: clean }] }
          : message,
    });
    const { say, sent } = makeAgent([swap]);
    await say(spoken({ type: 'image', image: new URL('https://a.example/a.png') }));
    expect(readLast(sent)).toMatchObject([
      { type: 'text', text: 'Read this.' },
      { type: 'file', data: clean, mediaType: 'text/plain', filename: 'a.txt' },
    ]);
  });
});
