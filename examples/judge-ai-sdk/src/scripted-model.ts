import type { LanguageModelV3, LanguageModelV3Content, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { ModelAnswer } from '@spec/conformance';

const noTokens = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const usage = {
  inputTokens: noTokens,
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** A model that answers by a script, and notes what it was sent. */
export function scriptedModel(
  script: readonly ModelAnswer[],
  sent: LanguageModelV3Prompt[],
): LanguageModelV3 {
  let next = 0;
  return {
    ...({ specificationVersion: 'v3', provider: 'script', modelId: 'script', supportedUrls: {} } as const),
    async doGenerate({ prompt, abortSignal }) {
      sent.push(structuredClone(prompt));
      const answer = script[next++] ?? { text: 'done' };
      await untilReady(answer, abortSignal);
      if (answer.fails) throw new Error('the provider is down');
      const content = contentOf(answer);
      return { content, finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] };
    },
    doStream() {
      throw new Error('generateText does not stream.');
    },
  };
}

function contentOf({ text, calls = [] }: ModelAnswer): LanguageModelV3Content[] {
  const parts = calls.map(({ id, name, input }) => ({
    ...({ type: 'tool-call', toolCallId: id, toolName: name } as const),
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }));
  return [...(text === undefined ? [] : [{ type: 'text', text } as const]), ...parts];
}

function untilReady({ after }: ModelAnswer, signal: AbortSignal | undefined): Promise<unknown> | undefined {
  if (after === undefined) return undefined;
  const aborted = new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
  );
  return Promise.race([after, aborted]);
}
