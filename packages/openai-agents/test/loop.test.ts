// What the loop of the SDK does besides the usual: the ends of streamed runs, answers that break off, aborts.
import { Agent, type StreamEvent, setTraceProcessors, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';

beforeAll(() => {
  setTraceProcessors([]);
  setTracingDisabled(true);
});

/** An agent whose run ends with the result of its tool. */
function makeAgent(): Agent {
  const parameters = z.object({ n: z.number() });
  const look = tool({ name: 'look', description: 'Looks.', parameters, execute: async ({ n }) => `r${n}` });
  const model = new ScriptedModel([
    [functionCall('look', { n: 1 }, { callId: 'call_1' })],
    [assistantMessage('done')],
  ]);
  return new Agent({ name: 'clerk', model, tools: [look], toolUseBehavior: 'stop_on_first_tool' });
}

describe('the end of a streamed run', () => {
  const failing = defineHook({
    hook: 'after_tool_batch',
    id: 'audit',
    onError: 'block',
    execute: async () => {
      throw new Error('down');
    },
  });
  const drain = async (stream: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of stream);
  };
  type Streamed = Awaited<ReturnType<typeof start>>;
  const start = (options: Parameters<typeof createHooks>[0]) =>
    createHooks(options).inTurn({ threadId: 't' }).run(makeAgent(), 'go', { stream: true });

  const readers: readonly [string, (result: Streamed) => Promise<unknown>][] = [
    ['completed', ({ completed }) => completed],
    ['the iterator', (result) => drain(result)],
    ['toStream', (result) => drain(result.toStream() as unknown as AsyncIterable<unknown>)],
    ['toTextStream', (result) => drain(result.toTextStream() as unknown as AsyncIterable<unknown>)],
    ['a stream of Node', (result) => drain(result.toTextStream({ compatibleWithNodeStreams: true }))],
  ];

  test.each(readers)('rejects with the error of its last hooks (%s)', async (_, read) => {
    await expect(read(await start({ hooks: [failing] }))).rejects.toThrow('audit');
  });

  test.each(readers)('waits for the last writes (%s)', async (_, read) => {
    const inner = memoryStore();
    const store: Store = new Proxy(inner, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          for (let at = 0; at < 20; at++) await new Promise((resolve) => setImmediate(resolve));
          return value.apply(target, args);
        };
      },
    });
    const late = defineHook({ hook: 'after_tool_batch', id: 'late', execute: async () => null });
    await read(await start({ hooks: [late], store }));
    expect((await inner.listRuns({ threadId: 't' })).map(({ id }) => id)).toEqual(['late']);
  });
});

describe('a call of a model', () => {
  const after = (told: unknown[]) =>
    defineHook({
      hook: 'after_model_call',
      id: 'after',
      execute: async (_state, { errorCode, finishReason }) => void told.push([errorCode, finishReason]),
    });
  const answering = (stream: () => AsyncIterable<StreamEvent>): Agent =>
    new Agent({
      name: 'clerk',
      model: { getResponse: () => Promise.reject(new Error('down')), getStreamedResponse: stream },
    });

  test.each([
    ['throws', true],
    ['ends without a word', false],
  ])('whose answer breaks off is told as one that cost something (%s)', async (_, throws) => {
    const told: unknown[] = [];
    const agent = answering(async function* () {
      yield { type: 'response_started' };
      yield { type: 'output_text_delta', delta: 'half' };
      if (throws) throw new Error('reset');
    });
    const { completed } = await createHooks({ hooks: [after(told)] }).run(agent, 'go', { stream: true });
    await expect(completed).rejects.toThrow();
    expect(told).toEqual([['model_failed', 'error']]);
  });

  test('that fails before its answer begins cost nothing', async () => {
    const told: unknown[] = [];
    const agent = answering(() => {
      throw new Error('reset');
    });
    const { completed } = await createHooks({ hooks: [after(told)] }).run(agent, 'go', { stream: true });
    await expect(completed).rejects.toThrow('reset');
    expect(told).toEqual([['model_failed', null]]);
  });

  test('has its limit of tokens under the name that all places have', async () => {
    const seen: unknown[] = [];
    const halve = defineHook({
      hook: 'before_model_call',
      id: 'halve',
      execute: async (_state, { settings }) => {
        seen.push(settings);
        return { input: { settings: { ...settings, maxOutputTokens: 25_000 } } };
      },
    });
    const model = new ScriptedModel([[assistantMessage('hi')]]);
    const modelSettings = { maxTokens: 50_000, temperature: 0 };
    await createHooks({ hooks: [halve] }).run(new Agent({ name: 'clerk', model, modelSettings }), 'go');
    expect(seen).toEqual([{ maxOutputTokens: 50_000, temperature: 0 }]);
    expect(model.calls[0]?.request.modelSettings).toMatchObject({ maxTokens: 25_000, temperature: 0 });
  });

  test('that is aborted is told of, and ends with the error of the abort', async () => {
    const told: unknown[] = [];
    const aborts = new AbortController();
    const getResponse = async (): Promise<never> => {
      aborts.abort();
      throw aborts.signal.reason;
    };
    const model = { getResponse, getStreamedResponse: () => Promise.reject(new Error('no')) as never };
    const { signal } = aborts;
    const run = createHooks({ hooks: [after(told)] }).run(new Agent({ name: 'a', model }), 'go', { signal });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(told).toEqual([['aborted', null]]);
  });
});
