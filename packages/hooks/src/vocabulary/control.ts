import type { JsonObject } from 'type-fest';
import type { HookToolCall, HookToolResult } from './messages.ts';
import type { NewMessage, ThreadState } from './state.ts';

/**
 * What a decide hook answers (design §4.2); `null` is no opinion.
 * `reason` goes to the model, `userMessage` to the person, `context` into the conversation.
 */
export interface Decision {
  decision?: 'allow' | 'deny' | 'ask';
  reason?: string;
  /** The rewritten input: a tool call's arguments, a permission request's input, a user message's text. */
  input?: JsonObject | string;
  context?: string | string[];
  userMessage?: string;
  /** Answers the call without running the tool. */
  result?: HookToolResult;
}

/** A tool call that needs somebody's permission. */
export interface PermissionRequest {
  toolCall: HookToolCall;
  /** Why it is asked: the reason of the hook, the tool or the mode that asked. */
  reason?: string;
}

/** A tool result as it was stored, with the call that it answers. */
export interface StoredToolResult {
  toolCall: HookToolCall;
  result: HookToolResult;
}

/** The end of a turn that a hook may put off. */
export interface StopInfo {
  /** `@spec/runtime` asks about `completed` only: a turn that a limit or a stop has ended cannot go on. */
  reason: 'completed' | 'limit' | 'stopped';
  /** How many times hooks already kept this turn going; the cap is 8. */
  keptGoing: number;
}

export interface CompactionInfo {
  trigger: 'manual' | 'auto';
  messageCount: number;
}

/** The time in which a thread is open, from createThread or openThread to its close (design §7.1). */
export interface SessionInfo {
  /** The session's own; a thread that is opened again has another one. */
  sessionId: string;
  /** `resumed`: it was opened, and a turn had been left unfinished by a crash. */
  source: 'created' | 'opened' | 'resumed';
  /** The name of the thread's agent. */
  agentId: string;
  /** The thread whose tool call this thread works for; `null` for a thread of its own. */
  parentId: string | null;
}

/** Something to tell a person. */
export interface NotificationInfo {
  /** The runtime's own: `permission`, `notice`, `failed`, `waiting`. */
  kind: string;
  message: string;
}

/** The control hooks (design §4.2): what the other hook systems need beyond the specification's twelve. */
export interface ControlHookSignatures<State = ThreadState> {
  before_user_message: (state: State, message: NewMessage) => Promise<Decision | null>;
  before_tool_call: (state: State, toolCall: HookToolCall) => Promise<Decision | null>;
  before_permission_request: (state: State, request: PermissionRequest) => Promise<Decision | null>;
  after_tool_batch: (state: State, results: StoredToolResult[]) => Promise<string | string[] | null>;
  before_stop: (state: State, stop: StopInfo) => Promise<{ keepGoing: string } | null>;
  before_compaction: (state: State, info: CompactionInfo) => Promise<Decision | null>;
  after_session_started: (state: State, session: SessionInfo) => Promise<string | string[] | null>;
  after_session_ended: (state: State, session: SessionInfo) => Promise<void>;
  after_notification: (state: State, notification: NotificationInfo) => Promise<void>;
}

/**
 * Puts back into a tool call what stands in it for a value that model, store and records must not see. Called once, before the call is
 * decided on: hooks that decide, persons and the tool see what it returns. Only the arguments of the call it returns count;
 * `null` keeps them. Where it fails the tool does not run.
 */
export type RestoreToolCall<State = ThreadState> = (
  state: State,
  toolCall: HookToolCall,
) => Promise<HookToolCall | null>;

/**
 * Takes out again, from the answer of a hook that was shown a call with its values, what `restore` put into the call. Its
 * reason, context and message to the person, its rewritten input and its result are stored, shown and recorded.
 *
 * @param toolCall the call as it is without the values
 */
export type ConcealDecision<State = ThreadState> = (
  state: State,
  toolCall: HookToolCall,
  decision: Decision,
) => Promise<Decision>;

export type ControlHookName = keyof ControlHookSignatures;
