import { type AnyHook, defineHook } from '@spec/hooks';
import { expect, test } from 'vitest';
import { createKit, gate, never, onBothStores, runWhatIsReady, type Setup } from '../../test/kit.ts';
import { defineTool, type LanguageModel, memoryStore, type Skill, type ThreadEvent } from '../index.ts';

const rewrite = (changes?: readonly string[], id = 'rewrite'): AnyHook =>
  defineHook({
    hook: 'before_create_message',
    id,
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
    expect(thread.streaming().streams).toBe(texts === twoHalves);
    await thread.send('Hi');
    await runWhatIsReady();
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
  await runWhatIsReady();
  expect(events.filter(({ type }) => type === 'text')).toMatchObject([{ type: 'text', text: 'the ***' }]);
  expect(JSON.stringify(events)).not.toContain('secret');
});

onBothStores('the text of an answer that calls tools is released too', async (kit) => {
  const { thread, events } = await kit.thread({
    policies: [rewrite()],
    tools: [defineTool({ name: 'ping', execute: () => 'pong' })],
    script: [{ text: 'Wait.', toolCalls: [{ name: 'ping' }] }, 'Done.'],
  });
  await thread.send('Go');
  await runWhatIsReady();
  const [first, second] = (await thread.messages()).filter(({ role }) => role === 'assistant');
  expect(events.filter(({ type }) => type === 'text')).toEqual([
    { type: 'text', text: 'Wait.', messageId: first?.id },
    { type: 'text', text: 'Done.', messageId: second?.id },
  ]);
});

const hides: Skill = {
  name: 'hides',
  instructions: '',
  hooks: [
    defineHook({
      hook: 'before_create_message',
      id: 'hide',
      execute: async (_, message) => ({ ...message, content: `${message.content}`.replace('SECRET', '***') }),
    }),
  ],
};

const heldMidway: Array<[string, string[], string[]]> = [
  ['what follows waits, and leaves as it is stored', ['one ', 'SECRET'], ['one ', '***']],
  ['text that goes on otherwise is told whole', ['SEC', 'RET!'], ['SEC', '\n\n***!']],
];
for (const [name, pieces, released] of heldMidway) {
  onBothStores(`a skill that starts while text leaves: ${name}`, async (kit) => {
    const { opened, open } = gate();
    const model = pausing(pieces, opened);
    const { thread, events } = await kit.thread({ models: { main: model }, skills: () => hides });
    const turn = thread.send('Hi');
    await runWhatIsReady(20);
    await thread.startSkill('hides');
    expect(thread.streaming().streams).toBe(false);
    open();
    expect(await turn).toMatchObject({ text: pieces.join('').replace('SECRET', '***') });
    await runWhatIsReady();
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(released);
  });
}

/** A model that says the first piece, and the rest once it may. */
function pausing([first = '', ...rest]: readonly string[], mayGoOn: Promise<void>): LanguageModel {
  const piece = (delta: string) => ({ type: 'text-delta' as const, id: 't', delta });
  const usage = { inputTokens: {}, outputTokens: {} };
  const finish = { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } };
  const stream = (): ReadableStream =>
    new ReadableStream({
      async start(controller) {
        for (const part of [{ type: 'text-start', id: 't' }, piece(first)]) controller.enqueue(part);
        await mayGoOn;
        for (const part of [...rest.map(piece), { type: 'text-end', id: 't' }, finish])
          controller.enqueue(part);
        controller.close();
      },
    });
  const doStream = async () => ({ stream: stream() });
  const about = { specificationVersion: 'v3', provider: 'test', modelId: 'pausing', supportedUrls: {} };
  return { ...about, doStream, doGenerate: doStream } as unknown as LanguageModel;
}

test('which hooks hold the text back is told, in their order', async () => {
  const kit = createKit(memoryStore());
  const { thread } = await kit.thread({
    hooks: [rewrite(['content', 'metadata'], 'mine')],
    prompt: { hooks: ['mine'] },
    policies: [rewrite(['metadata'], 'stamp'), rewrite(undefined, 'redact_message')],
  });
  expect(thread.streaming()).toEqual({
    streams: false,
    raw: false,
    holdBack: 0,
    heldBackBy: ['redact_message', 'mine'],
  });
  const { thread: raw } = await kit.thread({ policies: [rewrite()], stream: 'raw' });
  expect(raw.streaming()).toEqual({ streams: true, raw: true, holdBack: 0, heldBackBy: [] });
  const { thread: free } = await kit.thread();
  expect(free.streaming()).toEqual({ streams: true, raw: false, holdBack: 0, heldBackBy: [] });
  await kit.close();
});

const masking = (id: string, stream: (text: string) => string): AnyHook =>
  defineHook({
    hook: 'before_create_message',
    id,
    holdBack: 8,
    stream,
    execute: async (_, message) => ({ ...message, content: `${message.content}`.replace(/\d{4,8}/g, '#') }),
  });
