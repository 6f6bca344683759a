import type { PermissionRequest, StoredToolResult } from './control.ts';
import type { LifecycleSignatures } from './lifecycle.ts';
import type { HookMessage, HookToolCall, HookToolResult } from './messages.ts';
import type { ThreadState } from './state.ts';

/** A tool call as hooks get it. */
export interface ParsedToolCall extends HookToolCall {
  /**
   * The arguments, parsed when they are first read; `{}` where they are no JSON object, and the tool of such a call never runs.
   * To change them, change the text or answer with `input`.
   */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Fields that a message, an update or a result may have besides those of its type. */
type WithFields<T> = T & Record<string, unknown>;

/**
 * What authors write: the signatures, with richer parameters where the specification types a record. A function that is written to the
 * specification fits, for it takes more than it is given.
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
