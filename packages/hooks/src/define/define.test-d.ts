import { describe, expectTypeOf, test } from 'vitest';
import type { HookRow } from '../lifecycle/row.ts';
import type { OptionNames } from '../option-names.ts';
import type { ParsedToolCall } from '../vocabulary/author.ts';
import type {
  CompactionInfo,
  Decision,
  NotificationInfo,
  PermissionRequest,
  SessionInfo,
  StopInfo,
  StoredToolResult,
} from '../vocabulary/control.ts';
import type {
  ChainResult,
  HookArgs,
  HookKind,
  LifecycleName,
  Subject,
  Verdict,
} from '../vocabulary/lifecycle.ts';
import type { HookMessage, HookToolCall, HookToolResult, LLMMessage } from '../vocabulary/messages.ts';
import type { HookName } from '../vocabulary/signatures.ts';
import type { NewMessage, ThreadState } from '../vocabulary/state.ts';
import type { optionNames } from './check.ts';
import {
  type AnyHook,
  defineHook,
  type Hook,
  type HookDefinitionOptions,
  type HookDefinitionResult,
  type HookOptions,
} from './define.ts';

type Row = Record<string, unknown>;

describe('inside execute nothing needs an annotation', () => {
  test('in the hooks of the specification', () => {
    defineHook({
      hook: 'after_thread_created',
      id: 'a',
      execute: async (state) => expectTypeOf(state).toEqualTypeOf<ThreadState>() as never,
    });
    defineHook({
      hook: 'after_subagent_created',
      id: 'a',
      execute: async (state, child) => {
        expectTypeOf(state).toEqualTypeOf<ThreadState>();
        expectTypeOf(child).toEqualTypeOf<ThreadState>();
      },
    });
    defineHook({
      hook: 'after_system_message',
      id: 'a',
      execute: (_state, text) => {
        expectTypeOf(text).toEqualTypeOf<string>();
        return text.length > 5 ? null : text;
      },
    });
    defineHook({
      hook: 'filter_messages',
      id: 'a',
      execute: async (_state, messages) => {
        expectTypeOf(messages).toEqualTypeOf<HookMessage[]>();
        return messages.slice(-20);
      },
    });
    defineHook({
      hook: 'prefilter_llm_history',
      id: 'a',
      execute: async (_state, messages) => {
        expectTypeOf(messages).toEqualTypeOf<LLMMessage[]>();
        return messages;
      },
    });
    defineHook({
      hook: 'before_create_message',
      id: 'a',
      execute: async (_state, message) => {
        expectTypeOf(message).toEqualTypeOf<HookMessage & Row>();
        expectTypeOf(message.content).toEqualTypeOf<string | null>();
        return { ...message, metadata: '{}' };
      },
    });
    defineHook({
      hook: 'after_create_message',
      id: 'a',
      execute: async (_state, message) => void expectTypeOf(message).toEqualTypeOf<HookMessage & Row>(),
    });
    defineHook({
      hook: 'before_update_message',
      id: 'a',
      execute: async (_state, id, updates) => {
        expectTypeOf(id).toEqualTypeOf<string>();
        expectTypeOf(updates).toEqualTypeOf<Partial<HookMessage> & Row>();
        return updates;
      },
    });
    defineHook({
      hook: 'after_update_message',
      id: 'a',
      execute: async (_state, message) => void expectTypeOf(message).toEqualTypeOf<HookMessage>(),
    });
    defineHook({
      hook: 'before_store_tool_result',
      id: 'a',
      execute: async (_state, call, result) => {
        expectTypeOf(call).toEqualTypeOf<ParsedToolCall & Row>();
        expectTypeOf(result).toEqualTypeOf<HookToolResult & Row>();
        expectTypeOf(result.error).toEqualTypeOf<string | undefined>();
        return result;
      },
    });
    defineHook({
      hook: 'after_tool_call_success',
      id: 'a',
      execute: async (_state, call, result) => {
        expectTypeOf(call).toEqualTypeOf<ParsedToolCall>();
        expectTypeOf(result).toEqualTypeOf<HookToolResult>();
        return null;
      },
    });
    defineHook({
      hook: 'after_tool_call_failure',
      id: 'a',
      execute: async (_state, call, result) => {
        expectTypeOf(call).toEqualTypeOf<ParsedToolCall>();
        return { ...result, error: 'none of your business' };
      },
    });
  });

  test('in the control hooks', () => {
    defineHook({
      hook: 'before_user_message',
      id: 'a',
      execute: async (_state, message) => {
        expectTypeOf(message).toEqualTypeOf<NewMessage>();
        return { decision: 'deny', userMessage: 'No.' };
      },
    });
    defineHook({
      hook: 'before_tool_call',
      id: 'a',
      match: 'get_*',
      onError: 'ask',
      execute: async (_state, call) => {
        expectTypeOf(call).toEqualTypeOf<ParsedToolCall>();
        return null;
      },
      conceal: async (_state, call, decision) => {
        expectTypeOf(call).toEqualTypeOf<HookToolCall>();
        expectTypeOf(decision).toEqualTypeOf<Decision>();
        return decision;
      },
    });
    defineHook({
      hook: 'before_permission_request',
      id: 'a',
      execute: async (_state, request) => {
        expectTypeOf(request.toolCall.input).toEqualTypeOf<Readonly<Row>>();
        expectTypeOf(request).toExtend<PermissionRequest>();
        return { decision: 'allow', input: { a: 1 } };
      },
    });
    defineHook({
      hook: 'after_tool_batch',
      id: 'a',
      execute: async (_state, results) => {
        expectTypeOf(results[0]!.toolCall.input).toEqualTypeOf<Readonly<Row>>();
        expectTypeOf(results).toExtend<StoredToolResult[]>();
        return ['a'];
      },
    });
    defineHook({
      hook: 'before_stop',
      id: 'a',
      execute: async (_state, stop) => {
        expectTypeOf(stop).toEqualTypeOf<StopInfo>();
        return stop.keptGoing > 2 ? null : { keepGoing: 'not yet' };
      },
    });
    defineHook({
      hook: 'before_compaction',
      id: 'a',
      execute: async (_state, info) => {
        expectTypeOf(info).toEqualTypeOf<CompactionInfo>();
        return null;
      },
    });
    defineHook({
      hook: 'after_session_started',
      id: 'a',
      execute: async (_state, session) => {
        expectTypeOf(session).toEqualTypeOf<SessionInfo>();
        return 'hello';
      },
    });
    defineHook({
      hook: 'after_session_ended',
      id: 'a',
      execute: async (_state, session) => void expectTypeOf(session).toEqualTypeOf<SessionInfo>(),
    });
    defineHook({
      hook: 'after_notification',
      id: 'a',
      execute: async (_state, note) => void expectTypeOf(note).toEqualTypeOf<NotificationInfo>(),
    });
  });
});

