import { redact } from '@spec/builtins';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { generateText, type ModelMessage } from 'ai';
import { generateText as generateText7 } from 'ai-v7';
import { describe, expect, test } from 'vitest';
import { createHooks } from '../src/index.ts';
import { scriptedModel } from './scripted-model.ts';

const turn = { threadId: 'chat-1' };
const address = 'ada@example.org';
const encode = (text: string): string => Buffer.from(text).toString('base64');

/** The texts of the files that the model was sent. */
function readSent({ sent }: ReturnType<typeof scriptedModel>): string[] {
  return sent.flatMap(({ prompt }) =>
    prompt.flatMap(({ role, content }) =>
      role === 'user' ? content.flatMap((part) => (part.type === 'file' ? [readPart(part.data)] : [])) : [],
    ),
  );
}

function readPart(data: unknown): string {
  const given = data as { data?: unknown; text?: string };
  const bytes = typeof data === 'string' || data instanceof Uint8Array ? data : given.data;
  if (bytes === undefined) return given.text ?? String(data);
  return typeof bytes === 'string'
    ? Buffer.from(bytes, 'base64').toString()
    : Buffer.from(bytes as Uint8Array).toString();
}

const makeHooks = () => {
  const store = memoryStore();
  const hooks = redact();
  return { store, hooks: createHooks({ hooks, store, allowPartial: ['redact_update'] }) };
};

const say = (data: string | Uint8Array | URL, mediaType = 'text/plain'): ModelMessage => ({
  role: 'user',
  content: [
    { type: 'text', text: 'Read this.' },
    { type: 'file', data, mediaType, filename: 'note.txt' },
  ],
});

describe('a file of the user', () => {
  test.each([
    ['as base64', encode(`Write to ${address}.`)],
    ['as bytes', new TextEncoder().encode(`Write to ${address}.`)],
    ['as base64 without its end', encode(`Write to ${address}.`).replace(/=+$/, '')],
    ['as an address with its words', `data:text/plain,Write%20to%20${encodeURIComponent(address)}.`],
    ['as an address with its data', new URL(`data:text/plain;base64,${encode(`Write to ${address}.`)}`)],
  ])('reaches the model as redact has left it: %s', async (_, data) => {
    const { hooks, store } = makeHooks();
    const model = scriptedModel({ text: 'one' }, { text: 'two' });
    const messages = [say(data)];
    await generateText(hooks.hooked({ model, messages }, turn));
    const later: ModelMessage[] = [
      { role: 'assistant', content: 'one' },
      { role: 'user', content: 'And?' },
    ];
    await generateText(hooks.hooked({ model, messages: [...messages, ...later] }, turn));
    expect(readSent(model)).toEqual(['Write to [EMAIL_1].', 'Write to [EMAIL_1].']);
    expect(JSON.stringify(await store.listMessages('chat-1'))).not.toContain('note.txt');
  });

  test('does so with version 7 of the AI SDK', async () => {
    const { hooks } = makeHooks();
    const model = scriptedModel({ text: 'one' });
    const messages = [say(encode(`Write to ${address}.`))];
    await generateText7(hooks.hooked({ model, messages }, turn) as never);
    expect(readSent(model)).toEqual(['Write to [EMAIL_1].']);
  });

  test('stays as it is where hooks leave it alone, or it is no text', async () => {
    const { hooks } = makeHooks();
    const model = scriptedModel({ text: 'one' });
    const image = new Uint8Array([137, 80, 78, 71, 0, 1]);
    await generateText(
      hooks.hooked({ model, messages: [say(encode('Nothing.')), say(image, 'image/png')] }, turn),
    );
    const data = model.sent[0]?.prompt.flatMap(({ role, content }) =>
      role === 'user' ? content.flatMap((part) => (part.type === 'file' ? [part.data] : [])) : [],
    );
    expect(data).toEqual([encode('Nothing.'), image]);
  });

  test('is left out where a hook takes it out', async () => {
    const strip = defineHook({
      hook: 'before_create_message',
      id: 'strip',
      execute: async (_state, { attachments, ...message }) => message as typeof message & { role: 'user' },
    });
    const model = scriptedModel({ text: 'one' });
    const hooks = createHooks({ hooks: [strip], store: memoryStore() });
    await generateText(hooks.hooked({ model, messages: [say(encode('Nothing.'))] }, turn));
    expect(readSent(model)).toEqual([]);
  });

  test('is heard again where another one is sent with the same words, because no model had answered', async () => {
    const { hooks } = makeHooks();
    const model = scriptedModel({ fails: new Error('overloaded') }, { text: 'two' });
    const go = (text: string) =>
      generateText(hooks.hooked({ model, messages: [say(encode(text))], maxRetries: 0 }, turn));
    await expect(go('Nothing.')).rejects.toThrow('overloaded');
    await go(`Write to ${address}.`);
    expect(readSent(model).at(-1)).toBe('Write to [EMAIL_1].');
  });

  test.each([['Read this.'], [undefined]])(
    'has the text that hooks made of it, and no other file with the same words (%s)',
    async (text) => {
      const take = defineHook({
        hook: 'before_create_message',
        id: 'take_drafts',
        execute: async (_state, message) =>
          JSON.stringify(message.attachments ?? []).includes(encode('draft'))
            ? { ...message, content: 'A draft was taken out.', attachments: [] }
            : message,
      });
      const hooks = createHooks({ hooks: [take], store: memoryStore() });
      const say = (file: string): ModelMessage => ({
        role: 'user',
        content: [
          ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
          { type: 'file', data: encode(file), mediaType: 'text/plain' },
        ],
      });
      const messages: ModelMessage[] = [];
      const model = scriptedModel({ text: 'Yes.' }, { text: 'Yes.' });
      for (const file of ['draft', 'letter']) {
        messages.push(say(file));
        await generateText(hooks.hooked({ model, messages }, turn));
        messages.push({ role: 'assistant', content: 'Yes.' });
      }
      const said = model.sent.at(-1)?.prompt.filter(({ role }) => role === 'user');
      expect(said?.map(({ content }) => JSON.stringify(content))).toEqual([
        expect.stringContaining('A draft was taken out.'),
        expect.not.stringContaining('A draft was taken out.'),
      ]);
    },
  );
});

test('what a hook attaches to a message without files is stored like its other fields', async () => {
  const store = memoryStore();
  const attachments = [
    { type: 'url', url: 'https://example.org/b.txt', name: 'b.txt', mimeType: 'text/plain' },
  ];
  const attach = defineHook({
    hook: 'before_create_message',
    id: 'attach',
    execute: async (_state, message) => (message.role === 'user' ? { ...message, attachments } : message),
  });
  const hooks = createHooks({ hooks: [attach], store });
  await generateText(hooks.hooked({ model: scriptedModel({ text: 'one' }), prompt: 'Read this.' }, turn));
  expect(await store.listMessages(turn.threadId)).toMatchObject([{ attachments }, { content: 'one' }]);
});
