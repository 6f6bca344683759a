import type { PermissionRequest, StoredToolResult } from './control.ts';
import type { LifecycleSignatures } from './lifecycle.ts';
import type { HookMessage, HookToolCall, HookToolResult } from './messages.ts';
import type { ThreadState } from './state.ts';

/** A tool call as hooks receive it. */
export interface ParsedToolCall extends HookToolCall {
  /**
   * The arguments, parsed on first read. `{}` if their text is not a JSON object; the tool of such a call never runs.
   * To change them, change that text or return a decision with `input`.
   */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Fields that a message, an update or a result may have beyond those of its type. */
type WithFields<T> = T & Record<string, unknown>;

/**
 * The signatures for hook authors, with richer parameter types where the specification has a plain record. Functions
 * that follow the specification still fit.
 */
export interface AuthorSignatures<State = ThreadState>
  extends Omit<LifecycleSignatures<State>, keyof RicherSignatures>,
    RicherSignatures<State> {}

interface RicherSignatures<State = ThreadState> {
  before_create_message: (state: State, message: WithFields<HookMessage>) => Promise<Record<string, unknown>>;

  after_create_message: (state: State, message: WithFields<HookMessage>) => Promise<void>;

  before_update_message: (
    state: State,
    messageId: string,
    updates: WithFields<Partial<HookMessage>>,
  ) => Promise<Record<string, unknown>>;

  before_store_tool_result: (
    state: State,
    toolCall: WithFields<ParsedToolCall>,
    toolResult: WithFields<HookToolResult>,
  ) => Promise<Record<string, unknown>>;

  after_tool_call_success: (
    state: State,
    toolCall: ParsedToolCall,
    toolResult: HookToolResult,
  ) => Promise<HookToolResult | null>;

  after_tool_call_failure: (
    state: State,
    toolCall: ParsedToolCall,
    toolResult: HookToolResult,
  ) => Promise<HookToolResult | null>;

  before_tool_call: (
    state: State,
    toolCall: ParsedToolCall,
  ) => ReturnType<LifecycleSignatures['before_tool_call']>;

  before_permission_request: (
    state: State,
    request: PermissionRequest & { readonly toolCall: ParsedToolCall },
  ) => ReturnType<LifecycleSignatures['before_permission_request']>;

  after_tool_batch: (
    state: State,
    results: Array<StoredToolResult & { readonly toolCall: ParsedToolCall }>,
  ) => ReturnType<LifecycleSignatures['after_tool_batch']>;
}
