import type { AgentConfig } from '@mastra/core/agent';

// Stands for a model of a provider, such as 'openai/gpt-5': it tries to refund an order, and says what became of it.

const finish = (finishReason: string) => ({
  ...{ type: 'finish', finishReason },
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
});

const script = [
  [
    { type: 'tool-call', toolCallId: 'call_1', toolName: 'refund', input: '{"order":7}' },
    finish('tool-calls'),
  ],
  [
    { type: 'text-start', id: 'text' },
    { type: 'text-delta', id: 'text', delta: 'A person will write ' },
    { type: 'text-delta', id: 'text', delta: 'to ada@example.com.' },
    { type: 'text-end', id: 'text' },
    finish('stop'),
  ],
];

interface Part {
  readonly text?: string;
  readonly output?: { readonly value: unknown };
}

const listTexts = (parts: readonly Part[] = []): unknown[] =>
  parts.map(({ text, output }) => text ?? output?.value);

const scripted = {
  ...{ specificationVersion: 'v2', provider: 'script', modelId: 'script', supportedUrls: {} },
  async doStream({ prompt }: { prompt: readonly { content: readonly Part[] }[] }) {
    console.log('  model is sent:', ...listTexts(prompt.at(-1)?.content));
    return { stream: ReadableStream.from(script.shift() ?? []) };
  },
};

export const model = scripted as unknown as AgentConfig['model'];
