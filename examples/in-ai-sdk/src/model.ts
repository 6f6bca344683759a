import type { LanguageModelV3, LanguageModelV3Content } from '@ai-sdk/provider';

// Stands for a model of a provider, such as openai('gpt-5'): it looks an order up, tries to refund it, and writes what became of it.

const call = (toolCallId: string, toolName: string): LanguageModelV3Content => ({
  ...{ type: 'tool-call', toolCallId, toolName },
  input: '{"order":7}',
});

const script: LanguageModelV3Content[][] = [
  [call('call_1', 'find_order')],
  [call('call_2', 'refund')],
  [{ type: 'text', text: 'Order 7 is of ada@example.com. A person will refund it.' }],
];

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };

export const model: LanguageModelV3 = {
  ...{ specificationVersion: 'v3', provider: 'script', modelId: 'script', supportedUrls: {} },
  doGenerate({ prompt }) {
    console.log('  model is sent:', JSON.stringify(prompt.at(-1)?.content));
    return Promise.resolve({
      content: script.shift() ?? [],
      finishReason: { unified: 'stop', raw: undefined },
      usage: { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } },
      warnings: [],
    });
  },
  doStream() {
    throw new Error('This example does not stream.');
  },
};
