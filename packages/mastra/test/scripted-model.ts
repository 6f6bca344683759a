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

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, reasoningTokens: 2, cachedInputTokens: 4 };

/** What a model of Mastra is asked. */
export interface Asked {
  readonly prompt: unknown[];
  readonly abortSignal?: AbortSignal;
}

/** A model that answers by a script, whole or in pieces of three characters, through Mastra's own loop. */
export function scriptedModel(...script: readonly Answer[]): ScriptedModel {
  const sent: unknown[][] = [];
  const model = answeringModel(async ({ prompt }) => {
    sent.push(structuredClone(prompt));
    const answer = script[sent.length - 1] ?? { text: 'done' };
    if (answer.fails !== undefined) throw answer.fails;
    return answer;
  });
  return { sent, model };
}

/** A model that answers what a function says, whole or in pieces of three characters. */
export function answeringModel(
  answer: (asked: Asked) => Promise<Omit<Answer, 'fails'>>,
): AgentConfig['model'] {
  const next = async (asked: Asked) => {
    const { text, calls = [] } = await answer(asked);
    const parts = calls.map(({ id: toolCallId, name: toolName, input }) => ({
      ...{ type: 'tool-call', toolCallId, toolName },
      input: typeof input === 'string' ? input : JSON.stringify(input),
    }));
    return { text, parts, finishReason: calls.length > 0 ? 'tool-calls' : 'stop', usage };
  };
  const model = {
    ...{ specificationVersion: 'v2', provider: 'script', modelId: 'script', supportedUrls: {} },
    async doGenerate(asked: Asked) {
      const { text, parts, ...end } = await next(asked);
      return {
        ...end,
        warnings: [],
        content: [...(text === undefined ? [] : [{ type: 'text', text }]), ...parts],
      };
    },
    async doStream(asked: Asked) {
      const { text, parts, ...end } = await next(asked);
      const id = 'text';
      const pieces = (text?.match(/.{1,3}/gsu) ?? []).map((delta) => ({ type: 'text-delta', id, delta }));
      const texts =
        text === undefined ? [] : [{ type: 'text-start', id }, ...pieces, { type: 'text-end', id }];
      const all = [{ type: 'stream-start', warnings: [] }, ...texts, ...parts, { type: 'finish', ...end }];
      return { stream: ReadableStream.from(all) };
    },
  };
  return model as unknown as AgentConfig['model'];
}
