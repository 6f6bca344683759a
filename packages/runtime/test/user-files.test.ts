import type { AttachmentRef } from '@spec/hooks';
import { defineHook } from '@spec/hooks';
import { describe, expect, test, vi } from 'vitest';
import { defineTool, exportThread, importThread, type UserInput } from '../src/index.ts';
import { memoryStore } from '../src/stores/memory/index.ts';
import { type ScriptedModel, scriptedModel } from '../src/testing/index.ts';
import { toUIMessages, userInputOf } from '../src/ui-stream/index.ts';
import { createKit, onBothStores, type StartedThread, thrownBy } from './kit.ts';

const pixel = 'iVBORw0KGgo=';
const bytes = Uint8Array.from(atob(pixel), (char) => char.charCodeAt(0));
const image = { type: 'image', image: bytes } as const;
const ask = { type: 'text', text: 'What is this?' } as const;

const asSent = (data: unknown): unknown => [
  ask,
  { type: 'file', filename: 'file-2.png', mediaType: 'image/png', data },
];

const userSent = ({ calls }: ScriptedModel, call = 0): unknown =>
  calls[call]?.prompt.findLast(({ role }) => role === 'user')?.content;

const readAttachments = async ({ thread }: StartedThread): Promise<AttachmentRef[]> =>
  (await thread.messages()).flatMap(
    (message) => (message as { attachments?: AttachmentRef[] }).attachments ?? [],
  );

onBothStores('an image is a file of the thread, and goes to the model in every turn', async (kit) => {
  const started = await kit.thread({ script: ['A pixel.', 'Still.'] });
  const { thread, model } = started;
  await thread.send({ content: [ask, image] });
  const [stored] = await readAttachments(started);
  expect(stored).toEqual({
    type: 'file',
    path: expect.stringMatching(/^attachments\/.+\/1-file-2\.png$/),
    name: 'file-2.png',
    mimeType: 'image/png',
    size: bytes.length,
  });
  expect(await thread.state.readFile(stored?.path ?? '')).toEqual(bytes);
  expect((await thread.messages())[0]?.content).toBe('What is this?');
  expect(userSent(model)).toEqual(asSent(bytes));
  await thread.send('And now?');
  expect(model.calls[1]?.prompt[0]?.content).toEqual(asSent(bytes));
});

test('an image as base64 is decoded once', async () => {
  const kit = createKit(memoryStore());
  const { thread } = await kit.thread({ script: ['A pixel.'] });
  const decoding = vi.spyOn(globalThis, 'atob');
  await thread.send({ content: [ask, { type: 'image', image: pixel }] });
  const decoded = decoding.mock.calls.filter(([text]) => text === pixel);
  decoding.mockRestore();
  await kit.close();
  expect(decoded).toHaveLength(1);
});

onBothStores('a model of version 4 gets what is in a file as that version has it', async (kit) => {
  const v3 = scriptedModel(['A pixel.', 'A page.']);
  const model = { ...v3, specificationVersion: 'v4' as const };
  const { thread } = await kit.thread({ models: { model } });
  await thread.send({ content: [ask, image] });
  expect(userSent(v3)).toEqual(asSent({ type: 'data', data: bytes }));
  await thread.send({
    content: [{ type: 'file', data: new URL('https://example.com/a.pdf'), mediaType: 'application/pdf' }],
  });
  expect(userSent(v3, 1)).toEqual([
    {
      type: 'file',
      filename: 'file-1.pdf',
      mediaType: 'application/pdf',
      data: { type: 'url', url: new URL('https://example.com/a.pdf') },
    },
  ]);
});

const shapes: Readonly<Record<string, UserInput>> = {
  'AI SDK, bytes': { content: [ask, { type: 'image', image: bytes, mediaType: 'image/png' }] },
  'AI SDK, base64': { content: [ask, { type: 'file', data: pixel, mediaType: 'image/png' }] },
  'AI SDK, a page': userInputOf({
    messages: [
      {
        role: 'user',
        parts: [ask, { type: 'file', url: `data:image/png;base64,${pixel}`, mediaType: 'image/png' }],
      },
    ],
  }),
  'OpenAI, image_url': {
    content: [ask, { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }],
  },
  'OpenAI, file': {
    content: [ask, { type: 'file', file: { file_data: `data:image/png;base64,${pixel}` } }],
  },
  'an attachment': {
    content: ask.text,
    attachments: [{ name: 'file-2.png', mimeType: 'image/png', data: bytes }],
  },
};

