import type { HookMessage, LateWrite, NotificationInfo, RunRecord, SessionInfo } from '@spec/hooks';

/** What a model's provider counted in one step; a number it does not give is absent. */
export interface TokenUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens?: number;
  /** Part of `inputTokens`: read from the provider's cache. */
  readonly cachedTokens?: number;
}

/** How a turn ended: the status of its result, or `failed` where it has none. */
export type TurnStatus = 'completed' | 'denied' | 'limit' | 'stopped' | 'aborted' | 'failed';

/** A turn begins, every step of it begins and ends, and it ends. */
export type TurnEvent =
  | { readonly type: 'turn_started'; readonly turnId: string }
  /** Steps count from 1. Queued tools have run before the first text of a step. */
  | { readonly type: 'step_started'; readonly turnId: string; readonly step: number }
  /** The model answered and the results of its calls are stored. A step that fails or is aborted has no end of its own. */
  | {
      readonly type: 'step_ended';
      readonly turnId: string;
      readonly step: number;
      /** How many tools the model called. */
      readonly callCount: number;
      readonly usage?: TokenUsage;
    }
  /** Every turn that began ends with one of these. */
  | {
      readonly type: 'turn_ended';
      readonly turnId: string;
      readonly status: TurnStatus;
      /** Of the error that ended it, where it failed. */
      readonly code?: string;
      /** What a hook wants the person to read. */
      readonly userMessage?: string;
    };

/** What is said: released only as far as no hook in scope could still change it. */
export type MessageEvent =
  /** A piece of the answer that will be stored as `messageId`; several make one text. */
  | { readonly type: 'text'; readonly text: string; readonly messageId: string }
  /** A piece of what the model thinks before it answers; several make the part `partId` of the answer. */
  | { readonly type: 'reasoning'; readonly text: string; readonly messageId: string; readonly partId: string }
  /** A message as it was stored, whoever wrote it. */
  | { readonly type: 'message'; readonly message: HookMessage }
  | { readonly type: 'message_updated'; readonly message: HookMessage };

/** A tool call from its decision to its stored result. */
export type ToolEvent =
  /** Hooks and persons have decided on the call; `input` is the JSON text of its arguments as it stands after their rewrites. */
  | {
      readonly type: 'tool_called';
      readonly toolCallId: string;
      readonly name: string;
      readonly input: string;
      /** Only what is `run` runs: a hook or a person denied it, a hook answered it, or there is no such tool (`unknown`). */
      readonly decision: 'run' | 'denied' | 'answered' | 'unknown';
    }
  | { readonly type: 'tool_started'; readonly toolCallId: string; readonly name: string }
  /** The tool itself came to its end; what of its result is stored comes with `tool_result`. */
  | {
      readonly type: 'tool_ended';
      readonly toolCallId: string;
      readonly name: string;
      readonly status: 'success' | 'error';
    }
  /** The result as it was stored: what the model will read. */
  | {
      readonly type: 'tool_result';
      readonly toolCallId: string;
      readonly name: string;
      readonly status: 'success' | 'error';
      readonly content: string;
      readonly messageId: string;
      /** A person was asked, and refused it. */
      readonly isRefused?: true;
    };

/** A person is asked. The text of a message that is asked about does not leave: its chain comes later. */
export type AskEvent =
  | {
      readonly type: 'permission_asked';
      /** The id of the question. */
      readonly askId: string;
      readonly about: 'tool_call';
      readonly toolCallId: string;
      readonly tool: string;
      /** The JSON text of the arguments, as the person is asked about them. */
      readonly input: string;
      readonly reason?: string;
    }
  | {
      readonly type: 'permission_asked';
      readonly askId: string;
      readonly about: 'user_message' | 'model_call';
      readonly reason?: string;
    }
  | {
      readonly type: 'permission_answered';
      readonly askId: string;
      readonly about: 'tool_call' | 'user_message' | 'model_call';
      readonly toolCallId?: string;
      /** Anything but a yes is a no: a refusal, a failure to ask, nobody to ask. */
      readonly allowed: boolean;
    };

/** The history that models are sent becomes shorter. */
export type CompactionEvent =
  /** A summary stands for `messageCount` messages more, up to `throughId`. They stay in the store. */
  | {
      readonly type: 'compacted';
      readonly trigger: 'manual' | 'auto';
      readonly summaryId: string;
      readonly throughId: string;
      readonly messageCount: number;
      /** How many of these hooks kept from the model that wrote the summary: no model is told of them from now on. */
      readonly withheldCount: number;
    }
  /** Nothing has changed: the step goes on with the whole history. */
  | { readonly type: 'compaction_failed'; readonly trigger: 'auto'; readonly code: string };

/** What happens on a thread, as its listeners hear it. */
export type ThreadEvent =
  | TurnEvent
  | MessageEvent
  | ToolEvent
  | AskEvent
  | { readonly type: 'hook_run'; readonly run: RunRecord }
  /** A hook or a tool (`hook: 'tool'`, with its name as id) that had ended tried to write. */
  | { readonly type: 'late_write'; readonly late: LateWrite }
  | CompactionEvent
  /** For the person, whoever shows it: what `after_notification` was told. */
  | { readonly type: 'notification'; readonly notification: NotificationInfo }
  /** Hooks had more for the conversation than one message holds; the message says so too. Sizes in UTF-8 bytes. */
  | {
      readonly type: 'contexts_left_out';
      readonly count: number;
      readonly bytes: number;
      readonly limit: number;
    }
  /** The last event before a thread's streams end. */
  | { readonly type: 'session_ended'; readonly session: SessionInfo }
  /** Sent by a hook or a tool with `state.emit`. */
  | { readonly type: 'custom'; readonly name: string; readonly data: unknown }
  /** The listener was too slow: so many events before this one were dropped for it. */
  | { readonly type: 'events_dropped'; readonly count: number };

/** An event with the thread it happened on: the thread that is listened to, or one below it. */
export type FamilyEvent = ThreadEvent & { readonly threadId: string };

export type EventOf<Type extends ThreadEvent['type']> = Extract<ThreadEvent, { type: Type }>;