describe('does not compile', () => {
  test('a transform that does not return', () => {
    defineHook({
      hook: 'filter_messages',
      id: 'a',
      // @ts-expect-error a transform must return the next subject
      execute: async (_state, messages) => void messages.pop(),
    });
    defineHook({
      hook: 'before_create_message',
      id: 'a',
      // @ts-expect-error a transform must return on every way
      execute: async (_state, message) => (message.id ? message : undefined),
    });
    // @ts-expect-error null does not keep the subject of a transform
    defineHook({ hook: 'before_update_message', id: 'a', execute: async () => null });
  });

  test('a name that is no hook', () => {
    // @ts-expect-error there is no such hook
    defineHook({ hook: 'filter_message', id: 'a', execute: async () => null });
  });

  test('an event of settings files, whose hook gives the parameters their types', () => {
    defineHook({
      // @ts-expect-error PreToolUse is before_tool_call here
      hook: 'PreToolUse',
      id: 'a',
      execute: async (_state, call) => {
        expectTypeOf(call).toEqualTypeOf<ParsedToolCall>();
        return null;
      },
    });
  });

  test('a wrong shape', () => {
    defineHook({
      hook: 'filter_messages',
      id: 'a',
      // @ts-expect-error a number is no content
      execute: async (_state, messages) => messages.map((m) => ({ ...m, content: 5 })),
    });
    // @ts-expect-error 'done' is no status
    defineHook({ hook: 'after_tool_call_success', id: 'a', execute: async () => ({ status: 'done' }) });
    // @ts-expect-error 'no' is no decision
    defineHook({ hook: 'before_tool_call', id: 'a', execute: async () => ({ decision: 'no' }) });
    // @ts-expect-error a list of numbers is no text
    defineHook({ hook: 'after_tool_batch', id: 'a', execute: async () => [5] });
    // @ts-expect-error a promise it must be
    defineHook({ hook: 'after_tool_call_success', id: 'a', execute: () => null });
    // @ts-expect-error execute must be a function
    defineHook({ hook: 'after_thread_created', id: 'a', execute: 5 });
  });

  test('an id that is no string, or a literal that is not in snake_case', () => {
    const execute = async () => {};
    // @ts-expect-error a number is no id
    defineHook({ hook: 'after_thread_created', id: 42, execute });
    // @ts-expect-error capitals
    defineHook({ hook: 'after_thread_created', id: 'limitTo20', execute });
    // @ts-expect-error a hyphen
    defineHook({ hook: 'after_thread_created', id: 'limit-to', execute });
    // @ts-expect-error a space
    defineHook({ hook: 'after_thread_created', id: 'limit to', execute });
    // @ts-expect-error a digit in front
    defineHook({ hook: 'after_thread_created', id: '20_messages', execute });
    // @ts-expect-error two underscores
    defineHook({ hook: 'after_thread_created', id: 'limit__to', execute });
    // @ts-expect-error an underscore at the end
    defineHook({ hook: 'after_thread_created', id: 'limit_', execute });
    // @ts-expect-error an underscore in front
    defineHook({ hook: 'after_thread_created', id: '_limit', execute });
    // @ts-expect-error another letter
    defineHook({ hook: 'after_thread_created', id: 'größe', execute });
    // @ts-expect-error nothing
    defineHook({ hook: 'after_thread_created', id: '', execute });
    // @ts-expect-error no id
    defineHook({ hook: 'after_thread_created', execute });
    defineHook({
      hook: 'after_thread_created',
      id: 'limit_to_20_messages_in_a_thread_that_is_rather_long_already',
      execute,
    });
    defineHook({ hook: 'after_thread_created', id: `limit_${'x' as string}`, execute });
    defineHook({ hook: 'after_thread_created', id: 'x' as string, execute });
  });

  test('a failure policy that the kind does not have', () => {
    const execute = async () => {};
    // @ts-expect-error an observer cannot block
    defineHook({ hook: 'after_create_message', id: 'a', onError: 'block', execute });
    // @ts-expect-error nor when it times out
    defineHook({ hook: 'after_session_ended', id: 'a', onTimeout: 'block', execute });
    defineHook({
      hook: 'before_create_message',
      id: 'a',
      // @ts-expect-error only a decision can become a question
      onError: 'ask',
      execute: async (_state, message) => message,
    });
    // @ts-expect-error a replacement neither
    defineHook({ hook: 'after_tool_call_success', id: 'a', onTimeout: 'ask', execute: async () => null });
    // @ts-expect-error no such policy
    defineHook({ hook: 'before_tool_call', id: 'a', onError: 'deny', execute: async () => null });
  });

  test('an option where it has no meaning, or that there is not', () => {
    const keep = async (_state: unknown, messages: HookMessage[]) => messages;
    // @ts-expect-error there is no tool call to match
    defineHook({ hook: 'filter_messages', id: 'a', match: 'get_*', execute: keep });
    // @ts-expect-error nor here
    defineHook({ hook: 'after_tool_batch', id: 'a', match: 'get_*', execute: async () => null });
    // @ts-expect-error a list has no fields
    defineHook({ hook: 'filter_messages', id: 'a', changes: ['content'], execute: keep });
    // @ts-expect-error a decision neither
    defineHook({ hook: 'before_tool_call', id: 'a', changes: ['content'], execute: async () => null });
    defineHook({
      hook: 'prefilter_llm_history',
      id: 'a',
      // @ts-expect-error it does not see the history
      reads: { last: 5 },
      execute: async (_state, messages) => messages,
    });
    // @ts-expect-error a number is no reads
    defineHook({ hook: 'filter_messages', id: 'a', reads: 5, execute: keep });
    defineHook({
      hook: 'before_tool_call',
      id: 'a',
      execute: async () => null,
      restore: async (state, call) => {
        expectTypeOf(state).toEqualTypeOf<ThreadState>();
        expectTypeOf(call).toEqualTypeOf<HookToolCall>();
        return null;
      },
      conceal: async (_state, call, decision) => {
        expectTypeOf(call).toEqualTypeOf<HookToolCall>();
        expectTypeOf(decision).toEqualTypeOf<Decision>();
        return decision;
      },
    });
    defineHook({
      hook: 'before_tool_call',
      id: 'a',
      execute: async () => null,
      // @ts-expect-error a restore gives a tool call or null
      restore: async () => 'call',
    });
    defineHook({
      hook: 'after_tool_call_success',
      id: 'a',
      execute: async () => null,
      // @ts-expect-error its call has run already
      restore: async () => null,
    });
    defineHook({
      hook: 'before_create_message',
      id: 'a',
      execute: async (_state, message) => message,
      holdBack: 200,
      stream: (text) => {
        expectTypeOf(text).toEqualTypeOf<string>();
        return text;
      },
    });
    defineHook({
      hook: 'before_create_message',
      id: 'a',
      execute: async (_state, message) => message,
      holdBack: 200,
      // @ts-expect-error a stream is no async function
      stream: async (text) => text,
    });
    // @ts-expect-error text waits for no filter
    defineHook({ hook: 'filter_messages', id: 'a', execute: keep, holdBack: 5, stream: (text) => text });
    // @ts-expect-error no unit is no duration
    defineHook({ hook: 'filter_messages', id: 'a', timeout: '5', execute: keep });
    // @ts-expect-error there is no such option
    defineHook({ hook: 'filter_messages', id: 'a', timeOut: 5, execute: keep });
    defineHook({
      hook: 'filter_messages',
      id: 'a',
      timeout: '5s',
      reads: { last: 5 },
      priority: 1,
      execute: keep,
    });
    defineHook({
      hook: 'before_store_tool_result',
      id: 'a',
      match: /get/,
      changes: ['result'],
      execute: async (_s, _c, result) => result,
    });
  });

  test('a row of the table that contradicts its signature', () => {
    type Filter = HookRow<'filter_messages'>;
    type Observe = HookRow<'after_create_message'>;
    type Decide = HookRow<'before_tool_call'>;
    const row = {} as Filter;
    // @ts-expect-error it must return the subject
    ({ ...row, kind: 'observe' }) satisfies Filter;
    // @ts-expect-error its subject is a list of messages
    ({ ...row, args: [{} as Observe['args'][0]] }) satisfies Filter;
    // @ts-expect-error it has one argument after the state
    ({ ...row, args: [] }) satisfies Filter;
    // @ts-expect-error no such policy
    ({ ...row, onFailure: 'ask' }) satisfies Filter;
    // @ts-expect-error a decision must be read
    (({ decide: _, ...rest }: Decide) => rest)({} as Decide) satisfies Decide;
    ({ ...row, onFailure: 'continue' }) satisfies Filter;
  });
});