for (const [shape, input] of Object.entries(shapes))
  onBothStores(`a file is taken in the shape of ${shape}`, async (kit) => {
    const { thread, model } = await kit.thread({ script: ['A pixel.'] });
    await thread.send(input);
    expect(userSent(model)).toEqual(asSent(bytes));
  });

onBothStores(
  'hooks see what is in a file before it is stored, and what they return is stored',
  async (kit) => {
    const seen: unknown[] = [];
    const started = await kit.thread({
      policies: [
        defineHook({
          hook: 'before_user_message',
          id: 'look',
          execute: async (_, { attachments }) => {
            seen.push(attachments);
            return null;
          },
        }),
        defineHook({
          hook: 'before_create_message',
          id: 'blacken',
          execute: async (_, message) => {
            const { attachments } = message as { attachments?: object[] };
            return attachments === undefined
              ? message
              : {
                  ...message,
                  attachments: attachments.map((file) => ({ ...file, name: 'x.txt', data: btoa('black') })),
                };
          },
        }),
      ],
      script: ['Black.'],
    });
    await started.thread.send({ content: [ask, image] });
    expect(seen).toEqual([[{ name: 'file-2.png', mimeType: 'image/png', data: pixel }]]);
    expect(await readAttachments(started)).toMatchObject([{ name: 'x.txt', size: 5 }]);
    expect(JSON.stringify(await started.thread.state.listFiles())).not.toContain('file-2.png');
  },
);

onBothStores('a message that is denied leaves no file', async (kit) => {
  const { thread } = await kit.thread({
    policies: [
      defineHook({
        hook: 'before_user_message',
        id: 'deny',
        execute: async () => ({ decision: 'deny', reason: 'no images' }),
      }),
    ],
  });
  expect(await thread.send({ content: [ask, image] })).toMatchObject({ status: 'denied' });
  expect(await thread.state.listFiles()).toEqual([]);
});

onBothStores('a file that is gone is told to the model', async (kit) => {
  const started = await kit.thread({ script: ['A pixel.', 'Gone.'] });
  await started.thread.send({ content: [ask, image] });
  const [stored] = await readAttachments(started);
  await started.thread.state.unlinkFile(stored?.path ?? '');
  await started.thread.send('And now?');
  expect(started.model.calls[1]?.prompt[0]?.content).toEqual([
    ask,
    { type: 'text', text: '[The file "file-2.png" is no longer there.]' },
  ]);
});

onBothStores('an exported thread takes its files along', async (kit) => {
  const started = await kit.thread({ script: ['A pixel.'] });
  await started.thread.send({ content: [ask, image] });
  await started.thread.close();
  const other = createKit(memoryStore());
  await importThread(other.store, exportThread(kit.store, started.thread.id), { owner: 'import' });
  const { runtime, model } = other.start({ script: ['Still.'] });
  const thread = await runtime.openThread(started.thread.id);
  await thread?.send('And now?');
  expect(model.calls[0]?.prompt[0]?.content).toEqual(asSent(bytes));
  await other.close();
});

onBothStores('a page that is opened again shows the files where it is told where they are', async (kit) => {
  const { thread } = await kit.thread({ script: ['A pixel.'] });
  await thread.send({ content: [ask, image] });
  const messages = await thread.messages();
  expect(toUIMessages(messages)[0]?.parts).toEqual([{ ...ask, state: 'done' }]);
  const [shown] = toUIMessages(messages, { fileUrl: ({ name }) => `/files/${name}` });
  expect(shown?.parts).toEqual([
    { type: 'file', mediaType: 'image/png', filename: 'file-2.png', url: '/files/file-2.png' },
    { ...ask, state: 'done' },
  ]);
});

