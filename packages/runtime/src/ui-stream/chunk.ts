/**
 * What goes over the wire to a front end of the AI SDK, piece by piece: those of its `UIMessageChunk`s that a thread has
 * something for. Assignable to the type of the `ai` package, version 6, without depending on it.
 */
export type UIMessageChunk =
  | { type: 'start'; messageId?: string }
  | { type: 'start-step' }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string }
  | { type: 'reasoning-start'; id: string }
  | { type: 'reasoning-delta'; id: string; delta: string }
  | { type: 'reasoning-end'; id: string }
  | { type: 'tool-input-available'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'tool-output-denied'; toolCallId: string }
  | UIDataChunk
  | { type: 'finish-step' }
  | { type: 'finish'; finishReason?: 'stop' | 'tool-calls' | 'other' }
  | { type: 'abort' }
  | { type: 'error'; errorText: string };

/** Data of the application's own. One with an `id` replaces the earlier one; a `transient` one is not kept in the message. */
export interface UIDataChunk {
  type: `data-${string}`;
  data: unknown;
  id?: string;
  transient?: boolean;
}
