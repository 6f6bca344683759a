import { describe, expectTypeOf, test } from 'vitest';
import type { HookDefinitionOptions, HookDefinitionResult } from '../define/define.ts';
import { defineHook } from '../define/define.ts';
import type {
  AttachmentRef,
  HookMessage,
  HookToolCall,
  HookToolResult,
  LLMMessage,
  ToolAttachment,
} from './messages.ts';
import type { HookName, HookSignatures } from './signatures.ts';
import type { ThreadState } from './state.ts';

/** The types of the specification's §6 and §7, written out again as they stand there. */
declare namespace Specification {
  interface HookMessage {
    id: string;
    role: 'system' | 'user' | 'assistant' | 'tool';
    content: string | null;
    name?: string | null;
    tool_calls?: string | null;
    tool_call_id?: string | null;
    created_at: number;
    parent_id?: string | null;
    depth?: number;
  }

  interface HookToolCall {
    id: string;
    type: 'function';
    function: {
      name: string;
      arguments: string;
    };
  }

  interface HookToolResult {
    status: 'success' | 'error';
    result?: string;
    error?: string;
    stack?: string;
    attachments?: Array<ToolAttachment | AttachmentRef>;
  }

  interface LLMMessage {
    role: string;
    content: string | null;
    tool_calls?: unknown;
    tool_call_id?: string;
    name?: string;
  }

  interface HookSignatures<
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

    before_create_message: (
      state: State,
      message: Record<string, unknown>,
    ) => Promise<Record<string, unknown>>;

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

  type HookName = keyof HookSignatures;

  interface HookDefinitionOptions<K extends HookName> {
    hook: K;
    id: string;
    execute: HookSignatures[K];
  }

  interface HookDefinitionResult<K extends HookName> {
    hook: K;
    id: string;
    execute: HookSignatures[K];
  }
}

describe('the types of the specification', () => {
  test('§6: messages, calls and results', () => {
    expectTypeOf<HookMessage>().toEqualTypeOf<Specification.HookMessage>();
    expectTypeOf<HookToolCall>().toEqualTypeOf<Specification.HookToolCall>();
    expectTypeOf<HookToolResult>().toEqualTypeOf<Specification.HookToolResult>();
    expectTypeOf<LLMMessage>().toEqualTypeOf<Specification.LLMMessage>();
  });

  test('§7: the signatures, with their type parameters', () => {
    expectTypeOf<HookSignatures>().toEqualTypeOf<Specification.HookSignatures>();
    type Own = [{ own: 'state' }, { own: 'message' }, { own: 'call' }, { own: 'result' }];
    expectTypeOf<HookSignatures<Own[0], Own[1], Own[2], Own[3]>>().toEqualTypeOf<
      Specification.HookSignatures<Own[0], Own[1], Own[2], Own[3]>
    >();
    expectTypeOf<HookSignatures<Own[0]>>().toEqualTypeOf<Specification.HookSignatures<Own[0]>>();
  });

  test('§7: the names are exactly these twelve', () => {
    expectTypeOf<HookName>().toEqualTypeOf<
      | 'after_thread_created'
      | 'after_subagent_created'
      | 'after_system_message'
      | 'filter_messages'
      | 'prefilter_llm_history'
      | 'before_create_message'
      | 'after_create_message'
      | 'before_update_message'
      | 'after_update_message'
      | 'before_store_tool_result'
      | 'after_tool_call_success'
      | 'after_tool_call_failure'
    >();
  });

  test('§7: options and result of a definition', () => {
    expectTypeOf<HookDefinitionOptions<'filter_messages'>>().toEqualTypeOf<
      Specification.HookDefinitionOptions<'filter_messages'>
    >();
    expectTypeOf<HookDefinitionResult<'after_tool_call_success'>>().toEqualTypeOf<
      Specification.HookDefinitionResult<'after_tool_call_success'>
    >();
    expectTypeOf<HookDefinitionOptions<HookName>>().toEqualTypeOf<
      Specification.HookDefinitionOptions<HookName>
    >();
  });

  test('§7: defineHook takes what the specification says, and what it gives is what the specification says', () => {
    type Given = { [K in HookName]: ReturnType<typeof defineHook<K, string>> };
    expectTypeOf<Given>().toExtend<{ [K in HookName]: Specification.HookDefinitionResult<K> }>();
    type Taken = { [K in HookName]: Parameters<typeof defineHook<K, string>>[0] };
    expectTypeOf<{ [K in HookName]: Specification.HookDefinitionOptions<K> }>().toExtend<Taken>();
    const options = {} as Specification.HookDefinitionOptions<'filter_messages'>;
    const result: Specification.HookDefinitionResult<'filter_messages'> = defineHook(options);
    const explicit: HookDefinitionResult<'filter_messages'> = defineHook<'filter_messages'>(options);
    expectTypeOf(result).toEqualTypeOf(explicit);
  });

  test('§2: the state has its identity and its execution', () => {
    expectTypeOf<Pick<ThreadState, 'threadId' | 'agentId' | 'userId'>>().toEqualTypeOf<{
      readonly threadId: string;
      readonly agentId: string;
      readonly userId: string | null;
    }>();
    expectTypeOf<ThreadState['execution']['currentSide']>().toEqualTypeOf<'a' | 'b'>();
    expectTypeOf<ThreadState['execution']['abortSignal']>().toEqualTypeOf<AbortSignal>();
    expectTypeOf<ThreadState['execution']['flowId']>().toBeString();
    expectTypeOf<ThreadState['execution']['callKey']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ThreadState['execution']['stepCount']>().toBeNumber();
    expectTypeOf<ThreadState['execution']['stopped']>().toBeBoolean();
  });
});
