import { defineHook } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { defineTool, type UserFile, type UserPart } from '../src/index.ts';
import { memoryStore } from '../src/stores/memory/index.ts';
import type { ScriptedModel } from '../src/testing/index.ts';
import { createKit, fields, lines, onBothStores, type StartedThread, thrownBy } from './kit.ts';

const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
const ask = { type: 'text', text: 'What is this?' } as const;
const image = { type: 'image', image: bytes, mediaType: 'image/png' } as const;
const given = { role: 'user', content: [ask, image] } as const;
const sent = [ask, { type: 'file', filename: 'file-2.png', mediaType: 'image/png', data: bytes }];

const sentByUsers = ({ calls }: ScriptedModel): unknown[] =>
  (calls.at(-1)?.prompt ?? []).filter(({ role }) => role === 'user').map(({ content }) => content);

/** What the files of the thread's messages hold, read by their pointers. */
async function readFiles({ thread }: StartedThread): Promise<unknown[]> {
  const all = (await fields(thread, 'attachments')).flatMap((one) => (one ?? []) as { path: string }[]);
  return Promise.all(all.map(({ path }) => thread.state.readFile(path)));
}

onBothStores(
  'an image in a message that is injected or queued is stored, and goes to the model',
  async (kit) => {
    const started = await kit.thread({ script: ['One.', 'Two.'] });
    const { thread, model } = started;
    const injected = await thread.inject(given);
    expect(injected).toMatchObject({
      content: 'What is this?',
      attachments: [{ type: 'file', mimeType: 'image/png' }],
    });
    await thread.send('Go.');
    expect(sentByUsers(model)).toEqual([sent, [{ type: 'text', text: 'Go.' }]]);
    await thread.queue({ ...given, id: 'mine' }, { wake: false });
    expect(await readFiles(started)).toEqual([bytes]);
    await thread.send('Go on.');
    expect(sentByUsers(model)).toContainEqual(sent);
    expect(await readFiles(started)).toEqual([bytes, bytes]);
  },
);

onBothStores('hooks and tools inject and queue images as applications do', async (kit) => {
  const look = defineTool({
    name: 'look',
    async execute(_input, { state }) {
      await state.injectMessage(given);
      await state.queueMessage(given);
      return 'Looked.';
    },
  });
  const tell = defineHook({
    hook: 'after_tool_call_success',
    id: 'tell',
    async execute(state) {
      await state.injectMessage(given);
      return null;
    },
  });
  const script = [{ toolCalls: [{ name: 'look' }] }, 'Three pixels.'];
  const started = await kit.thread({ script, tools: [look], policies: [tell] });
  await started.thread.send('Look.');
  expect(sentByUsers(started.model)).toEqual([[{ type: 'text', text: 'Look.' }], sent, sent, sent]);
  expect(await readFiles(started)).toEqual([bytes, bytes, bytes]);
});

onBothStores('a hook sees the files of what is injected and queued before they are stored', async (kit) => {
  const seen: unknown[] = [];
  const drop = defineHook({
    hook: 'before_create_message',
    id: 'drop',
    async execute(_state, message) {
      if (message.role === 'user') seen.push((message as { attachments?: unknown }).attachments);
      return { ...message, attachments: [] };
    },
  });
  const started = await kit.thread({ script: ['Nothing.'], policies: [drop] });
  await started.thread.inject(given);
  await started.thread.queue(given, { wake: false });
  await started.thread.send('Go.');
  const file = { name: 'file-2.png', mimeType: 'image/png', data: 'iVBORw==' };
  expect(seen).toEqual([[file], [file], undefined]);
  expect(await started.thread.state.listFiles()).toEqual([]);
});

describe('is refused, and nothing is stored or queued', () => {
  const lost = { type: 'file', path: 'no/where.png', name: 'a.png', mimeType: 'image/png', size: 1 } as const;
  test.each<
    [
      what: string,
      message: { content: string | readonly unknown[]; role?: string; attachments?: unknown },
      why: string,
    ]
  >([
    [
      'a part of an unknown type',
      { content: [ask, { type: 'audio' }] },
      'part 2 is no text, image or file: write { type: "text", text }',
    ],
    ['a part without data', { content: [{ type: 'image' }] }, 'part 1 has neither bytes'],
    ['parts of an assistant', { role: 'assistant', content: [ask] }, 'Only messages of a user have parts.'],
    [
      'a file without a name',
      { content: 'Hi', attachments: [{ mimeType: 'image/png', data: 'aGk=' }] },
      'attachment 1 has no name: give { name, mimeType',
    ],
    [
      'a second file without data',
      {
        content: 'Hi',
        attachments: [
          { name: 'a', mimeType: 'text/plain', data: 'aGk=' },
          { name: 'b', mimeType: 'text/plain' },
        ],
      },
      'attachment 2 has no data',
    ],
    [
      'a file without a media type',
      { content: 'Hi', attachments: [{ name: 'a', mimeType: 'png', data: 'aGk=' }] },
      'attachment 1 has a mimeType that is no media type',
    ],
    [
      'a pointer to nothing',
      { content: 'Hi', attachments: [lost] },
      'one points to a file that the thread does not have',
    ],
  ])('%s', async (_what, { role = 'user', ...message }, why) => {
    const { thread } = await createKit(memoryStore()).thread({});
    const bad = { role, ...message } as { role: 'user'; content: UserPart[]; attachments: UserFile[] };
    for (const write of [
      () => thread.inject(bad),
      () => thread.queue(bad),
      () => thread.state.injectMessage(bad),
    ])
      expect((await thrownBy(write())).message).toContain(why);
    await thread.idle();
    expect([await lines(thread), await thread.state.listFiles()]).toEqual([[], []]);
  });
});

onBothStores(
  'a file with a name that is too long for a path keeps the name, under a short path',
  async (kit) => {
    const name = `${'📄'.repeat(2_000)}.png`;
    const draw = defineTool({
      name: 'draw',
      execute: () => ({
        status: 'success',
        result: 'Drawn.',
        attachments: [{ name, mimeType: 'image/png', data: bytes }],
      }),
    });
    const started = await kit.thread({ tools: [draw], script: [{ toolCalls: [{ name: 'draw' }] }, 'Done.'] });
    await started.thread.send('Draw it.');
    const [file] = (await fields(started.thread, 'attachments')).flatMap(
      (one) => (one ?? []) as { path: string; name: string }[],
    );
    expect(file?.name).toBe(name);
    expect(file?.path).toMatch(/\/1-(?:📄)+\.png$/u);
    expect(Buffer.byteLength(file?.path ?? '')).toBeLessThan(500);
    expect(await readFiles(started)).toEqual([bytes]);
  },
);
