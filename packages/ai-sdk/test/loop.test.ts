// What the loop of the AI SDK does besides the usual: windows, attempts, failures, options used twice, files, signatures.
import { limitCost } from '@spec/builtins';
import { type AnyHook, defineHook } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { failOnce } from '@spec/test-helpers';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AiSdkOptions, createHooks } from '../src/index.ts';
import { type Answer, type ScriptedModel, scriptedModel } from './scripted-model.ts';

const look = tool({ inputSchema: z.object({ n: z.number() }), execute: async ({ n }) => `r${n}` });
const tools = { look };
const stopWhen = stepCountIs(10);
const call = (n: number): Answer => ({ calls: [{ id: `call_${n}`, name: 'look', input: { n } }] });
const partial = (...hooks: readonly AnyHook[]): AiSdkOptions => ({
  hooks,
  allowPartial: hooks.map(({ id }) => id),
});
const list = async (store: Store): Promise<string[]> =>
  (await store.listMessages('t')).map(({ role, content }) => `${role}: ${content}`);

function listTexts({ sent }: ScriptedModel, at: number): string[] {
  return (sent[at]?.prompt ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
}

describe('a window that prepareStep keeps', () => {
  const window = (size: number) => ({
    prepareStep: ({ messages }: { messages: unknown[] }) => ({ messages: messages.slice(-size) as never }),
  });

  test('leaves each step its number, and an attempt is what is sent again', async () => {
    const told: string[] = [];
    const count = defineHook({
      hook: 'after_model_call',
      id: 'count',
      execute: async (_state, { step, attempt }) => void told.push(`${step}/${attempt}`),
    });
    const hooks = createHooks({ hooks: [count] });
    const model = scriptedModel(call(1), call(2), call(3), call(4), { text: 'done' });
    await generateText(hooks.hooked({ model, tools, prompt: 'go', stopWhen, ...window(4) }));
    expect(told).toEqual(['1/1', '2/1', '3/1', '4/1', '5/1']);
  });

  test('keeps what hooks gave for the conversation', async () => {
    const note = defineHook({
      hook: 'before_tool_call',
      id: 'note',
      execute: async (_state, { input }) => (input.n === 1 ? { decision: 'allow', context: 'NOTE' } : null),
    });
    const hooks = createHooks({ hooks: [note] });
    const model = scriptedModel(call(1), call(2), call(3), { text: 'done' });
    await generateText(hooks.hooked({ model, tools, prompt: 'go', stopWhen, ...window(2) }));
    expect([1, 2, 3].map((at) => listTexts(model, at))).toEqual([['NOTE'], ['NOTE'], ['NOTE']]);
  });
});

test('a model that a step chooses has the hooks, by the older name of prepareStep too', async () => {
  const told: number[] = [];
  const count = defineHook({
    hook: 'after_model_call',
    id: 'count',
    execute: async (_state, { step }) => void told.push(step),
  });
  const hooks = createHooks({ hooks: [count] });
  const other = scriptedModel({ text: 'done' });
  const experimental_prepareStep = ({ stepNumber }: { stepNumber: number }) =>
    stepNumber > 0 ? { model: other } : {};
  const setting = { model: scriptedModel(call(1)), tools, prompt: 'go', stopWhen, experimental_prepareStep };
  await generateText(hooks.hooked(setting));
  expect(told).toEqual([1, 2]);
});

describe('a turn that cannot be finished', () => {
  test('ends with the error of its store, and calls no model again', async () => {
    const hooks = createHooks({ hooks: [], store: failOnce(memoryStore()) });
    const model = scriptedModel(call(1), call(2), { text: 'done' });
    const turn = hooks.hooked({ model, tools, prompt: 'go', stopWhen }, { threadId: 't' });
    await expect(generateText(turn)).rejects.toThrow('disk full');
    expect(model.sent).toHaveLength(1);
  });

  test('ends where the hook on a tool’s row fails', async () => {
    const boom = defineHook({
      hook: 'before_create_message',
      id: 'boom',
      execute: async (_state, message) => {
        if (message.role === 'tool') throw new Error('x');
        return message;
      },
    });
    const hooks = createHooks(partial(boom));
    const model = scriptedModel(call(1), { text: 'done' });
    await expect(generateText(hooks.hooked({ model, tools, prompt: 'go', stopWhen }))).rejects.toThrow(
      'boom',
    );
    expect(model.sent).toHaveLength(1);
  });
});

describe('the same messages again', () => {
  const messages = [{ role: 'user' as const, content: 'pay 50 to bob' }];

  test('are received once where no model had answered', async () => {
    const store = memoryStore();
    const hooks = createHooks({ hooks: [], store });
    const model = scriptedModel({ fails: new Error('down') }, { text: 'Paid.' });
    const send = () => generateText(hooks.hooked({ model, messages, maxRetries: 0 }, { threadId: 't' }));
    await expect(send()).rejects.toThrow('down');
    await send();
    expect(await list(store)).toEqual(['user: pay 50 to bob', 'assistant: Paid.']);
  });

  test('are received once, however many the user sent', async () => {
    const store = memoryStore();
    const hooks = createHooks({ hooks: [], store });
    const model = scriptedModel({ fails: new Error('down') }, { text: 'Paid.' });
    const two = [...messages, { role: 'user' as const, content: 'by Friday' }];
    const send = () => generateText(hooks.hooked({ model, messages: two, maxRetries: 0 }, { threadId: 't' }));
    await expect(send()).rejects.toThrow('down');
    await send();
    expect(await list(store)).toEqual(['user: pay 50 to bob', 'user: by Friday', 'assistant: Paid.']);
  });

  test('are a message of their own after an answer', async () => {
    const store = memoryStore();
    const hooks = createHooks({ hooks: [], store });
    const model = scriptedModel({ text: 'one' }, { text: 'two' });
    for (const _ of [1, 2]) await generateText(hooks.hooked({ model, prompt: 'status?' }, { threadId: 't' }));
    expect(await list(store)).toEqual(['user: status?', 'assistant: one', 'user: status?', 'assistant: two']);
  });
});

describe('options of one call', () => {
  test.each([
    ['an answer', [{ text: 'a' }, { text: 'b' }]],
    ['calls that nobody went on with', [call(1), { text: 'b' }]],
  ] as const)('are refused for another after %s', async (_, script) => {
    const hooks = createHooks({ hooks: [], store: memoryStore() });
    const model = scriptedModel(...script);
    const { prompt: __, ...options } = hooks.hooked({ model, tools, prompt: '', stopWhen: stepCountIs(1) });
    await generateText({ ...options, prompt: 'good' });
    await expect(generateText({ ...options, prompt: 'evil' })).rejects.toThrow(/for one call/);
    expect(model.sent).toHaveLength(1);
  });
});

test('files are no tokens of a text', async () => {
  const hooks = createHooks({ hooks: limitCost({ tokens: 10_000 }) });
  const image = { type: 'image' as const, image: new Uint8Array(5_000_000), mediaType: 'image/png' };
  const content = [{ type: 'text' as const, text: 'what is it?' }, image];
  const model = scriptedModel({ text: 'a cat' });
  const messages = [{ role: 'user' as const, content }];
  expect((await generateText(hooks.hooked({ model, messages }))).text).toBe('a cat');
});

describe('what a provider wants back with a streamed call', () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
  const finish = { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: undefined } } as const;
  const lookAt = { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{"n":1}' } as const;
  const thought = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'hm' },
    { type: 'reasoning-end', id: 'r' },
  ] as const;
  const watch = defineHook({ hook: 'after_create_message', id: 'watch', execute: async () => {} });
  const change = defineHook({
    hook: 'before_create_message',
    id: 'change',
    execute: async (_state, message) => {
      const calls = message.tool_calls as string | undefined;
      return calls === undefined ? message : { ...message, tool_calls: calls.replace('1', '2') };
    },
  });

  async function sendBack(hook: AnyHook, providerMetadata: object, before: readonly object[] = []) {
    const chunks = [...before, { ...lookAt, providerMetadata }, finish] as never[];
    const model = new MockLanguageModelV3({
      doStream: async () => ({ stream: simulateReadableStream({ chunks }) }),
    });
    const hooks = createHooks(partial(hook));
    const turn = hooks.hooked({ model, tools, prompt: 'go', stopWhen: stepCountIs(2) });
    await streamText(turn).consumeStream();
    const answer = model.doStreamCalls[1]?.prompt.find(({ role }) => role === 'assistant');
    return (answer?.content[0] as { providerOptions?: object } | undefined)?.providerOptions;
  }

  const signed = { google: { thoughtSignature: 'S' } };
  const named = { openai: { itemId: 'fc_1' } };

  test('goes back with a call that no hook has changed', async () => {
    expect(await sendBack(watch, signed)).toEqual(signed);
    expect(await sendBack(watch, named)).toEqual(named);
    expect(await sendBack(watch, signed, thought)).toEqual(signed);
  });

  test('stays where it tells of what is gone or changed', async () => {
    expect(await sendBack(watch, named, thought)).toBeUndefined();
    expect(await sendBack(change, signed)).toBeUndefined();
  });
});

