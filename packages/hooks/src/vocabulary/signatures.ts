import type { HookMessage, HookToolCall, HookToolResult, LLMMessage } from './messages.ts';
import type { ThreadState } from './state.ts';

/**
 * Hook signatures for all available hooks.
 * All hooks receive ThreadState as their first parameter.
 */
export interface HookSignatures<
  State = ThreadState,
  Message = HookMessage,
  ToolCall = HookToolCall,
  ToolResult = HookToolResult,
> {
  after_thread_created: (state: State) => Promise<void>;

  after_subagent_created: (state: State, childState: State) => Promise<void>;

  after_system_message: (
    state: State,
    systemMessage: string,
  ) => string | Promise<string | null | undefined> | null | undefined;

  filter_messages: (state: State, messages: Message[]) => Promise<Message[]>;

  prefilter_llm_history: (state: State, messages: LLMMessage[]) => Promise<LLMMessage[]>;

  before_create_message: (state: State, message: Record<string, unknown>) => Promise<Record<string, unknown>>;

  after_create_message: (state: State, message: Record<string, unknown>) => Promise<void>;

  before_update_message: (
    state: State,
    messageId: string,
    updates: Record<string, unknown>,
  ) => Promise<Record<string, unknown>>;

  after_update_message: (state: State, message: Message) => Promise<void>;

  before_store_tool_result: (
    state: State,
    toolCall: Record<string, unknown>,
    toolResult: Record<string, unknown>,
  ) => Promise<Record<string, unknown>>;

  after_tool_call_success: (
    state: State,
    toolCall: ToolCall,
    toolResult: ToolResult,
  ) => Promise<ToolResult | null>;

  after_tool_call_failure: (
    state: State,
    toolCall: ToolCall,
    toolResult: ToolResult,
  ) => Promise<ToolResult | null>;
}

/** The 12 hooks of the specification, exactly these. */
export type HookName = keyof HookSignatures;
