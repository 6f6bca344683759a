import type { JsonObject } from 'type-fest';
import type { HookToolCall, HookToolResult } from './messages.ts';
import type { NewMessage, ThreadState } from './state.ts';

/**
 * The answer of a decide hook. `null` means no opinion.
 * `reason` goes to the model, `userMessage` to the person, `context` into the conversation.
 */
export interface Decision {
  /** `deny` beats `ask`, and `ask` beats `allow`, whatever their order. Without it the other fields still count. */
  decision?: 'allow' | 'deny' | 'ask';
  /** Why, in words for the model. */
  reason?: string;
  /** The rewritten input: a tool call's arguments, a permission request's input, a user message's text. */
  input?: JsonObject | string;
  /** What the model is told in addition. */
  context?: string | string[];
  /** What the person is told. */
  userMessage?: string;
  /** Answers the call without running the tool. */
  result?: HookToolResult;
}

/** A tool call that needs somebody's permission. */
export interface PermissionRequest {
  toolCall: HookToolCall;
  /** Why permission is needed: the reason given by the hook, tool or permission mode that asked. */
  reason?: string;
}

/** A tool result as it was stored, with the call that it answers. */
export interface StoredToolResult {
  toolCall: HookToolCall;
  result: HookToolResult;
}

/** The end of a turn, which a hook may delay. */
export interface StopInfo {
  /** In `@spec/runtime` always `completed`: hooks are not asked about a turn that a limit or a stop ended. */
  reason: 'completed' | 'limit' | 'stopped';
  /** How many times hooks have already kept this turn going. The limit is 8. */
  keptGoing: number;
}

export interface CompactionInfo {
  trigger: 'manual' | 'auto';
  messageCount: number;
}

/** The time that a thread is open, from createThread or openThread until it is closed. */
export interface SessionInfo {
  /** The id of the session. Reopening a thread starts a session with a new id. */
  sessionId: string;
  /** `resumed`: the thread was opened with a turn that a crash had left unfinished. */
  source: 'created' | 'opened' | 'resumed';
  /** The name of the thread's agent. */
  agentId: string;
  /** For a child thread, the id of the thread whose tool call it works for; otherwise `null`. */
  parentId: string | null;
}

/** A notice for a person. */
export interface NotificationInfo {
  /** The runtime itself sends `permission`, `notice`, `failed` and `waiting`. */
  kind: string;
  message: string;
}

/** The control hooks: the hooks beyond the specification's twelve that other hook systems need. */
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
 * Replaces placeholders in a tool call by the values that they stand for, such as an API key that the model, the store
 * and the records must not see. Called once, before the call is decided on: deciding hooks, persons and the tool see the
 * returned call. Only the arguments of the returned call count; `null` keeps them. If it fails, the tool does not run.
 */
export type RestoreToolCall<State = ThreadState> = (
  state: State,
  toolCall: HookToolCall,
) => Promise<HookToolCall | null>;

/**
 * Removes the values that `restore` put into a call from the answer of a hook that saw the call with them. The answer's
 * reason, context and message to the person, its rewritten input and its result are stored, shown and recorded.
 *
 * @param toolCall the call without the values
 */
export type ConcealDecision<State = ThreadState> = (
  state: State,
  toolCall: HookToolCall,
  decision: Decision,
) => Promise<Decision>;

export type ControlHookName = keyof ControlHookSignatures;
