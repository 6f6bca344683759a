import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';

/** What the model answers once: a text, calls, or an error. */
export interface Answer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly fails?: Error | true;
}

export interface ScriptedModel extends LanguageModelV3 {
  /** What it was sent, call by call. */
  readonly sent: LanguageModelV3CallOptions[];
}

const usage: LanguageModelV3Usage = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: 0 },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
};

/** A model that answers by a script, whole or in pieces of three characters. */
export function scriptedModel(...script: readonly Answer[]): ScriptedModel {
  const sent: LanguageModelV3CallOptions[] = [];
  const model = answeringModel(async (params) => {
    const { abortSignal: _, ...kept } = params;
    sent.push(structuredClone(kept));
    const answer = script[sent.length - 1] ?? { text: 'done' };
    if (answer.fails instanceof Error) throw answer.fails;
    return answer;
  });
  return { ...model, sent };
}

/** A model that answers what a function says, whole or in pieces of three characters. */
export function answeringModel(
  next: (params: LanguageModelV3CallOptions) => Promise<Answer>,
): LanguageModelV3 {
  return {
    ...({ specificationVersion: 'v3', provider: 'script', modelId: 'script', supportedUrls: {} } as const),
    async doGenerate(params) {
      const answer = await next(params);
      return { content: toContent(answer), finishReason: makeFinish(answer), usage, warnings: [] };
    },
    async doStream(params) {
      const answer = await next(params);
      const parts = [...toParts(answer)];
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.enqueue({ type: 'finish', finishReason: makeFinish(answer), usage });
            controller.close();
          },
        }),
      };
    },
  };
}

const makeFinish = ({ calls = [] }: Answer) =>
  ({ unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined }) as const;

function toContent({ text, reasoning, calls = [] }: Answer): LanguageModelV3Content[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(text === undefined ? [] : [{ type: 'text', text } as const]),
    ...calls.map(({ id, name, input }) => ({
      ...({ type: 'tool-call', toolCallId: id, toolName: name } as const),
      input: typeof input === 'string' ? input : JSON.stringify(input),
    })),
  ];
}

function* toParts(answer: Answer): Iterable<LanguageModelV3StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  for (const part of toContent(answer)) {
    if (part.type === 'tool-call') {
      yield { type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName };
      yield { type: 'tool-input-delta', id: part.toolCallId, delta: part.input };
      yield { type: 'tool-input-end', id: part.toolCallId };
      yield part;
    } else if (part.type === 'text' || part.type === 'reasoning') {
      const id = part.type;
      yield { type: `${part.type}-start`, id };
      for (const delta of part.text.match(/.{1,3}/gsu) ?? []) yield { type: `${part.type}-delta`, id, delta };
      yield { type: `${part.type}-end`, id };
    }
  }
}
