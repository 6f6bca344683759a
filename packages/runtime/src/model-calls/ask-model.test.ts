import { type AnyHook, defineHook, type ModelCall, type ModelRequest } from '@spec/hooks';
import { expect, test } from 'vitest';
import { lines, onBothStores } from '../../test/kit.ts';
import { createRuntime, defineAgent, definePrompt, defineTool } from '../index.ts';
import { scriptedModel } from '../testing/index.ts';

const ping = defineTool({ name: 'ping', execute: () => 'pong' });

/** A policy that keeps what it is told of each call. */
function observing(calls: ModelCall[]): AnyHook {
  return defineHook({
    hook: 'after_model_call',
    id: 'observing',
    execute: async (_state, call) => void calls.push(call),
  });
}

type Decide = (request: ModelRequest) => unknown;

function deciding(decide: Decide): AnyHook {
  return defineHook({
    hook: 'before_model_call',
    id: 'deciding',
    execute: async (_state, request) => decide(request) as null,
  });
}

function note<T>(list: T[], item: T): null {
  list.push(item);
  return null;
}

/** As the AI SDK throws it. */
function httpError(statusCode: number, responseHeaders: Record<string, string> = {}): Error {
  return Object.assign(new Error('SECRET'), { statusCode, responseHeaders });
}

onBothStores('a request says what is sent, and a call what came of it', async (kit) => {
  const requests: ModelRequest[] = [];
  const calls: ModelCall[] = [];
  const policies = [deciding((request) => note(requests, request)), observing(calls)];
  const usage = { inputTokens: 20, outputTokens: 7, reasoningTokens: 3, cachedTokens: 5 };
  const { thread } = await kit.thread({
    policies,
    tools: [ping],
    prompt: { system: 'Be brief.', settings: { temperature: 0 } },
    script: [
      { toolCalls: [{ name: 'ping' }], usage },
      { text: 'Done.', usage },
    ],
  });
  const result = await thread.send('Hello');
  expect(requests).toMatchObject([
    {
      model: 'scripted',
      step: 1,
      attempt: 1,
      usage: { inputTokens: 0, outputTokens: 0 },
      settings: { temperature: 0 },
      toolChoice: null,
      tools: ['ping'],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    },
    { step: 2, attempt: 1, usage },
  ]);
  expect(requests[1]?.estimatedTokens).toBeGreaterThan(requests[0]?.estimatedTokens as number);
  expect(calls).toMatchObject([
    { step: 1, attempt: 1, usage, finishReason: 'tool-calls', errorCode: null, cached: false },
    { step: 2, usage, finishReason: 'stop' },
  ]);
  expect(calls.map(({ callId }) => callId)).toEqual(requests.map(({ callId }) => callId));
  const twice = { inputTokens: 40, outputTokens: 14, reasoningTokens: 6, cachedTokens: 10 };
  expect(result.usage).toEqual(twice);
});

onBothStores('sums of tokens are the thread’s, in another process too; a turn has its own', async (kit) => {
  const seen: unknown[] = [];
  const policies = [
    defineHook({
      hook: 'before_user_message',
      id: 'looking',
      execute: async (state) => {
        seen.push(state.usage.inputTokens);
        return null;
      },
    }),
  ];
  const usage = { inputTokens: 20 };
  const { thread, runtime } = await kit.thread({ policies, script: [{ text: 'One.', usage }] });
  await thread.send('1');
  await thread.close();
  const again = kit.start({ policies, script: [{ text: 'Two.', usage }] });
  const reopened = await again.runtime.openThread(thread.id);
  const { usage: ofTurn } = await reopened.send('2');
  expect(ofTurn.inputTokens).toBe(20);
  expect(reopened.state.usage.inputTokens).toBe(40);
  expect(seen).toEqual([0, 20]);
  expect(await again.runtime.ledger.usage({ threadId: thread.id })).toMatchObject({ inputTokens: 40 });
  expect(await again.runtime.ledger.usage()).toMatchObject({ inputTokens: 40 });
  await runtime.close();
});