const mask = (text: string): string => text.replace(/\d{4,8}/g, '#');
const long = 'The number of the order that you ask for is 123456.';

onBothStores(
  'text leaves behind a hook that says what it would change, and is stored as it left',
  async (kit) => {
    const { opened, open } = gate();
    const models = { main: pausing([long.slice(0, 40), long.slice(40)], opened) };
    const { thread, events } = await kit.thread({ models, policies: [masking('mask', mask)] });
    expect(thread.streaming()).toEqual({ streams: true, raw: false, holdBack: 8, heldBackBy: [] });
    const turn = thread.send('Hi');
    await runWhatIsReady(20);
    expect(collectTexts(events)).toEqual([long.slice(0, 32)]);
    open();
    expect(await turn).toMatchObject({ text: 'The number of the order that you ask for is #.' });
    await runWhatIsReady();
    expect(collectTexts(events).join('')).toBe('The number of the order that you ask for is #.');
  },
);

onBothStores('one hook that cannot say what it would change holds all of the text back', async (kit) => {
  const { thread, events } = await kit.thread({
    script: [long],
    policies: [masking('mask', mask), rewrite()],
  });
  expect(thread.streaming()).toEqual({ streams: false, raw: false, holdBack: 0, heldBackBy: ['rewrite'] });
  await thread.send('Hi');
  await runWhatIsReady();
  expect(collectTexts(events)).toEqual(['The number of the order that you ask for is #.']);
});

const wrong: Array<[string, (text: string) => string, string[], RegExp]> = [
  [
    'sees less than its hook changes',
    (text) => text,
    ['The number 123456 ', 'is that of you', '\n\nThe number # is that of your order.'],
    /^Hook "mask" on thread \S+: what was stored is no continuation of what its function stream let out\./,
  ],
  [
    'throws',
    () => {
      throw new TypeError('the secret');
    },
    ['The number # is that of your order.'],
    /^Hook "mask" on thread \S+: its function stream failed: TypeError at \S+\. The rest of the answer waits/,
  ],
];
for (const [name, stream, texts, warning] of wrong) {
  onBothStores(`a stream that ${name} is told of, and what is stored is what is read`, async (kit) => {
    const warnings: Error[] = [];
    const hear = (one: Error): void => void warnings.push(one);
    process.on('warning', hear);
    const { opened, open } = gate();
    const models = { main: pausing(['The number 123456 is that ', 'of your order.'], opened) };
    const { thread, events } = await kit.thread({ models, policies: [masking('mask', stream)] });
    const turn = thread.send('Hi');
    await runWhatIsReady(20);
    open();
    await turn;
    await runWhatIsReady();
    process.off('warning', hear);
    expect(collectTexts(events)).toEqual(texts);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(warning)]);
    expect(`${warnings[0]?.message}`).not.toContain('secret');
  });
}

const stops: Array<[string, AnyHook[], string | null]> = [
  ['what listeners have seen', [], long.slice(0, 40)],
  ['no more than hooks have let out', [masking('mask', mask)], long.slice(0, 32)],
  ['nothing where hooks have let out nothing', [rewrite()], null],
];
for (const [name, policies, stored] of stops) {
  onBothStores(`after a stop, of the answer is stored ${name}`, async (kit) => {
    const models = { main: pausing([long.slice(0, 40), long.slice(40)], never()) };
    const { thread, events } = await kit.thread({ models, policies });
    const turn = thread.send('Hi');
    await runWhatIsReady(20);
    await thread.stop();
    expect(await turn).toMatchObject({ status: 'aborted', text: null });
    await runWhatIsReady();
    expect(collectTexts(events).join('')).toBe(stored ?? '');
    const answers = (await thread.messages()).slice(1);
    expect(answers).toMatchObject(
      stored === null ? [] : [{ role: 'assistant', content: stored, metadata: { stopped: true } }],
    );
    if (stored !== null) expect(events.slice(-2).map(({ type }) => type)).toEqual(['message', 'turn_ended']);
    const text = events.find(({ type }) => type === 'text');
    if (text !== undefined) expect(answers[0]?.id).toBe('messageId' in text ? text.messageId : '');
  });
}

onBothStores('a hook has its say on what is stored after a stop', async (kit) => {
  const refuse = defineHook({
    hook: 'before_create_message',
    id: 'refuse',
    changes: ['metadata'],
    execute: async (_, message) => {
      if (message.role === 'assistant') throw new Error('no');
      return message;
    },
  });
  const models = { main: pausing(['one ', 'two'], never()) };
  const { thread } = await kit.thread({ models, policies: [refuse] });
  const turn = thread.send('Hi');
  await runWhatIsReady(20);
  await thread.stop();
  expect(await turn).toMatchObject({ status: 'aborted' });
  expect(await thread.messages()).toHaveLength(1);
});

const collectTexts = (events: readonly ThreadEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
