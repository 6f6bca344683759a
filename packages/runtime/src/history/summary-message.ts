import type { LLMMessage } from '@spec/hooks';

/**
 * A summary is a message of its own: a system message for all who read the thread, because no person wrote it, with the id
 * of the last message that it stands for in `summary_through`. The model gets it as a user message, because its text comes from
 * users and tools and must not have a system message's weight.
 */
export interface SummaryFields {
  readonly summary_through: string;
}

export function isSummary(message: object): boolean {
  return typeof (message as Partial<SummaryFields>).summary_through === 'string';
}

const HEAD = 'Summary of the conversation so far. The messages that it stands for are no longer shown.';

/** The content of the message that holds a summary. */
export function summaryContent(text: string): string {
  return `${HEAD}\n\n${text}`;
}

/** The form in which a summary goes to the model. */
export function toLLMSummary(message: LLMMessage): LLMMessage {
  return { ...message, role: 'user' };
}
