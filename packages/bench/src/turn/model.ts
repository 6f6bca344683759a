import type { LanguageModelV3 } from '@ai-sdk/provider';
import { ANSWER, INPUT, TOOL } from './workload.ts';

type Prompt = Parameters<LanguageModelV3['doStream']>[0]['prompt'];
type Part =
  Awaited<ReturnType<LanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer One> ? One : never;

let calls = 0;

/** A model without latency that calls the tool, and answers once it has the result. It remembers nothing. */
export function model(): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const content = hasResult(prompt) ? text : call();
      return { content: [content], finishReason: makeFinishReason(content), usage, warnings: [] };
    },
    async doStream({ prompt }) {
      const parts = hasResult(prompt) ? answerParts : callParts();
      return { stream: streamParts(parts) };
    },
  };
}

const hasResult = (prompt: Prompt): boolean => prompt.at(-1)?.role === 'tool';

const text = { type: 'text', text: ANSWER } as const;
const call = () =>
  ({
    type: 'tool-call',
    toolCallId: `call_${++calls}`,
    toolName: TOOL,
    input: JSON.stringify(INPUT),
  }) as const;

const makeFinishReason = ({ type }: { type: 'text' | 'tool-call' }) => {
  const unified = type === 'text' ? 'stop' : 'tool-calls';
  return { unified, raw: unified } as const;
};

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};

const answerParts: readonly Part[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: 'text' },
  { type: 'text-delta', id: 'text', delta: ANSWER },
  { type: 'text-end', id: 'text' },
  { type: 'finish', usage, finishReason: makeFinishReason(text) },
];

function callParts(): readonly Part[] {
  const made = call();
  return [
    { type: 'stream-start', warnings: [] },
    made,
    { type: 'finish', usage, finishReason: makeFinishReason(made) },
  ];
}

function streamParts(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
