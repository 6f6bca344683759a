import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { HookToolCall, ModelAnswer, ModelUsage } from '@spec/hooks';
import type { Said } from '@spec/hooks/host';

export function readSaid(content: readonly LanguageModelV3Content[]): Said {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' && part.providerExecuted !== true
      ? [toCall(part.toolCallId, part.toolName, part.input)]
      : [],
  );
  return { text: texts.length === 0 ? null : texts.join(''), calls };
}

export function toCall(id: string, name: string, json: string): HookToolCall {
  return { id, type: 'function', function: { name, arguments: json } };
}

/** The parts of an answer with another text and other calls. Reasoning goes where the text changed: it may say the same. */
export function replaceSaid(
  content: readonly LanguageModelV3Content[],
  said: Said,
): LanguageModelV3Content[] {
  const kept = content.filter(
    (part) =>
      part.type !== 'text' &&
      part.type !== 'reasoning' &&
      (part.type !== 'tool-call' || part.providerExecuted === true),
  );
  return [...toParts(said), ...kept];
}

function toParts({ text, calls }: Said): LanguageModelV3Content[] {
  const texts = text === null || text === '' ? [] : [{ type: 'text', text } as const];
  const parts = calls.map(({ id, function: { name, arguments: input } }) => ({
    ...({ type: 'tool-call', toolCallId: id, toolName: name } as const),
    input,
  }));
  return [...texts, ...parts];
}

const NO_TOKENS: LanguageModelV3Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** What a hook answered in the model's place. */
export function makeResult({
  content: text,
  toolCalls: calls = [],
}: ModelAnswer): LanguageModelV3GenerateResult {
  const unified = calls.length > 0 ? 'tool-calls' : 'stop';
  return {
    content: toParts({ text, calls }),
    finishReason: { unified, raw: undefined },
    usage: NO_TOKENS,
    warnings: [],
  };
}

export function readUsage(usage: LanguageModelV3Usage | undefined): ModelUsage {
  return {
    inputTokens: usage?.inputTokens.total ?? 0,
    outputTokens: usage?.outputTokens.total ?? 0,
    reasoningTokens: usage?.outputTokens.reasoning ?? 0,
    cachedTokens: usage?.inputTokens.cacheRead ?? 0,
  };
}
