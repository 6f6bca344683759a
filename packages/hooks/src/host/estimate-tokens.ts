import type { LLMMessage } from '../vocabulary/messages.ts';

/** Characters that make a token, about. */
const CHARACTERS_A_TOKEN = 4;

/** About how many tokens a model is sent: of texts, calls and tools; what files cost differs from model to model, and is not counted. */
export function estimateTokens(messages: readonly LLMMessage[], tools: unknown): number {
  return Math.ceil(JSON.stringify({ messages, tools }).length / CHARACTERS_A_TOKEN);
}
