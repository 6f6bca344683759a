import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { messageWithoutCause } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { never, thrownBy } from '../../test/kit.ts';
import type { LanguageModel } from '../definitions/model.ts';
import { callModel } from './call.ts';

const SECRET = 'sk-secret';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const text = (delta: string): LanguageModelV3StreamPart => ({ type: 'text-delta', id: '0', delta });
const textStart: LanguageModelV3StreamPart = { type: 'text-start', id: '0' };
const finish = (unified: 'stop' | 'error' = 'stop'): LanguageModelV3StreamPart => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: undefined },
});

function model(doStream: LanguageModel['doStream']): LanguageModel {
  return { specificationVersion: 'v4', provider: 'acme', modelId: 'a-1', doStream };
}

function streaming(
  parts: readonly LanguageModelV3StreamPart[],
  end: 'close' | 'error' | 'hang' = 'close',
): LanguageModel {
  return model(async () => ({
    stream: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        if (end === 'close') controller.close();
        if (end === 'error') controller.error(new Error(SECRET));
      },
    }),
  }));
}

function call(
  of: LanguageModel,
  abortSignal: AbortSignal = new AbortController().signal,
  texts: string[] = [],
) {
  return callModel(
    of,
    { prompt: [], abortSignal },
    {
      onText: (delta) => texts.push(delta),
    },
  );
}

test('text and calls are collected, text is told as it comes', async () => {
  const texts: string[] = [];
  const toolCall: LanguageModelV3StreamPart = {
    type: 'tool-call',
    toolCallId: 'c1',
    toolName: 'find',
    input: '{"a":1}',
  };
  const parts = [
    textStart,
    text('Hel'),
    text(''),
    text('lo'),
    toolCall,
    { ...toolCall, toolCallId: 'c2', providerExecuted: true },
    finish(),
  ];
  expect(await call(streaming(parts), undefined, texts)).toMatchObject({
    content: 'Hello',
    toolCalls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"a":1}' } }],
  });
  expect(texts).toEqual(['Hel', 'lo']);
});

describe('a call that is not whole', () => {
  const whole = { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: '{"a":1}' };
  const made = async (...odd: Record<string, unknown>[]) => {
    const parts = odd.map((fields) => ({ ...whole, ...fields }) as unknown as LanguageModelV3StreamPart);
    return (await call(streaming([...parts, finish()]))).toolCalls;
  };

  test.each([
    ['an object', { a: 1 }, '{"a":1}'],
    ['a list', [1], '[1]'],
    ['nothing', undefined, ''],
    ['null', null, 'null'],
    ['a number', 5, '5'],
    ['a function', () => 1, 'null'],
  ])('has %s as input: it is JSON text', async (_, input, text) => {
    expect((await made({ input }))[0]?.function.arguments).toBe(text);
  });

  test.each([[undefined], [null], [''], [5], [{}]])('has the id %j: it gets its own', async (toolCallId) => {
    const [first, second] = await made({ toolCallId }, { toolCallId });
    expect([first?.id, second?.id]).toEqual([
      expect.stringMatching(/^call_/),
      expect.stringMatching(/^call_/),
    ]);
    expect(first?.id).not.toBe(second?.id);
  });

  test.each([[undefined], [null], [5], [{}]])('has the name %j: it names no tool', async (toolName) => {
    expect((await made({ toolName }))[0]?.function.name).toBe('');
  });

  test('has an input that is no JSON: the answer fails', async () => {
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    expect(await thrownBy(made({ input: circle }))).toMatchObject({ code: 'model_failed' });
  });
});

test.each([[undefined], [5], [null], [{}]])('a piece of text that is %j fails the answer', async (delta) => {
  const texts: string[] = [];
  const odd = streaming([text(delta as never), finish()]);
  expect(await thrownBy(call(odd, undefined, texts))).toMatchObject({ code: 'model_failed' });
  expect(texts).toEqual([]);
});

test('an empty text is another thing than none', async () => {
  expect(await call(streaming([finish()]))).toMatchObject({ content: null });
  expect(await call(streaming([textStart, finish()]))).toMatchObject({ content: '' });
});

const withStatus = Object.assign(new Error(SECRET), { statusCode: 429, responseBody: SECRET });
const failing: Array<[string, LanguageModel, string]> = [
  ['rejects', model(() => Promise.reject(new Error(SECRET))), 'its provider reported an error'],
  ['rejects with an HTTP status', model(() => Promise.reject(withStatus)), 'HTTP 429'],
  [
    'throws synchronously',
    model(() => {
      throw new Error(SECRET);
    }),
    'its provider reported an error',
  ],
  [
    'throws what is no error',
    model(() => {
      throw SECRET;
    }),
    'its provider reported an error',
  ],
  [
    'throws nothing',
    model(() => {
      throw undefined;
    }),
    'its provider reported an error',
  ],
  ['gives no stream', model(async () => ({ stream: undefined as never })), 'its provider reported an error'],
  ['errors midway', streaming([text('Hel')], 'error'), 'its provider reported an error'],
  [
    'sends an error part',
    streaming([text('Hel'), { type: 'error', error: withStatus }, finish()]),
    'HTTP 429',
  ],
  [
    'sends a text as error part',
    streaming([{ type: 'error', error: SECRET }]),
    'its provider reported an error',
  ],
  ['finishes with an error', streaming([text('Hel'), finish('error')]), 'its provider reported an error'],
  ['ends without finish', streaming([text('Hel')]), 'its answer ended before it was finished'],
];
test.each(failing)('a model that %s: the error holds none of its text', async (_name, broken, how) => {
  const error = await thrownBy(call(broken));
  expect(error).toMatchObject({ name: 'RunError', code: 'model_failed' });
  expect(messageWithoutCause(error)).toBe(`The model acme/a-1 failed: ${how}.`);
  expect(JSON.stringify(error) + String(error.stack)).not.toContain(SECRET);
  expect(error.cause).toBeUndefined();
});

test.each([
  ['never answers', model(() => never())],
  ['never ends its stream', streaming([text('Hel')], 'hang')],
])('a model that %s is left behind at the abort', async (_name, deaf) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(SECRET), 5);
  const error = await thrownBy(call(deaf, controller.signal));
  expect(error).toMatchObject({ code: 'aborted' });
  expect(error.message).toBe('The thread was stopped while the model answered.');
});

test('an aborted thread asks no model', async () => {
  let asked = 0;
  const counting = model(() => {
    asked++;
    return never();
  });
  expect(await thrownBy(call(counting, AbortSignal.abort()))).toMatchObject({ code: 'aborted' });
  expect(asked).toBe(0);
});

test('a stream that comes after the abort is given back, one that is read is cancelled', async () => {
  const cancelled: string[] = [];
  const stream = (name: string): ReadableStream<LanguageModelV3StreamPart> =>
    new ReadableStream({ cancel: () => void cancelled.push(name) });
  const controller = new AbortController();
  let answer: (result: { stream: ReadableStream<LanguageModelV3StreamPart> }) => void = () => {};
  const late = call(
    model(() => new Promise((resolve) => (answer = resolve))),
    controller.signal,
  );
  const reading = call(
    model(async () => ({ stream: stream('read') })),
    controller.signal,
  );
  await new Promise((resolve) => setTimeout(resolve, 1));
  controller.abort();
  await Promise.all([thrownBy(late), thrownBy(reading)]);
  answer({ stream: stream('late') });
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(cancelled.sort()).toEqual(['late', 'read']);
});