onBothStores(
  'a denied call ends the turn with the reason in its row, and is not tried again',
  async (kit) => {
    const calls: ModelCall[] = [];
    const policies = [deciding(() => ({ decision: 'deny', reason: 'Too expensive.' })), observing(calls)];
    const { thread, model } = await kit.thread({ policies, script: ['never'] });
    await expect(thread.send('Hello')).rejects.toMatchObject({
      code: 'model_denied',
      hook: 'before_model_call',
      id: 'deciding',
      threadId: thread.id,
    });
    expect(await lines(thread)).toEqual([
      'user: Hello',
      'assistant: The turn ended with an error: model_denied. Too expensive.',
    ]);
    expect(model.calls).toHaveLength(0);
    expect(calls).toMatchObject([{ attempt: 1, errorCode: 'model_denied', usage: { inputTokens: 0 } }]);
  },
);

onBothStores('a hook that fails denies the call', async (kit) => {
  const policies = [
    deciding(() => {
      throw new Error('SECRET');
    }),
  ];
  const { thread, model } = await kit.thread({ policies, script: ['never'] });
  await expect(thread.send('Hello')).rejects.toMatchObject({ code: 'model_denied' });
  expect(model.calls).toHaveLength(0);
  expect((await lines(thread)).join()).not.toContain('SECRET');
});

onBothStores(
  'a hook answers in the model’s place; the answer passes the create chain and costs nothing',
  async (kit) => {
    const calls: ModelCall[] = [];
    const shout = defineHook({
      hook: 'before_create_message',
      id: 'shout',
      execute: async (_state, message) => ({ ...message, content: message.content?.toUpperCase() ?? null }),
    });
    const answers = [
      {
        content: null,
        toolCalls: [{ id: 'a', type: 'function', function: { name: 'ping', arguments: '{}' } }],
      },
      { content: 'From the cache.' },
    ];
    const policies = [deciding(() => ({ result: answers.shift() })), observing(calls), shout];
    const { thread, model } = await kit.thread({ policies, tools: [ping], script: [] });
    const { usage } = await thread.send('Hello');
    expect(await lines(thread)).toEqual([
      'user: HELLO',
      'assistant: null',
      'tool: PONG',
      'assistant: FROM THE CACHE.',
    ]);
    expect(model.calls).toHaveLength(0);
    expect(calls).toMatchObject([{ cached: true, usage: { inputTokens: 0 } }, { cached: true }]);
    expect(usage.inputTokens).toBe(0);
  },
);

onBothStores('a person is asked, and their no denies the call', async (kit) => {
  const asked: unknown[] = [];
  const { thread, model } = await kit.thread({
    policies: [deciding(() => ({ decision: 'ask', reason: 'It costs.' }))],
    script: ['never'],
    onAsk: ({ about, reason }) => {
      asked.push([about, reason]);
      return false;
    },
  });
  await expect(thread.send('Hello')).rejects.toMatchObject({ code: 'model_denied' });
  expect(asked).toEqual([['model_call', 'It costs.']]);
  expect(model.calls).toHaveLength(0);
});

const settings = { retry: { attempts: 2, maxDelay: '1ms' as const } };

