import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { expect } from 'vitest';
import { readToolCalls } from '../src/history/exchanges.ts';
import { createRuntime, defineAgent, definePrompt, defineTool } from '../src/index.ts';
import { onBothStores } from './kit.ts';

/** A model that makes one call, as its provider sends it, and then says `ok`. */
function calling(fields: Record<string, unknown>) {
  const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const usage = {
    inputTokens: none,
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  };
  const end = { type: 'finish', usage, finishReason: { unified: 'stop', raw: undefined } };
  const made = { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: '{}', ...fields };
  const answers = [
    [made, end],
    [{ type: 'text-delta', id: '0', delta: 'ok' }, end],
  ];
  return {
    specificationVersion: 'v3' as const,
    provider: 'acme',
    modelId: 'a-1',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('unused')),
    doStream: async () => ({
      stream: new ReadableStream<LanguageModelV3StreamPart>({
        start(controller) {
          for (const part of answers.shift() ?? []) controller.enqueue(part as LanguageModelV3StreamPart);
          controller.close();
        },
      }),
    }),
  };
}

for (const [what, fields, answer] of [
  ['an object as input', { input: { q: 'x' } }, 'found x'],
  ['no input', { input: undefined }, 'found undefined'],
  ['a number as input', { input: 5 }, 'The arguments of this call are no valid JSON object.'],
  ['no id', { toolCallId: undefined, input: '{"q":"x"}' }, 'found x'],
  ['a number as id', { toolCallId: 5, input: '{"q":"x"}' }, 'found x'],
  ['no name', { toolName: undefined }, 'There is no tool named "". Available tools: find.'],
] as const)
  onBothStores(`a call with ${what} is answered, and the next request has both`, async ({ store }) => {
    const runtime = createRuntime({
      store,
      agents: [defineAgent({ name: 'agent', prompt: 'prompt' })],
      prompts: [definePrompt({ name: 'prompt', tools: ['find'] })],
      tools: [defineTool({ name: 'find', execute: ({ q }: Record<string, unknown>) => `found ${q}` })],
      models: { model: calling(fields) },
    });
    const thread = await runtime.createThread({ agent: 'agent' });
    expect(await thread.send('Go')).toMatchObject({ status: 'completed', text: 'ok' });
    const [, made, row] = await thread.messages();
    const [call] = readToolCalls(made as never);
    expect(row).toMatchObject({ role: 'tool', tool_call_id: call?.id, content: answer });
  });
