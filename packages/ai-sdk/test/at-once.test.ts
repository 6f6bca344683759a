import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { generateText, type ModelMessage, tool } from 'ai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';
import { answeringModel, scriptedModel } from './scripted-model.ts';

/** A promise that the test settles. */
function defer<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const turn = { threadId: 'chat-1' };

/** Hooks that let the user say one thing, and mask numbers. */
function makeHooks() {
  const heard: (string | null)[] = [];
  const limit = defineHook({
    hook: 'before_user_message',
    id: 'limit',
    execute: async (_state, { content }) => {
      heard.push(content);
      return heard.length > 1 ? { decision: 'deny', reason: 'Too many.' } : null;
    },
  });
  const mask = defineHook({
    hook: 'before_create_message',
    id: 'mask',
    execute: async (_state, message) => ({
      ...message,
      content: message.content?.replace(/\d+/g, '#') ?? null,
    }),
  });
  return { heard, limit, mask };
}

test('a message that says the same as one that is being answered is heard', async () => {
  const { heard, limit } = makeHooks();
  const hooks = createHooks({ hooks: [limit] });
  const answer = defer<{ text: string }>();
  const asked = defer<void>();
  const model = answeringModel(() => {
    asked.resolve();
    return answer.promise;
  });
  const first = generateText(hooks.hooked({ model, prompt: 'hello' }, turn));
  await asked.promise;
  await expect(generateText(hooks.hooked({ model, prompt: 'hello' }, turn))).rejects.toThrow('Too many.');
  answer.resolve({ text: 'hi' });
  expect((await first).text).toBe('hi');
  expect(heard).toEqual(['hello', 'hello']);
});

test('options of one turn are refused where two calls have them at once', async () => {
  const { heard, limit, mask } = makeHooks();
  const hooks = createHooks({ hooks: [limit, mask], store: memoryStore() });
  const model = scriptedModel({ text: 'one' }, { text: 'two' });
  const options = hooks.hooked({ model }, turn);
  const [first, second] = await Promise.allSettled([
    generateText({ ...options, prompt: 'card 4111111111111111' }),
    generateText({ ...options, prompt: 'card 5500000000000004' }),
  ]);
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
  expect(heard).toEqual(['card 4111111111111111']);
  expect(JSON.stringify(model.sent)).not.toMatch(/4111111111111111|5500000000000004/);
});

test('what hooks made of a message is remembered, however many turns have no thread', async () => {
  const { mask } = makeHooks();
  const hooks = createHooks({ hooks: [mask], allowPartial: ['mask'] });
  const model = scriptedModel({ text: 'one' }, { text: 'two' });
  const user = { role: 'user', content: 'card 4111111111111111' } as const;
  await generateText(hooks.hooked({ model, messages: [user] }, turn));
  for (let count = 0; count < 1_000; count++) hooks.hooked({ model });
  const messages = [user, { role: 'assistant', content: 'one' }, { role: 'user', content: 'and?' }] as const;
  await generateText(hooks.hooked({ model, messages: [...messages] }, turn));
  expect(JSON.stringify(model.sent)).not.toContain('4111111111111111');
});

test('a call that the AI SDK has refused beside one that waits for a person has its result in the store', async () => {
  const store = memoryStore();
  const ask = defineHook({
    hook: 'before_tool_call',
    id: 'ask',
    execute: async () => ({ decision: 'ask', reason: 'May it?' }),
  });
  const hooks = createHooks({ hooks: [ask], store });
  const calls = ['pay', 'unknown'].map((name) => ({ id: name, name, input: {} }));
  const model = scriptedModel({ calls }, { text: 'done' });
  const tools = { pay: tool({ inputSchema: z.object({}), execute: async () => 'paid' }) };
  const messages: ModelMessage[] = [{ role: 'user', content: 'pay' }];
  const first = await generateText(hooks.hooked({ model, tools, messages }, turn));
  const asked = first.content.find(({ type }) => type === 'tool-approval-request');
  const { approvalId } = asked as { approvalId: string };
  const answer = { type: 'tool-approval-response', approvalId, approved: true } as const;
  messages.push(...first.response.messages, { role: 'tool', content: [answer] });
  await generateText(hooks.hooked({ model, tools, messages }, turn));
  const rows = await store.listMessages('chat-1');
  expect(rows.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id])).toSorted()).toEqual([
    'pay',
    'unknown',
  ]);
});
