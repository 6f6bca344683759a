import type { HookMessage, OptionNames } from '@spec/hooks';
import type { ThreadEvent } from '../events/thread-event.ts';
import type { UIDataChunk } from './chunk.ts';

/** Why a front end is shown an error instead of the rest of a turn. */
export interface StreamFailure {
  /**
   * The code of the error that ended the turn, such as `model_failed`; `denied`: a hook refused the message; `too_slow`: the
   * front end did not take the events in time; `closed`: the thread was closed.
   */
  readonly code: string;
  /** What a hook wants the person to read. */
  readonly userMessage?: string;
}

/** What the person reads of a failure where the application has no words of its own. */
export function describeFailure({ code, userMessage }: StreamFailure): string {
  if (userMessage !== undefined) return userMessage;
  if (code === 'denied') return 'The message was not accepted.';
  if (code === 'too_slow') return 'The connection was too slow for the answer. Load the messages again.';
  return `The turn ended with an error: ${code}.`;
}

export const streamOptionNames: OptionNames<UIMessageStreamOptions> = {
  turnId: true,
  threadId: true,
  input: true,
  known: true,
  sendReasoning: true,
  errorText: true,
  custom: true,
};

export interface UIMessageStreamOptions {
  /** Only this turn. Default: the one that is running, else the next one. */
  readonly turnId?: string;
  /** The thread whose turn it is, where the events tell of its children too. Default: the one of the first event. */
  readonly threadId?: string;
  /**
   * Which arguments of a tool call the page is shown: as the model gave them and the thread stores them, or as hooks
   * rewrote them. What a person is asked about is shown as it would run in either case. Default: `stored`.
   */
  readonly input?: 'stored' | 'decided';
  /**
   * Messages that the page has already, where it joins a turn: what `thread.messages()` gave. Their text and the arguments of their
   * calls are not sent again; edits of them are.
   */
  readonly known?: readonly HookMessage[];
  /** Whether the page is shown what the model thinks before it answers. Default: it is. */
  readonly sendReasoning?: boolean;
  /** What the person reads of a failure. Default: a sentence with its code, never with data. */
  readonly errorText?: (failure: StreamFailure) => string;
  /**
   * What becomes of an event that a hook or a tool sent with `state.emit`; `null` keeps it from the front end. Default: a
   * part `data-<name>` with its data as JSON, `null` where it is none.
   */
  readonly custom?: (event: Extract<ThreadEvent, { type: 'custom' }>) => UIDataChunk | null;
}
