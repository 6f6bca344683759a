// Executor: runs chains of hooks (C1–C12). Runtimes and the test kit call it; it never stores anything and never asks for a hook by name.

import type { Scope } from '../define/scope.ts';
import { type Duration, describeWrongDuration, durationInMs } from '../duration.ts';
import { DefinitionError } from '../errors.ts';
import type { AnyRow } from '../lifecycle/row.ts';
import { lifecycleRow } from '../lifecycle/table.ts';
import type { MatchEnvironment } from '../match/matcher.ts';
import { checkOptionNames, type OptionNames } from '../option-names.ts';
import type { ChainResult, HookArgs, LifecycleName, Verdict } from '../vocabulary/lifecycle.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import type { RunDetails, RunRecord } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { createAborts } from './aborts.ts';
import { runChain } from './chain.ts';
import type { ChainStart, CheckInput, ExecutorSettings } from './chain-start.ts';
import { type Clock, systemClock } from './clock.ts';
import { createDeadlines } from './deadlines.ts';
import { noVerdict } from './deliberation.ts';
import { guardState } from './guard-state.ts';
import type { HookPermit, LateWrite } from './permit.ts';
import { createRestoring } from './restore-call.ts';
import { RestoredCalls } from './restored-calls.ts';

export interface ExecutorOptions<State extends object = ThreadState> {
  /** The timeout for hooks that set none. Default 5 s. */
  readonly timeout?: Duration;
  /** Called after every run of a hook, and for every hook that was skipped. Must not throw. */
  readonly onRun?: (record: RunRecord, details: RunDetails<State>) => void;
  /** Called when a hook tries to write after it has ended. Must not throw. */
  readonly onLateWrite?: (late: LateWrite) => void;
  /** Makes the view of the state that one hook receives. Default: {@link guardState}. */
  readonly view?: (state: State, permit: HookPermit) => State;
  /** Called before every hook. If it throws or rejects, the chain ends with that error and the hook does not run. */
  readonly admit?: (state: State) => Promise<void> | undefined;
  /** Checks an input that a decide hook rewrote. */
  readonly checkInput?: CheckInput<State>;
  /** How paths in tool calls are resolved for matchers. */
  readonly environment?: MatchEnvironment;
  readonly clock?: Clock;
}

export interface Executor<State extends object = ThreadState> {
  /**
   * Runs the chain of one name: `await run('filter_messages', scope, state, messages)`.
   * If no hook applies, it returns the result directly, not a promise.
   *
   * @throws {RunError} `hook_failed`, `hook_timed_out`, `invalid_input`, `invalid_result`: a blocking hook failed;
   * `aborted`: the thread was aborted; `depth_exceeded`: hooks wrote messages within hooks, more than four deep.
   */
  run<K extends LifecycleName>(
    hook: K,
    scope: Scope,
    state: State,
    ...args: HookArgs<K>
  ): ChainResult<K> | Promise<ChainResult<K>>;
  /**
   * Puts values back into a tool call by the `restore` of the hooks in scope: `await restore(scope, state, call)`. Call it
   * when the call was decided on, give what comes back to the tool and to a person who is asked about the call alone, and run the
   * tool not at all where it throws. What was decided on a call was decided on the very arguments that come back. Where no
   * hook has a `restore`, the call comes back at once and is no promise.
   *
   * @throws {RunError} as {@link Executor.run}; its message says why and holds no value.
   */
  restore(scope: Scope, state: State, toolCall: HookToolCall): HookToolCall | Promise<HookToolCall>;
}

const optionNames: OptionNames<ExecutorOptions> = {
  timeout: true,
  onRun: true,
  onLateWrite: true,
  view: true,
  admit: true,
  checkInput: true,
  environment: true,
  clock: true,
};

const NOTHING: readonly never[] = Object.freeze([]);

/**
 * The one executor of all hooks of all kinds.
 *
 * @throws {DefinitionError} `bad_option` for an invalid timeout.
 */
export function createExecutor<State extends object = ThreadState>(
  options: ExecutorOptions<State> = {},
): Executor<State> {
  checkOptionNames('createExecutor', options, optionNames);
  const settings = makeSettings(options as unknown as ExecutorOptions);
  // biome-ignore lint/complexity/useMaxParams: gathering the hook's own arguments would be half of the cost of C11.
  function run(
    hook: LifecycleName,
    scope: Scope,
    state: ThreadState,
    first: unknown,
    second: unknown,
  ): unknown {
    const members = scope[hook];
    const row = lifecycleRow(hook);
    const isPair = row.args.length > 1;
    const context = isPair ? first : undefined;
    const subject = isPair ? second : first;
    if (members === undefined) return untouched(row, subject);
    const start = { settings, hook, row, members, scope, state, context, subject };
    if (scope.restoring === undefined || row.decide?.withCall === undefined) return runChain(start);
    return decideOnRestored(start, {
      row,
      members: scope.restoring,
      restore: (call) => restore(scope, state, call),
    });
  }
  const restoredCalls = createRestoring(settings);
  const restore = (
    { restoring }: Scope,
    state: ThreadState,
    toolCall: HookToolCall,
  ): HookToolCall | Promise<HookToolCall> =>
    restoring === undefined ? toolCall : restoredCalls({ members: restoring, state, toolCall });
  return { run, restore } as Executor<never>;
}

/** A chain of hooks that decide on a tool call as its tool will get it. */
async function decideOnRestored(
  start: ChainStart,
  options: ConstructorParameters<typeof RestoredCalls>[0],
): Promise<unknown> {
  const restored = new RestoredCalls(options);
  await restored.prepare(start.subject);
  return restored.hardened((await runChain({ ...start, restored })) as Verdict<unknown>);
}

/** The result of a chain without hooks. */
function untouched({ kind }: AnyRow, subject: unknown): unknown {
  if (kind === 'transform' || kind === 'replace') return subject;
  if (kind === 'observe') return undefined;
  return kind === 'collect' ? NOTHING : noVerdict(subject);
}

function makeSettings(options: ExecutorOptions): ExecutorSettings {
  const {
    timeout = 5_000,
    clock = systemClock,
    environment,
    onRun,
    onLateWrite,
    admit,
    checkInput,
  } = options;
  const timeoutMs = durationInMs(timeout);
  if (timeoutMs === undefined) {
    throw new DefinitionError('bad_option', describeWrongDuration('timeout', timeout));
  }
  const view = options.view ?? guardState;
  const deadlines = createDeadlines(clock);
  return {
    timeoutMs,
    clock,
    deadlines,
    aborts: createAborts(),
    environment,
    view,
    onRun,
    onLateWrite,
    admit,
    checkInput,
  };
}
