import type { LanguageModelV3, LanguageModelV3GenerateResult } from '@ai-sdk/provider';
import { defineHook } from '@spec/hooks';
import { generateText, streamText } from 'ai';
import { expect, test } from 'vitest';
import { createHooks } from '../src/index.ts';

const CARD = '4111111111111111';
const text = `It is ${CARD}.`;

const hideCards = defineHook({
  hook: 'before_create_message',
  id: 'hide_cards',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replaceAll(CARD, '[CARD]') ?? null,
  }),
});

const end = {
  finishReason: { unified: 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  providerMetadata: { script: { tokens: [CARD] } },
} satisfies Partial<LanguageModelV3GenerateResult>;

/** A model that tells what it has said in other places, too. */
const model: LanguageModelV3 = {
  specificationVersion: 'v3',
  provider: 'script',
  modelId: 'script',
  supportedUrls: {},
  doGenerate: async () => ({
    ...end,
    content: [{ type: 'text', text }],
    warnings: [],
    response: { id: 'r1', body: { text } },
  }),
  doStream: async () => ({
    stream: ReadableStream.from([
      { type: 'stream-start', warnings: [] } as const,
      { type: 'raw', rawValue: { text } } as const,
      { type: 'text-start', id: 't' } as const,
      { type: 'text-delta', id: 't', delta: text } as const,
      { type: 'text-end', id: 't' } as const,
      { type: 'finish', ...end } as const,
    ]),
  }),
};

const { hooked } = createHooks({ hooks: [hideCards], allowPartial: ['hide_cards'] });

test('what the provider said word by word does not go on beside a changed answer', async () => {
  const result = await generateText(hooked({ model, prompt: 'Which card?' }));
  expect(result.text).toBe('It is [CARD].');
  expect(result.response.id).toBe('r1');
  expect(JSON.stringify([result.response, result.providerMetadata, result.steps])).not.toContain(CARD);
});

test('nor in a stream', async () => {
  const result = streamText(hooked({ model, prompt: 'Which card?', includeRawChunks: true }));
  const parts: unknown[] = [];
  for await (const part of result.fullStream) parts.push(part);
  expect(JSON.stringify(parts)).toContain('[CARD]');
  expect(JSON.stringify([parts, await result.providerMetadata, await result.steps])).not.toContain(CARD);
});
