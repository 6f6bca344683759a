/** Tokens as the model's provider counted them; 0 where it does not say. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  /** Part of `outputTokens`. */
  reasoningTokens: number;
  /** Part of `inputTokens`: what the provider read from its cache. */
  cachedTokens: number;
}
