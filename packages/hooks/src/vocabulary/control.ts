import type { JsonObject } from 'type-fest';
import type { HookToolCall, HookToolResult, LLMMessage } from './messages.ts';
import type { ModelUsage } from './model-usage.ts';
import type { NewMessage, ThreadState } from './state.ts';

/**
 * The answer of a decide hook. `null` means no opinion.
 * `reason` goes to the model, `userMessage` to the person, `context` into the conversation.
 */
export interface Decision<Input = JsonObject | string, Result = HookToolResult> {
  /** `deny` beats `ask`, and `ask` beats `allow`, whatever their order. Without it the other fields still count. */
  decision?: 'allow' | 'deny' | 'ask';
  /** Why, in words for the model. */
  reason?: string;
  /** The rewritten input: a tool call's arguments, a permission request's input, a user message's text. */
  input?: Input;
  /** What the model is told in addition. */
  context?: string | string[];
  /** What the person is told. */
  userMessage?: string;
  /** Answers the call without running the tool or asking the model. */
  result?: Result;
}

/** One call of a model that is about to be made. */
export interface ModelRequest {
  /** Unlike that of any other call. `after_model_call` gets the same. */
  callId: string;
  /** The name under which the runtime has the model. */
  model: string;
  /** The step of the turn; steps count from 1. */
  step: number;
  /** 1 for the first attempt of the step. Each retry and each fallback adds 1. */
  attempt: number;
  /** About how many tokens are sent: messages, tools and the system message. */
  estimatedTokens: number;
  /** What the calls of the thread used before this one. */
  usage: ModelUsage;
  /** The prompt's settings for the model, such as `temperature` and `maxOutputTokens`. */
  settings: JsonObject;
  /** Whether the model may, must or must not call tools; `null` leaves it to the provider. */
  toolChoice: 'auto' | 'none' | 'required' | { tool: string } | null;
  /** The names of the tools that the model is offered. */
  tools: string[];
  /** What is sent, the system message first. Changing it here changes nothing: that is for `prefilter_llm_history`. */
  messages: LLMMessage[];
}

/** What a `before_model_call` hook may rewrite; what is absent stays. */
export interface ModelRewrite {
  /** The name of another registered model. */
  model?: string;
  /** Takes the place of all settings. */
  settings?: JsonObject;
  toolChoice?: ModelRequest['toolChoice'];
  /** Names of tools among those that were offered. */
  tools?: string[];
}

/** An answer that a hook gives in the model's place. */
export interface ModelAnswer {
  content: string | null;
  toolCalls?: HookToolCall[];
}

/** One call of a model that is over. What was answered comes with `before_create_message`. */
export interface ModelCall {
  /** As in the {@link ModelRequest}. */
  callId: string;
  model: string;
  step: number;
  attempt: number;
  /** What was used; zeros where a hook answered, or the call failed before the provider said. */
  usage: ModelUsage;
  /** In milliseconds, from the request to the end of the answer. */
  durationMs: number;
  /**
   * Why the answer ended, in the AI SDK's words: `stop`, `length`, `tool-calls`, …, and `error` where it had begun and broke off; `null` where
   * there is none.
   */
  finishReason: string | null;
  /** The code of the error that ended the call; `null` where it was answered. */
  errorCode: string | null;
  /** Whether a hook answered it. */
  cached: boolean;
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
  before_model_call: (
    state: State,
    request: ModelRequest,
  ) => Promise<Decision<ModelRewrite, ModelAnswer> | null>;
  after_model_call: (state: State, call: ModelCall) => Promise<void>;
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
