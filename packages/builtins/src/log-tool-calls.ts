import {
  checkOptionNames,
  DefinitionError,
  defineHook,
  type Hook,
  type HookToolCall,
  type HookToolResult,
  type Matcher,
  type OptionNames,
  type ThreadState,
} from '@spec/hooks';

/** The log entry of a tool call: ids, sizes and times, and the values only on request. */
export interface ToolCallEntry {
  readonly event: 'tool_success' | 'tool_failure';
  readonly threadId: string;
  readonly agentId: string;
  readonly flowId: string;
  readonly side: 'a' | 'b';
  readonly step: number;
  readonly toolCallId: string;
  readonly tool: string;
  readonly status: 'success' | 'error';
  /** Characters of the arguments, a JSON text. */
  readonly argumentsSize: number;
  /** Characters of the result, or of the error. */
  readonly resultSize: number;
  readonly attachments: number;
  /** Milliseconds since the epoch, when the call had ended. */
  readonly at: number;
  /** With `values: true` only: as the tool and the model gave them, unredacted. */
  readonly values?: ToolCallValues;
}

export interface ToolCallValues {
  readonly arguments: string;
  readonly result?: string;
  readonly error?: string;
}

/** The options of `logToolCalls`. */
export interface LogToolCallsOptions<Id extends string = string> {
  /** Receives the entries. If it throws, the hook's run fails and is recorded; the turn goes on. */
  readonly sink: (entry: ToolCallEntry) => void | Promise<void>;
  /** Whether arguments, results and errors are logged themselves; default false. They may hold personal data and secrets. */
  readonly values?: boolean;
  /** The prefix of its hooks' ids; default `log_tool_calls`. */
  readonly id?: Id;
  /** Which tools to log; default all. */
  readonly match?: Matcher;
}

export type LogToolCallsHooks<Id extends string = 'log_tool_calls'> = readonly [
  Hook<'after_tool_call_success', `${Id}_success`>,
  Hook<'after_tool_call_failure', `${Id}_failure`>,
];

/**
 * Reports every finished tool call to your function. Results pass unchanged.
 *
 * @throws {DefinitionError} `bad_option` without a sink; `bad_hook` or `bad_matcher` for a bad id or matcher.
 */
export function logToolCalls<const Id extends string = 'log_tool_calls'>(
  options: LogToolCallsOptions<Id>,
): LogToolCallsHooks<Id> {
  checkOptionNames('logToolCalls', options, optionNames);
  const { sink, values = false, id = 'log_tool_calls' as Id, match } = options;
  if (typeof sink !== 'function') {
    throw new DefinitionError(
      'bad_option',
      'logToolCalls: sink must be a function that takes an entry, such as (entry) => console.log(entry).',
    );
  }
  const log = async (...call: LoggedCall): Promise<null> => {
    await sink(makeEntry(call, values));
    return null;
  };
  const shared = {
    onError: 'continue',
    onTimeout: 'continue',
    ...(match === undefined ? {} : { match }),
  } as const;
  const success = { ...shared, hook: 'after_tool_call_success', id: `${id}_success`, execute: log } as const;
  const failure = { ...shared, hook: 'after_tool_call_failure', id: `${id}_failure`, execute: log } as const;
  return [
    defineHook<typeof success.hook, string>(success) as Hook<typeof success.hook, `${Id}_success`>,
    defineHook<typeof failure.hook, string>(failure) as Hook<typeof failure.hook, `${Id}_failure`>,
  ];
}

const optionNames: OptionNames<LogToolCallsOptions> = { sink: true, values: true, id: true, match: true };

type LoggedCall = [state: ThreadState, toolCall: HookToolCall, result: HookToolResult];

function makeEntry([state, toolCall, result]: LoggedCall, values: boolean): ToolCallEntry {
  const { flowId, currentSide, stepCount } = state.execution;
  return {
    event: result.status === 'success' ? 'tool_success' : 'tool_failure',
    threadId: state.threadId,
    agentId: state.agentId,
    flowId,
    side: currentSide,
    step: stepCount,
    toolCallId: toolCall.id,
    tool: toolCall.function.name,
    status: result.status,
    argumentsSize: toolCall.function.arguments.length,
    resultSize: (result.result ?? result.error ?? '').length,
    attachments: result.attachments?.length ?? 0,
    at: Date.now(),
    ...(values ? { values: pickValues(toolCall, result) } : {}),
  };
}

function pickValues(toolCall: HookToolCall, { result, error }: HookToolResult): ToolCallValues {
  return {
    arguments: toolCall.function.arguments,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
}