describe('a defined hook', () => {
  test('knows its name and its id', () => {
    const hook = defineHook({
      hook: 'filter_messages',
      id: 'last_20',
      timeout: '2s',
      execute: async (_state, messages) => messages,
    });
    expectTypeOf(hook).toEqualTypeOf<Hook<'filter_messages', 'last_20'>>();
    expectTypeOf(hook.timeout).toEqualTypeOf<number | undefined>();
    expectTypeOf(hook).toExtend<AnyHook>();
    expectTypeOf<AnyHook['hook']>().toEqualTypeOf<LifecycleName>();
    // @ts-expect-error it is frozen
    hook.id = 'last_20';
  });

  test('may be defined with an explicit name', () => {
    expectTypeOf(
      defineHook<'after_thread_created'>({ hook: 'after_thread_created', id: 'a', execute: async () => {} }),
    ).toEqualTypeOf<Hook<'after_thread_created', string>>();
  });
});

test('kinds, subjects and results are read off the signatures', () => {
  type KindsOf<Kind> = { [K in LifecycleName]: HookKind<K> extends Kind ? K : never }[LifecycleName];
  expectTypeOf<KindsOf<'replace'>>().toEqualTypeOf<
    'after_system_message' | 'after_tool_call_success' | 'after_tool_call_failure'
  >();
  expectTypeOf<KindsOf<'decide'>>().toEqualTypeOf<
    | 'before_user_message'
    | 'before_tool_call'
    | 'before_permission_request'
    | 'before_model_call'
    | 'before_stop'
    | 'before_compaction'
  >();
  expectTypeOf<KindsOf<'collect'>>().toEqualTypeOf<'after_tool_batch' | 'after_session_started'>();
  expectTypeOf<KindsOf<'transform'>>().toEqualTypeOf<
    | 'filter_messages'
    | 'prefilter_llm_history'
    | 'before_create_message'
    | 'before_update_message'
    | 'before_store_tool_result'
  >();
  expectTypeOf<Extract<KindsOf<'observe'>, HookName>>().toEqualTypeOf<
    'after_thread_created' | 'after_subagent_created' | 'after_create_message' | 'after_update_message'
  >();
  expectTypeOf<'after_model_call' | 'after_session_ended' | 'after_notification'>().toExtend<
    KindsOf<'observe'>
  >();
  expectTypeOf<Subject<'before_update_message'>>().toEqualTypeOf<Row>();
  expectTypeOf<Subject<'after_thread_created'>>().toEqualTypeOf<undefined>();
  expectTypeOf<HookArgs<'after_tool_call_success'>>().toEqualTypeOf<
    [toolCall: HookToolCall, toolResult: HookToolResult]
  >();
  expectTypeOf<ChainResult<'filter_messages'>>().toEqualTypeOf<HookMessage[]>();
  expectTypeOf<ChainResult<'after_create_message'>>().toEqualTypeOf<undefined>();
  expectTypeOf<ChainResult<'before_tool_call'>>().toEqualTypeOf<Verdict<HookToolCall>>();
  expectTypeOf<ChainResult<'after_tool_batch'>>().toEqualTypeOf<readonly string[]>();
});