test('settings, tools and the model are rewritten; what is not registered is refused', async () => {
  const [cheap, dear] = [scriptedModel(['Cheap.']), scriptedModel([])];
  let input: unknown = { model: 'cheap', settings: { temperature: 1 }, tools: [] };
  const runtime = createRuntime({
    models: { dear, cheap },
    policies: [deciding(() => ({ input }))],
    tools: [ping],
    prompts: [definePrompt({ name: 'p', model: 'dear', tools: ['ping'] })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
  });
  const thread = await runtime.createThread({ agent: 'a' });
  await thread.send('Hello');
  expect(cheap.calls).toMatchObject([{ temperature: 1 }]);
  expect(cheap.calls[0]).not.toHaveProperty('tools');
  for (const wrong of [
    { model: 'none' },
    { tools: ['pong'] },
    { settings: { temprature: 0 } },
    { toolChoice: { tool: 'pong' } },
    { messages: [] },
    'text',
  ]) {
    input = wrong;
    await expect(thread.send('Again')).rejects.toMatchObject({ code: 'model_denied' });
  }
  expect(dear.calls).toHaveLength(0);
  await runtime.close();
});

onBothStores('a call that may pass is made again, and stored and told once', async (kit) => {
  const attempts: unknown[] = [];
  const calls: ModelCall[] = [];
  const policies = [deciding(({ attempt }) => note(attempts, attempt)), observing(calls)];
  const { thread, events } = await kit.thread({
    ...settings,
    policies,
    script: [httpError(429, { 'retry-after-ms': '1' }), httpError(503), 'Here.'],
  });
  await thread.send('Hello');
  expect(attempts).toEqual([1, 2, 3]);
  expect(calls.map(({ errorCode }) => errorCode)).toEqual(['model_failed', 'model_failed', null]);
  expect(await lines(thread)).toEqual(['user: Hello', 'assistant: Here.']);
  const texts = events.flatMap((event) => (event.type === 'text' ? event.text : []));
  expect(texts.join('')).toBe('Here.');
});

onBothStores('what cannot pass is not tried again, nor what asks to wait for too long', async (kit) => {
  for (const error of [httpError(401), httpError(429, { 'retry-after': '3600' }), new Error('SECRET')]) {
    const { thread, model } = await kit.thread({ ...settings, script: [error, 'never'] });
    await expect(thread.send('Hello')).rejects.toMatchObject({ code: 'model_failed' });
    expect(model.calls).toHaveLength(1);
  }
});

test('a fallback is asked where the model fails, never where a hook denies', async () => {
  const main = scriptedModel([httpError(500), httpError(500)]);
  const other = scriptedModel(['From the other.']);
  let isDenied = false;
  const runtime = createRuntime({
    models: { main, other },
    retry: { attempts: 0 },
    policies: [deciding(() => (isDenied ? { decision: 'deny' } : null))],
    prompts: [definePrompt({ name: 'p', model: 'main', fallback: ['other'] })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
  });
  const thread = await runtime.createThread({ agent: 'a' });
  expect(await thread.send('Hello')).toMatchObject({ text: 'From the other.' });
  isDenied = true;
  await expect(thread.send('Hello')).rejects.toMatchObject({ code: 'model_denied' });
  expect([main.calls.length, other.calls.length]).toEqual([1, 1]);
  await runtime.close();
});

test('a stop ends the wait before a retry', async () => {
  const runtime = createRuntime({
    models: { main: scriptedModel([httpError(500)]) },
    retry: { attempts: 5, maxDelay: '1h' },
    prompts: [definePrompt({ name: 'p' })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
  });
  const thread = await runtime.createThread({ agent: 'a' });
  const sent = thread.send('Hello');
  setTimeout(() => thread.stop(), 50);
  expect(await sent).toMatchObject({ status: 'aborted' });
  await runtime.close();
});

test('nothing is tried again once the model has written text', async () => {
  let called = 0;
  const error = httpError(503);
  const breaking = {
    ...scriptedModel([]),
    doStream: async () => {
      called += 1;
      const parts = [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'Half' },
        { type: 'error', error },
      ];
      const start = (to: ReadableStreamDefaultController): void => {
        for (const part of parts) to.enqueue(part);
        to.close();
      };
      return { stream: new ReadableStream({ start }) };
    },
  };
  const other = scriptedModel(['never']);
  const runtime = createRuntime({
    models: { breaking, other },
    retry: { attempts: 2, maxDelay: '1ms' },
    prompts: [definePrompt({ name: 'p', model: 'breaking', fallback: ['other'] })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
  });
  const thread = await runtime.createThread({ agent: 'a' });
  await expect(thread.send('Hello')).rejects.toMatchObject({ code: 'model_failed' });
  expect([called, other.calls.length]).toEqual([1, 0]);
  await runtime.close();
});
