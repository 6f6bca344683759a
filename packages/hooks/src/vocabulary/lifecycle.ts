import type { ControlHookSignatures, Decision } from './control.ts';
import type { HookMessage, HookToolCall, HookToolResult } from './messages.ts';
import type { HookSignatures } from './signatures.ts';
import type { ThreadState } from './state.ts';

/** The specification's twelve signatures and the control hooks', in one map. */
export interface LifecycleSignatures<
  State = ThreadState,
  Message = HookMessage,
  ToolCall = HookToolCall,
  ToolResult = HookToolResult,
> extends HookSignatures<State, Message, ToolCall, ToolResult>,
    ControlHookSignatures<State> {}

/** Every hook name that `defineHook` takes. */
export type LifecycleName = keyof LifecycleSignatures;

/** The arguments of a hook after the thread state. */
export type HookArgs<K extends LifecycleName> =
  Parameters<LifecycleSignatures[K]> extends [ThreadState, ...infer Args] ? Args : never;

/** The value a chain carries: always a hook's last argument. */
export type Subject<K extends LifecycleName> =
  HookArgs<K> extends [...unknown[], infer Last] ? Last : undefined;

type Returned<K extends LifecycleName> = Awaited<ReturnType<LifecycleSignatures[K]>>;

/** The kind of a hook, derived from its signature so that no row of the table can contradict it. */
// biome-ignore lint/suspicious/noConfusingVoidType: the signatures say Promise<void>
export type HookKind<K extends LifecycleName> = [Returned<K>] extends [void]
  ? 'observe'
  : string[] extends Returned<K>
    ? 'collect'
    : null extends Returned<K>
      ? NonNullable<Returned<K>> extends Subject<K>
        ? 'replace'
        : 'decide'
      : 'transform';

export type AnyHookKind = 'observe' | 'replace' | 'transform' | 'decide' | 'collect';

/** How a decide chain ended: the strictest decision, and everything its hooks contributed. */
export interface Verdict<S = unknown, Result = HookToolResult> {
  /** `null` if no hook had an opinion. */
  readonly decision: 'allow' | 'deny' | 'ask' | null;
  /** The id of the hook that made the decision. */
  readonly by: string | null;
  readonly reason?: string;
  readonly userMessage?: string;
  readonly context: readonly string[];
  /** The subject that was decided on, with the rewrites of every hook in `rewrittenBy`. */
  readonly subject: S;
  readonly rewrittenBy: readonly string[];
  readonly result?: Result;
}

/** The result of a chain, by kind of hook: nothing, the next subject, a verdict, or the collected texts. */
export type ChainResult<K extends LifecycleName> = {
  observe: undefined;
  replace: Subject<K>;
  transform: Subject<K>;
  decide: Verdict<Subject<K>, Answer<K>>;
  collect: readonly string[];
}[HookKind<K>];

/** What answers in the place of what is decided on. */
type Answer<K extends LifecycleName> =
  Returned<K> extends Decision<infer _, infer Result> | null ? Result : HookToolResult;

type NamesOfKind<Kind> = { [K in LifecycleName]: HookKind<K> extends Kind ? K : never }[LifecycleName];

/** The hooks that judge or see a tool call; only they take a `match`. */
export type ToolHookName =
  | {
      [K in LifecycleName]: HookArgs<K> extends [HookToolCall, ...unknown[]] ? K : never;
    }[LifecycleName]
  | 'before_store_tool_result'
  | 'before_permission_request';

/** The hooks that return a record whose changed fields can be limited by `changes`. */
export type RecordHookName = Exclude<
  NamesOfKind<'transform' | 'replace'>,
  'after_system_message' | 'filter_messages' | 'prefilter_llm_history'
>;