describe('the defineHook of the specification', () => {
  test('may be wrapped by a function that does not know the name', () => {
    function wrap<K extends HookName>(options: HookDefinitionOptions<K>): HookDefinitionResult<K> {
      return defineHook(options);
    }
    const hook = wrap({ hook: 'filter_messages', id: 'last_20', execute: async (_, all) => all.slice(-20) });
    expectTypeOf(hook.hook).toEqualTypeOf<'filter_messages'>();
  });

  test('is a type that ours has', () => {
    expectTypeOf(defineHook).toExtend<
      <K extends HookName>(options: HookDefinitionOptions<K>) => HookDefinitionResult<K>
    >();
  });

  test('an id that is no snake_case does not compile in the shortest form either', () => {
    // @ts-expect-error the id
    defineHook({ hook: 'filter_messages', id: 'Last20', execute: async (_state, all) => all });
  });
});

test('the names that defineHook knows are those of its options', () => {
  expectTypeOf<typeof optionNames>().toEqualTypeOf<OptionNames<HookOptions<LifecycleName, string>>>();
});

test('an answer that is written without parameters keeps its words', () => {
  const hook = defineHook({ hook: 'before_tool_call', id: 'a', execute: async () => ({ decision: 'deny' }) });
  expectTypeOf(hook).toEqualTypeOf<Hook<'before_tool_call', 'a'>>();
});

test('an option that does not exist is refused', () => {
  defineHook({
    hook: 'before_tool_call',
    id: 'a',
    // @ts-expect-error there is timeout
    timeOut: 3,
    execute: async () => null,
  });
});

test('a hook of which the compiler knows nothing is any hook', () => {
  expectTypeOf(defineHook({} as never)).toEqualTypeOf<Hook>();
});
