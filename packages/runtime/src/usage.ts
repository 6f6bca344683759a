import { isRecord, type ModelUsage } from '@spec/hooks';

/** No tokens. */
export const NO_USAGE: ModelUsage = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cachedTokens: 0,
});

/** The tokens of two usages together. */
export function addUsage(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
  };
}

/** Where the sums of a thread are kept. */
export const USAGE_KEY = 'runtime/usage';

/** The sums of a thread as they are kept: of all its calls, and of the last turn that made any. */
export interface KeptUsage {
  readonly total: ModelUsage;
  readonly turnId: string | null;
  readonly turn: ModelUsage;
}

export function isKeptUsage(value: unknown): value is KeptUsage {
  if (!isRecord(value)) return false;
  const { total, turnId, turn } = value;
  return (turnId === null || typeof turnId === 'string') && isUsage(total) && isUsage(turn);
}

function isUsage(value: unknown): value is ModelUsage {
  return isRecord(value) && Object.keys(NO_USAGE).every((count) => typeof value[count] === 'number');
}
