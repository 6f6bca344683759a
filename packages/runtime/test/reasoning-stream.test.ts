import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { defineHook } from '@spec/hooks';
import { expect, test } from 'vitest';
import { type LanguageModel, memoryStore, type ThreadEvent } from '../src/index.ts';
import { type ScriptedModel, type ScriptedStep, scriptedModel } from '../src/testing/index.ts';
import { streamTurn, toUIMessages, type UIMessageChunk } from '../src/ui-stream/index.ts';
import { createKit, runWhatIsReady, type Setup } from './kit.ts';

const thinking: ScriptedStep = {
  reasoning: [
    { text: 'Her name is Anna.', metadata: { anthropic: { signature: 'c2ln' } } },
    { text: '', metadata: { anthropic: { redactedData: 'eHh4' } } },
    { text: 'I greet her.' },
  ],
  text: 'Hello!',
};

const told = (events: readonly ThreadEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'text' || event.type === 'reasoning' ? [event.text] : []));

async function hearPieces(setup: Setup): Promise<string[]> {
  const kit = createKit(memoryStore());
  const { thread, events } = await kit.thread({ script: [thinking], ...setup });
  await thread.send('Hi');
  await runWhatIsReady();
  await kit.close();
  return told(events);
}

const hides = (changes?: readonly string[]): Setup => ({
  policies: [
    defineHook({
      hook: 'before_create_message',
      id: 'hide',
      ...(changes === undefined ? {} : { changes }),
      execute: async (_, message) =>
        JSON.parse(
          changes === undefined
            ? JSON.stringify(message).replace('Her name is Anna', 'X')
            : JSON.stringify(message),
        ),
    }),
  ],
});

const inPieces = ['Her name ', 'is Anna.', 'I gree', 't her.'];

test('reasoning leaves while the model writes where no hook may change it', async () => {
  expect(await hearPieces({})).toEqual([...inPieces, 'Hel', 'lo!']);
  expect(await hearPieces(hides(['metadata']))).toEqual([...inPieces, 'Hel', 'lo!']);
});

test('where a hook may change the text alone, the reasoning leaves and the text waits', async () => {
  expect(await hearPieces(hides(['content']))).toEqual([...inPieces, 'Hello!']);
});

test('where a hook may change it, it waits until it is stored, and only what is stored leaves', async () => {
  expect(await hearPieces(hides())).toEqual(['I greet her.', 'Hello!']);
});

test('raw lets it out at once', async () => {
  expect(await hearPieces({ ...hides(), stream: 'raw' })).toEqual([...inPieces, 'Hel', 'lo!']);
});

/** A model whose first call breaks off while it thinks. */
function failsOnce(answer: string): ScriptedModel {
  const model = scriptedModel([answer]);
  const error = { statusCode: 503, responseHeaders: { 'retry-after-ms': '1' } };
  const broken: LanguageModelV3StreamPart[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'error', error },
  ];
  let callCount = 0;
  return {
    ...model,
    doStream: async (options) =>
      callCount++ === 0 ? { stream: ReadableStream.from(broken) as never } : model.doStream(options),
  };
}

test('a call that fails after reasoning has left is not made again; one that nobody heard is', async () => {
  const kit = createKit(memoryStore());
  const heard = await kit.thread({ models: { model: failsOnce('Hello!') } });
  await expect(heard.thread.send('Hi')).rejects.toMatchObject({ code: 'model_failed' });
  const held = await kit.thread({ ...hides(), models: { model: failsOnce('Hello!') } });
  expect(await held.thread.send('Hi')).toMatchObject({ text: 'Hello!' });
  await kit.close();
});

async function collectChunks(options: { sendReasoning?: boolean } = {}): Promise<UIMessageChunk[]> {
  const kit = createKit(memoryStore());
  const { thread } = await kit.thread({ script: [thinking] });
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of streamTurn(thread, 'Hi', options)) chunks.push(chunk);
  const page = toUIMessages(await thread.messages(), options);
  expect(page[1]?.parts.filter(({ type }) => type === 'reasoning')).toHaveLength(
    options.sendReasoning === false ? 0 : 2,
  );
  await kit.close();
  return chunks;
}

test('a page gets reasoning as parts of their own, or not at all', async () => {
  const types = (chunks: UIMessageChunk[]): string[] =>
    chunks.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
  const part = ['reasoning-start', 'reasoning-delta', 'reasoning-end'];
  const answer = ['text-start', 'text-delta', 'text-end', 'finish-step', 'finish'];
  expect(types(await collectChunks())).toEqual(['start', 'start-step', ...part, ...part, ...answer]);
  expect(types(await collectChunks({ sendReasoning: false }))).toEqual(['start', 'start-step', ...answer]);
});

/** A model that thinks, may say something, and never ends. */
function pausing(said: readonly string[]): LanguageModel {
  const thought: LanguageModelV3StreamPart[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Her name is Anna.' },
    { type: 'reasoning-end', id: 'r' },
    { type: 'text-start', id: 't' },
    ...said.map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
  ];
  const doStream = async () => ({
    stream: new ReadableStream({
      start(controller) {
        for (const part of thought) controller.enqueue(part);
      },
    }),
  });
  const about = { specificationVersion: 'v3', provider: 'test', modelId: 'pausing', supportedUrls: {} };
  return { ...about, doStream, doGenerate: doStream } as unknown as LanguageModel;
}

test.each([
  ['with its text', ['Hel'], 'Hel'],
  ['alone', [], null],
])('after a stop, reasoning that was seen is stored %s', async (_, said, content) => {
  const kit = createKit(memoryStore());
  const { thread, events } = await kit.thread({ models: { main: pausing(said) } });
  const turn = thread.send('Hi');
  await runWhatIsReady(20);
  await thread.stop();
  expect(await turn).toMatchObject({ status: 'aborted' });
  await runWhatIsReady();
  expect(told(events)).toEqual(['Her name is Anna.', ...said]);
  const reasoning = [{ id: 'reasoning_1', text: 'Her name is Anna.' }];
  expect((await thread.messages()).slice(1)).toMatchObject([
    { role: 'assistant', content, reasoning, metadata: { stopped: true } },
  ]);
  await kit.close();
});

test('after a stop, reasoning that a hook may change is not stored: nobody has seen it', async () => {
  const kit = createKit(memoryStore());
  const { thread } = await kit.thread({ models: { main: pausing([]) }, ...hides() });
  const turn = thread.send('Hi');
  await runWhatIsReady(20);
  await thread.stop();
  await turn;
  expect(await thread.messages()).toHaveLength(1);
  await kit.close();
});