describe('a message that cannot be sent is refused', () => {
  const refused: Readonly<Record<string, [unknown, string]>> = {
    'a part of an unknown type': [{ content: [{ type: 'audio' }] }, 'part 1 is no text, image or file'],
    'no data': [{ content: [ask, { type: 'image' }] }, 'part 2 has neither bytes'],
    'data that is no base64': [
      { content: [{ type: 'file', data: 'secret!', mediaType: 'a/b' }] },
      'part 1 has neither bytes',
    ],
    'a link to something else': [
      { content: [{ type: 'image', image: 'file:///etc/secret' }] },
      'part 1 has neither bytes',
    ],
    'no media type': [
      { content: [{ type: 'file', data: pixel.slice(4) + pixel.slice(0, 4) }] },
      'part 1 has',
    ],
    'a media type that is none': [
      { content: [{ type: 'file', data: pixel, mediaType: 'secret' }] },
      'part 1 has no media type',
    ],
    'too many files': [{ content: Array.from({ length: 21 }, () => image) }, 'more than 20 files'],
    'too much': [
      { content: [{ type: 'file', data: new Uint8Array(21 * 1024 * 1024), mediaType: 'a/b' }] },
      'more than 20 MiB',
    ],
    'attachments that are no list': [{ content: 'Hi', attachments: { a: 'secret' } }, 'are no list'],
  };
  for (const [what, [input, why]] of Object.entries(refused))
    test(`with ${what}`, async () => {
      const kit = createKit(memoryStore());
      const { thread } = await kit.thread();
      const error = await thrownBy(thread.send(input as UserInput));
      expect(error).toMatchObject({ code: 'invalid_message', message: expect.stringContaining(why) });
      expect(error.message).not.toContain('secret');
      expect(await thread.messages()).toEqual([]);
      await kit.close();
    });
});

onBothStores('a pointer to a file that is not there is refused', async (kit) => {
  const { thread } = await kit.thread();
  const pointer: AttachmentRef = { type: 'file', path: 'none', name: 'none', mimeType: 'a/b', size: 1 };
  const error = await thrownBy(thread.send({ content: 'Hi', attachments: [pointer] }));
  expect(error).toMatchObject({ code: 'invalid_message' });
});

const link = { type: 'url', url: 'https://example.com/a.pdf', name: 'a.pdf', mimeType: 'application/pdf' };
const undescribed: readonly unknown[] = [
  { ...link, mimeType: undefined },
  { ...link, mimeType: 5 },
  { ...link, mimeType: '' },
  { ...link, name: {} },
  { ...link, url: 'file:///etc/passwd' },
  { type: 'file', path: 'a.txt' },
  { type: 'file', path: 'a.txt', name: 'a.txt', mimeType: ['text/plain'], size: 1 },
];

onBothStores('a file that says too little of itself is refused where it is sent', async (kit) => {
  const { thread } = await kit.thread();
  await thread.state.writeFile('a.txt', 'a');
  for (const attachment of undescribed) {
    const message = { role: 'user', content: 'Hi', attachments: [attachment] as AttachmentRef[] } as const;
    const writes = [() => thread.send(message), () => thread.inject(message), () => thread.queue(message)];
    for (const write of writes)
      expect(await thrownBy(write())).toMatchObject({
        code: 'invalid_message',
        message: expect.stringMatching(
          /attachment 1 has (?:no (?:name|mimeType|data)|a mimeType that is no media type): give/,
        ),
      });
  }
});

onBothStores(
  'such a file that was written in another way is left out of what models are sent',
  async (kit) => {
    const { thread, model } = await kit.thread({ script: ['Yes.'] });
    await thread.state.writeFile('a.txt', 'a');
    const { id } = await thread.inject({ role: 'user', content: 'Hi' });
    await thread.update(id, { attachments: undescribed });
    expect(await thread.send('And?')).toMatchObject({ status: 'completed' });
    const asked = model.calls[0]?.prompt.map(({ content }) => content);
    expect(asked).toHaveLength(2);
    expect(asked).toContainEqual([{ type: 'text', text: 'Hi' }]);
    const shown = toUIMessages(await thread.messages(), { fileUrl: () => '/' });
    expect(shown.map(({ parts }) => parts.length)).toEqual(asked?.map(() => 1).concat(2));
  },
);

