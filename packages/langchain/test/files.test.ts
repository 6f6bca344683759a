import { MemorySaver } from '@langchain/langgraph';
import { redact } from '@spec/builtins';
import { type AnyHook, defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { AIMessage, createAgent, fakeModel, HumanMessage } from 'langchain';
import { describe, expect, test } from 'vitest';
import { hooksMiddleware } from '../src/index.ts';

const config = { configurable: { thread_id: 'chat-1' } };
const encode = (text: string): string => Buffer.from(text).toString('base64');
const secret = encode('Write to ada@example.org.');
const clean = encode('Write to [EMAIL_1].');

function makeAgent(hooks: readonly AnyHook[], ...answers: (AIMessage | Error)[]) {
  const store = memoryStore();
  const model = fakeModel();
  for (const answer of answers) model.respond(answer);
  const agent = createAgent({
    model,
    tools: [],
    checkpointer: new MemorySaver(),
    middleware: [hooksMiddleware({ hooks, store, allowPartial: hooks.map(({ id }) => id) } as never)],
  });
  const say = (message: HumanMessage) => agent.invoke({ messages: [message] }, config);
  const listSent = () => model.calls.map(({ messages }) => messages.find(({ type }) => type === 'human'));
  return { say, store, listSent };
}

const one = new AIMessage('one');
const say = (...blocks: object[]) =>
  new HumanMessage({ content: [{ type: 'text', text: 'Read this.' }, ...blocks] as never });

describe('a file of the user', () => {
  test.each([
    ['base64', { type: 'file', source_type: 'base64', mime_type: 'text/plain', data: secret }],
    [
      'a standard block',
      { type: 'file', mimeType: 'text/plain', data: secret, metadata: { filename: 'a.txt' } },
    ],
    [
      'a file of OpenAI',
      { type: 'file', file: { file_data: `data:text/plain;base64,${secret}`, filename: 'a.txt' } },
    ],
    [
      'a document of Anthropic',
      { type: 'document', source: { type: 'base64', media_type: 'text/plain', data: secret } },
    ],
    ['an image', { type: 'image_url', image_url: { url: `data:image/svg+xml;base64,${secret}` } }],
  ])('reaches the model as redact has left it, in every turn: %s', async (_, block) => {
    const { say: send, store, listSent } = makeAgent(redact(), one, new AIMessage('two'));
    const { messages } = await send(say(block));
    await send(new HumanMessage('And?'));
    const next = JSON.parse(JSON.stringify(block).replace(secret, clean)) as object;
    const expected = [{ type: 'text', text: 'Read this.' }, next];
    expect(listSent().map((message) => message?.content)).toEqual([expected, expected]);
    expect(JSON.stringify([messages, await store.listMessages('chat-1')])).not.toContain(secret);
  });

  test('stands behind a text that hooks have changed, in a message that says how it is to be read', async () => {
    const { say: send, listSent } = makeAgent(redact(), one);
    const content = [
      { type: 'text', text: 'Of ada@example.org:' },
      { type: 'file', mimeType: 'text/plain', data: secret },
    ];
    await send(new HumanMessage({ contentBlocks: content } as never));
    expect(listSent()[0]).toMatchObject({
      response_metadata: { output_version: 'v1' },
      content: [
        { type: 'text', text: 'Of [EMAIL_1]:' },
        { type: 'file', mimeType: 'text/plain', data: clean },
      ],
    });
  });

  test('stays the same object where hooks leave it alone', async () => {
    const { say: send, listSent } = makeAgent(redact(), one);
    const message = say({ type: 'image_url', image_url: 'https://a.example/a.png' });
    await send(message);
    expect(listSent()[0]?.content).toEqual(message.content);
  });

  test('keeps the message from the model where a guard denies it', async () => {
    const guard = defineHook({
      hook: 'before_user_message',
      id: 'guard',
      execute: async (_state, message) => {
        const { attachments = [] } = message as { attachments?: object[] };
        return attachments.every((file) => 'data' in file) ? null : { decision: 'deny', reason: 'No links.' };
      },
    });
    const { say: send, listSent } = makeAgent([guard], one);
    await send(say({ type: 'file', source_type: 'id', id: 'file-1' }));
    expect(listSent()).toEqual([]);
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
    const { say: send, listSent } = makeAgent([swap], one);
    await send(say({ type: 'image_url', image_url: 'https://a.example/a.png' }));
    expect(listSent()[0]?.content).toEqual([
      { type: 'text', text: 'Read this.' },
      {
        ...{ type: 'file', source_type: 'base64', data: clean, mime_type: 'text/plain' },
        metadata: { filename: 'a.txt' },
      },
    ]);
  });

  test('is heard once where it is sent again, and reaches the model as hooks had left it', async () => {
    const { say: send, listSent, store } = makeAgent(redact(), new Error('overloaded'), one);
    const file = { type: 'file', source_type: 'base64', mime_type: 'text/plain', data: secret };
    await expect(send(say(file))).rejects.toThrow('overloaded');
    await send(say(file));
    expect(JSON.stringify(listSent())).not.toContain(secret);
    expect(await store.listMessages('chat-1')).toMatchObject([{ role: 'user' }, { role: 'assistant' }]);
  });
});
