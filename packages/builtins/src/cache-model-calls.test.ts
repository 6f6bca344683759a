import { type AnyHook, defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, defineTool, type Runtime } from '@spec/runtime';
import { type ScriptedModel, type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { expect, test } from 'vitest';
import { type AnswerStore, type CachedAnswer, cacheModelCalls } from './index.ts';

const ping = defineTool({ name: 'ping', execute: () => 'pong' });

/** What is sent is the same in every turn. */
const lastOnly = defineHook({
  hook: 'prefilter_llm_history',
  id: 'last_only',
  execute: async (_state, messages) => messages.slice(-1),
});

const hide = defineHook({
  hook: 'before_create_message',
  id: 'hide',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replace('secret', '***') ?? null,
  }),
});

function start(
  hooks: readonly AnyHook[],
  script: ScriptedStep[],
): { runtime: Runtime; model: ScriptedModel } {
  const model = scriptedModel(script);
  const runtime = createRuntime({
    policies: [lastOnly, hide, ...hooks],
    models: { model },
    tools: [ping],
    prompts: [definePrompt({ name: 'p', tools: ['ping'] })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
    retry: { attempts: 0 },
  });
  return { runtime, model };
}

function mapStore(): AnswerStore & { readonly kept: Map<string, CachedAnswer> } {
  const kept = new Map<string, CachedAnswer>();
  return { kept, get: async (key) => kept.get(key), set: async (key, cached) => void kept.set(key, cached) };
}

test('the same request is answered by what was said before, as it was stored', async () => {
  const { runtime, model } = start(cacheModelCalls(), [
    { toolCalls: [{ name: 'ping' }], usage: { inputTokens: 5 } },
    { text: 'A secret.', usage: { inputTokens: 5 } },
    'Another thread.',
  ]);
  const thread = await runtime.createThread({ agent: 'a' });
  await thread.send('Go');
  const { text, usage } = await thread.send('Go');
  expect([text, usage.inputTokens]).toEqual(['A ***.', 0]);
  expect(model.calls).toHaveLength(2);
  expect((await thread.messages()).filter(({ role }) => role === 'tool')).toHaveLength(2);
  const other = await runtime.createThread({ agent: 'a' });
  expect(await other.send('Go')).toMatchObject({ text: 'Another thread.' });
  await runtime.close();
});

test('a group shares answers; another group has its own', async () => {
  const store = mapStore();
  const hooks = cacheModelCalls({ share: ({ userId }) => userId ?? '', store });
  const { runtime, model } = start(hooks, ['For Ada.', 'For Bob.']);
  const ask = async (userId: string) =>
    (await (await runtime.createThread({ agent: 'a', userId })).send('Go')).text;
  expect([await ask('ada'), await ask('ada'), await ask('bob')]).toEqual([
    'For Ada.',
    'For Ada.',
    'For Bob.',
  ]);
  expect(model.calls).toHaveLength(2);
  await runtime.close();
});

test('what a later hook answers is kept for nobody', async () => {
  const store = mapStore();
  let isAnswering = true;
  const answers = defineHook({
    hook: 'before_model_call',
    id: 'answers',
    execute: async () => (isAnswering ? { result: { content: 'Of a hook.' } } : null),
  });
  const { runtime } = start([...cacheModelCalls({ share: () => 'all', store }), answers], ['Of the model.']);
  const ask = async () => (await (await runtime.createThread({ agent: 'a' })).send('Go')).text;
  expect([await ask(), store.kept.size]).toEqual(['Of a hook.', 0]);
  isAnswering = false;
  expect([await ask(), await ask(), store.kept.size]).toEqual(['Of the model.', 'Of the model.', 1]);
  await runtime.close();
});

const noGroups: unknown[] = [undefined, null, Promise.resolve('ada')];
test.each(noGroups)('a share that gives %s shares nothing', async (group) => {
  const store = mapStore();
  const { runtime, model } = start(cacheModelCalls({ share: () => group as string, store }), ['For Ada.']);
  const thread = await runtime.createThread({ agent: 'a' });
  await expect(thread.send('Go')).rejects.toMatchObject({ code: 'model_denied' });
  expect((await thread.messages()).at(-1)?.content).toContain('share must return a text');
  expect([model.calls.length, store.kept.size]).toEqual([0, 0]);
  await runtime.close();
});

test('a request with a file is made: the same path may hold something else', async () => {
  const hooks = cacheModelCalls({ share: () => 'all', store: mapStore() });
  const { runtime, model } = start(hooks, ['A cat.', 'A dog.']);
  const ask = async (byte: number) => {
    const thread = await runtime.createThread({ agent: 'a' });
    const image = { type: 'image', image: Uint8Array.of(byte), mediaType: 'image/png' } as const;
    return (await thread.send({ content: [image] }, { id: 'first' })).text;
  };
  expect([await ask(1), await ask(2)]).toEqual(['A cat.', 'A dog.']);
  expect(model.calls).toHaveLength(2);
  await runtime.close();
});

test('what has expired, failed or was injected is no answer', async () => {
  const store = mapStore();
  const inject = defineHook({
    hook: 'after_model_call',
    id: 'inject',
    execute: async (state) => void (await state.injectMessage({ role: 'assistant', content: 'Injected.' })),
  });
  const hooks = [...cacheModelCalls({ share: () => 'all', store, expires: '1h' }), inject];
  const { runtime } = start(hooks, [new Error('no'), 'First.', 'Second.']);
  const thread = await runtime.createThread({ agent: 'a' });
  await expect(thread.send('Go')).rejects.toMatchObject({ code: 'model_failed' });
  expect(store.kept.size).toBe(0);
  expect(await (await runtime.createThread({ agent: 'a' })).send('Go')).toMatchObject({ text: 'First.' });
  expect([...store.kept.values()].map(({ answer }) => answer)).toEqual([{ content: 'First.' }]);
  for (const [key, cached] of store.kept) store.kept.set(key, { ...cached, expiresAt: Date.now() - 1 });
  expect(await (await runtime.createThread({ agent: 'a' })).send('Go')).toMatchObject({ text: 'Second.' });
  await runtime.close();
});

test('a thread keeps no more answers than it may', async () => {
  const script = ['1', '2', '3', 'Again 1'];
  const { runtime, model } = start(cacheModelCalls({ maxEntries: 2 }), script);
  const thread = await runtime.createThread({ agent: 'a' });
  for (const text of ['a', 'b', 'c', 'c', 'b']) await thread.send(text);
  expect(model.calls).toHaveLength(3);
  expect(await thread.send('a')).toMatchObject({ text: 'Again 1' });
  await runtime.close();
});

test.each([
  [{ expires: 'soon' }, 'expires must be a duration'],
  [{ maxEntries: 0 }, 'maxEntries must be a whole number'],
  [{ share: () => 'a' }, 'answers that threads share need both share and store'],
  [{ ttl: '1h' }, 'there is no option "ttl"'],
])('cacheModelCalls(%o) is refused', (options, problem) => {
  expect(() => cacheModelCalls(options as never)).toThrow(problem);
});

test('an answer is never kept as that of the summary which its step asked for before', async () => {
  const store = mapStore();
  let answers = 0;
  const answering = scriptedModel(Array.from({ length: 40 }, () => () => `Answer ${++answers}.`));
  const summing = scriptedModel(Array.from({ length: 40 }, () => 'A summary.'));
  const runtime = createRuntime({
    policies: cacheModelCalls({ share: () => 'all', store }),
    models: { answering, summing },
    prompts: [
      definePrompt({
        name: 'p',
        model: 'answering',
        compaction: { model: 'summing', atTokens: 60, keepTokens: 10 },
      }),
    ],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
  });
  for (let n = 0; n < 4; n++) {
    const thread = await runtime.createThread({ agent: 'a' });
    for (const text of ['one '.repeat(60), 'two', 'three '.repeat(60), 'four']) await thread.send(text);
  }
  const sent = answering.calls.map(({ prompt }) => JSON.stringify(prompt));
  expect(sent.filter((one) => /Summary of the conversation so far[^"]*Answer/.test(one))).toEqual([]);
  expect(sent.some((one) => /Summary of the conversation so far[^"]*A summary/.test(one))).toBe(true);
  await runtime.close();
});