describe('files that a tool returns', () => {
  const pdf = Uint8Array.of(0x25, 0x50, 0x44, 0x46);
  const shoot = defineTool({
    name: 'shoot',
    execute: () => ({
      status: 'success',
      result: 'Two files.',
      attachments: [
        { name: 'a.png', mimeType: 'image/png', data: bytes },
        { name: 'b.pdf', mimeType: 'application/pdf; version=1', data: pdf },
        { name: 'c.csv', mimeType: 'text/csv', data: 'YSxi' },
      ],
    }),
  });
  const results = ({ calls }: ScriptedModel): unknown =>
    calls
      .at(-1)
      ?.prompt.flatMap(({ role, content }) =>
        role === 'tool' ? content.map((part) => ('output' in part ? part.output : part)) : [],
      );
  const base64 = (data: Uint8Array): string => Buffer.from(data).toString('base64');

  test.each([
    'anthropic.messages',
    'vertex.anthropic.messages',
    'amazon-bedrock',
    'openai.responses',
    'azure.responses',
    'google.generative-ai',
  ])('go to a model of %s as content of the result', async (provider) => {
    for (const specificationVersion of ['v3', 'v4'] as const) {
      const script = scriptedModel([{ toolCalls: [{ name: 'shoot' }] }, 'Seen.']);
      const model = { ...script, provider, specificationVersion };
      const { thread } = await createKit(memoryStore()).thread({ models: { model }, tools: [shoot] });
      await thread.send('Shoot.');
      const text = { type: 'text', text: 'Two files.' };
      const files =
        specificationVersion === 'v3'
          ? [
              { type: 'image-data', mediaType: 'image/png', data: base64(bytes) },
              { type: 'file-data', mediaType: 'application/pdf', data: base64(pdf), filename: 'b.pdf' },
            ]
          : [
              {
                type: 'file',
                mediaType: 'image/png',
                data: { type: 'data', data: bytes },
                filename: 'a.png',
              },
              {
                type: 'file',
                mediaType: 'application/pdf',
                data: { type: 'data', data: pdf },
                filename: 'b.pdf',
              },
            ];
      expect(results(script)).toEqual([{ type: 'content', value: [text, ...files] }]);
    }
  });

  onBothStores('stay in the thread where the provider would write them into a text', async (kit) => {
    for (const provider of ['openai.chat', 'local.chat', 'mistral.chat', 'scripted']) {
      const script = scriptedModel([{ toolCalls: [{ name: 'shoot' }] }, 'Seen.']);
      const { thread } = await kit.thread({ models: { model: { ...script, provider } }, tools: [shoot] });
      await thread.send('Shoot.');
      expect(results(script)).toEqual([{ type: 'text', value: 'Two files.' }]);
      expect(await thread.state.listFiles()).toHaveLength(3);
    }
  });

  onBothStores(
    'are sent again in the next turn, without those that are gone or that a hook took out',
    async (kit) => {
      const take = defineHook({
        hook: 'prefilter_llm_history',
        id: 'take',
        execute: async (_state, messages) =>
          messages.map((message) =>
            message.content === 'Two files.' && taken ? { ...message, attachments: [] } : message,
          ),
      });
      let taken = false;
      const script = scriptedModel([{ toolCalls: [{ name: 'shoot' }] }, 'Seen.', 'Again.', 'No more.']);
      const model = { ...script, provider: 'anthropic.messages' };
      const { thread } = await kit.thread({ models: { model }, tools: [shoot], policies: [take] });
      await thread.send('Shoot.');
      const [first] = await thread.state.listFiles();
      await thread.state.unlinkFile(first?.path ?? '');
      await thread.send('And?');
      const pdfPart = {
        type: 'file-data',
        mediaType: 'application/pdf',
        data: base64(pdf),
        filename: 'b.pdf',
      };
      expect(results(script)).toEqual([
        { type: 'content', value: [{ type: 'text', text: 'Two files.' }, pdfPart] },
      ]);
      taken = true;
      await thread.send('And now?');
      expect(results(script)).toEqual([{ type: 'text', value: 'Two files.' }]);
    },
  );
});
