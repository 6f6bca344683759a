// A store that another framework's loop filled through a bridge, as docs/bridges.md promises: the page reads it like any other.
import type { LanguageModelV3, LanguageModelV3Content } from '@ai-sdk/provider';
import { createHooks } from '@spec/ai-sdk';
import { defineHook } from '@spec/hooks';
import { sqliteStore } from '@spec/runtime/sqlite';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { expect, test } from 'vitest';
import type { ConversationPage, HookList, ThreadPage } from '../src/api.ts';
import { serve } from './serve.ts';
import { newPath } from './support-store.ts';

const call = (toolCallId: string, toolName: string): LanguageModelV3Content => ({
  ...{ type: 'tool-call', toolCallId, toolName },
  input: '{"order":7}',
});

function scriptModel(script: LanguageModelV3Content[][]): LanguageModelV3 {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  return {
    ...{ specificationVersion: 'v3', provider: 'script', modelId: 'script', supportedUrls: {} },
    doGenerate: async () => ({
      content: script.shift() ?? [],
      finishReason: { unified: 'stop', raw: undefined },
      usage: { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } },
      warnings: [],
    }),
    doStream: () => Promise.reject(new Error('unasked')),
  };
}

const hooks = [
  defineHook({
    hook: 'before_create_message',
    id: 'hide_mail',
    execute: async (_state, message) => ({
      ...message,
      content: message.content?.replace(/\w+@\w+\.com/g, '[MAIL]') ?? null,
    }),
  }),
  defineHook({
    hook: 'before_tool_call',
    id: 'refunds_need_a_person',
    match: 'refund',
    execute: async () => ({ decision: 'deny', reason: 'Refunds need a person.' }),
  }),
];

test('what the AI SDK ran is a conversation with the hooks on each message', async () => {
  const path = newPath();
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  const model = scriptModel([
    [call('call_1', 'find_order')],
    [call('call_2', 'refund')],
    [{ type: 'text', text: 'A person will refund ada@example.com.' }],
  ]);
  const inputSchema = jsonSchema<{ order: number }>({ type: 'object' });
  const tools = {
    find_order: tool({ inputSchema, execute: async () => 'of ada@example.com' }),
    refund: tool({ inputSchema, execute: async () => 'never' }),
  };
  const prompt = 'Refund order 7 to eve@example.com.';
  await generateText(
    createHooks({ hooks, store }).hooked(
      { model, tools, stopWhen: stepCountIs(5), prompt },
      { threadId: 'chat-1' },
    ),
  );
  await store.close();
  const { get } = await serve(path);
  expect((await get<ThreadPage>('/api/threads')).items).toMatchObject([
    { id: 'chat-1', recent: { outcomes: { denied: 1 } } },
  ]);
  const { messages } = await get<ConversationPage>('/api/threads/chat-1/messages');
  const told = messages.map(({ role, content, runs }) => [
    role,
    content ?? '',
    runs.filter(({ outcome }) => outcome !== 'ok').map(({ id, outcome }) => `${id} ${outcome}`),
  ]);
  expect(told).toEqual([
    ['user', 'Refund order 7 to [MAIL].', ['hide_mail changed']],
    ['assistant', '', ['refunds_need_a_person skipped']],
    ['tool', expect.stringContaining('[MAIL]'), ['hide_mail changed']],
    ['assistant', '', ['refunds_need_a_person denied']],
    ['tool', expect.stringContaining('Refunds need a person.'), []],
    ['assistant', 'A person will refund [MAIL].', ['hide_mail changed']],
  ]);
  const listed = await get<HookList>('/api/hooks');
  expect(listed.hooks.map(({ id }) => id).toSorted()).toEqual(['hide_mail', 'refunds_need_a_person']);
});
