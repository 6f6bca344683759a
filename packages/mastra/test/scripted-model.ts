import type { AgentConfig } from '@mastra/core/agent';

/** What the model answers once. */
export interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly fails?: Error;
}

export interface ScriptedModel {
  readonly model: AgentConfig['model'];
  /** What it was sent, call by call. */
  readonly sent: readonly unknown[][];
}

/** A model that answers by a script, whole or in pieces of three characters, through Mastra's own loop. */
export function scriptedModel(...script: readonly Answer[]): ScriptedModel {
  const sent: unknown[][] = [];
  const usage = {
    inputTokens: 10,
    outputTokens: 5,
    totalTokens: 15,
    reasoningTokens: 2,
    cachedInputTokens: 4,
  };
  const next = ({ prompt }: { prompt: unknown[] }) => {
    sent.push(structuredClone(prompt));
    const { text, calls = [], fails } = script[sent.length - 1] ?? { text: 'done' };
    if (fails !== undefined) throw fails;
    const parts = calls.map(({ id: toolCallId, name: toolName, input }) => ({
      ...{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) },
    }));
    return { text, parts, finishReason: calls.length > 0 ? 'tool-calls' : 'stop', usage };
  };
  const model = {
    ...{ specificationVersion: 'v2', provider: 'script', modelId: 'script', supportedUrls: {} },
    async doGenerate(options: { prompt: unknown[] }) {
      const { text, parts, ...end } = next(options);
      return {
        ...end,
        warnings: [],
        content: [...(text === undefined ? [] : [{ type: 'text', text }]), ...parts],
      };
    },
    async doStream(options: { prompt: unknown[] }) {
      const { text, parts, ...end } = next(options);
      const id = 'text';
      const pieces = (text?.match(/.{1,3}/gsu) ?? []).map((delta) => ({ type: 'text-delta', id, delta }));
      const texts =
        text === undefined ? [] : [{ type: 'text-start', id }, ...pieces, { type: 'text-end', id }];
      const all = [{ type: 'stream-start', warnings: [] }, ...texts, ...parts, { type: 'finish', ...end }];
      return { stream: ReadableStream.from(all) };
    },
  };
  return { sent, model: model as unknown as AgentConfig['model'] };
}