test('a call of a model that is aborted is told of, and ends with the error of the abort', async () => {
  const told: unknown[] = [];
  const tell = defineHook({
    hook: 'after_model_call',
    id: 'tell',
    execute: async (_state, { errorCode }) => void told.push(errorCode),
  });
  const aborts = new AbortController();
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      aborts.abort();
      throw aborts.signal.reason;
    },
  });
  const turn = createHooks({ hooks: [tell] }).hooked({ model, prompt: 'go', abortSignal: aborts.signal });
  await expect(generateText(turn)).rejects.toMatchObject({ name: 'AbortError' });
  expect(told).toEqual(['aborted']);
});

describe('a streamed answer that breaks off is told of, and costs what was reserved', () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
  const start = { type: 'text-start', id: 't' } as const;
  const delta = { type: 'text-delta', id: 't', delta: 'Hi' } as const;

  /** A model that says two words, and then what `next` does. */
  const beginning = (next: (controller: ReadableStreamDefaultController<never>) => void) =>
    new MockLanguageModelV3({
      doStream: async () => ({
        stream: new ReadableStream({
          start(controller) {
            for (const part of [start, delta]) controller.enqueue(part as never);
          },
          pull: (controller) => next(controller as never),
        }),
      }),
    });

  async function tellOf(
    model: MockLanguageModelV3,
    read: (result: { fullStream: AsyncIterable<{ type: string }>; aborts: AbortController }) => Promise<void>,
  ): Promise<unknown[]> {
    let settle = (_: unknown): void => {};
    const told = new Promise<unknown>((resolve) => {
      settle = resolve;
    });
    const tell = defineHook({
      hook: 'after_model_call',
      id: 'tell',
      execute: async (_state, { errorCode, finishReason }) => settle([errorCode, finishReason]),
    });
    const limit = limitCost({ tokens: 5_000 });
    const hooks = createHooks({ hooks: [...limit, tell] });
    const aborts = new AbortController();
    const given = { model, prompt: 'go', abortSignal: aborts.signal, maxRetries: 0 };
    const { fullStream } = streamText({ ...hooks.hooked(given, { threadId: 't' }), onError: () => {} });
    await read({ fullStream, aborts });
    const next = scriptedModel({ text: 'more' });
    const outcome = [await told];
    const again = generateText(hooks.hooked({ model: next, prompt: 'go' }, { threadId: 't' }));
    await expect(again).rejects.toMatchObject({ code: 'model_denied' });
    return outcome;
  }

  test('where it is aborted', async () => {
    const aborts = new AbortController();
    const breaks = beginning((controller) => {
      aborts.signal.addEventListener('abort', () => controller.error(aborts.signal.reason));
    });
    const told = await tellOf(breaks, async ({ fullStream, ...turn }) => {
      for await (const { type } of fullStream)
        if (type === 'text-delta') for (const one of [turn.aborts, aborts]) one.abort();
    });
    expect(told).toEqual([['aborted', 'error']]);
  });

  test('where its provider does not react to that', async () => {
    const hangs = beginning(() => new Promise(() => {}));
    const told = await tellOf(hangs, async ({ fullStream, aborts }) => {
      for await (const { type } of fullStream) if (type === 'text-delta') break;
      aborts.abort();
    });
    expect(told).toEqual([['aborted', 'error']]);
  });

  test('where its model fails', async () => {
    const fails = beginning((controller) => controller.error(new Error('gone')));
    const told = await tellOf(fails, async ({ fullStream }) => {
      const readAll = async (): Promise<void> => {
        for await (const _ of fullStream);
      };
      await expect(readAll()).rejects.toThrow('gone');
    });
    expect(told).toEqual([['model_failed', 'error']]);
  });

  test('and one that has ended costs what it used', async () => {
    const finish = { type: 'finish', usage, finishReason: { unified: 'stop', raw: undefined } } as const;
    const chunks = [start, delta, { type: 'text-end', id: 't' }, finish] as never[];
    const model = new MockLanguageModelV3({
      doStream: async () => ({ stream: simulateReadableStream({ chunks }) }),
    });
    const hooks = createHooks({ hooks: limitCost({ tokens: 5_000 }) });
    for (const _ of [1, 2])
      expect(await streamText(hooks.hooked({ model, prompt: 'go' }, { threadId: 't' })).text).toBe('Hi');
  });
});
