import type { Shape } from '../shapes/shape.ts';
import type { AnyHookKind, HookArgs, HookKind, LifecycleName, Subject } from '../vocabulary/lifecycle.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import type { DecideRow } from './decisions.ts';

type Shapes<Args extends readonly unknown[]> = { readonly [I in keyof Args]: Shape<Args[I]> };

/**
 * Everything the executor knows of a hook name. There is no other place: order, copies, checks, failure and
 * record follow from the row, and a row that contradicts its signature does not compile.
 */
export type HookRow<K extends LifecycleName> = {
  readonly kind: HookKind<K>;
  /** What a failure or timeout does where neither the hook nor its registration says: ends the chain, or goes on. */
  readonly onFailure: 'block' | 'continue';
  /** How each argument after the state is copied and checked; the last is the subject. */
  readonly args: Shapes<HookArgs<K>>;
  readonly trigger: string;
  readonly purpose: string;
  /** For readers: what happens by default when a hook fails or times out. */
  readonly failure: string;
  /** The section of the specification, or of the design for control hooks. */
  readonly section: string;
  /** The hook receives the stored history, so it can limit how much is loaded with `reads`. */
  readonly seesHistory?: true;
  /** Its hooks get the texts that other hooks return, and may change them before anybody reads them. */
  readonly rewritesTexts?: true;
  /** Gets the tool call that a matcher is tested on. */
  readonly toolCall?: (args: HookArgs<K>) => HookToolCall;
  /** Gets the id of the message that a run is about. Where there is none, the run is about the `toolCall`. */
  readonly messageId?: (args: HookArgs<K>) => unknown;
  /** The tool calls in what hooks are given, where that is more than one. */
  readonly toolCalls?: (args: HookArgs<K>) => readonly HookToolCall[];
  /** What takes the subject's place when the chain is blocked; without it the caller gets the error. */
  readonly withhold?: (by: string) => Subject<K>;
  /** Whether its hooks may have a `restore`. */
  readonly restorable?: true;
  /** Whether listeners get the text of its subject while it is being written, so that its hooks may have a `stream`. */
  readonly streamable?: true;
} & (HookKind<K> extends 'decide' ? { readonly decide: DecideRow<Subject<K>> } : unknown);

/** A row as the executor uses it, once it no longer matters which name it is for. */
export interface AnyRow {
  readonly kind: AnyHookKind;
  readonly onFailure: 'block' | 'continue';
  readonly args: readonly Shape<unknown>[];
  readonly seesHistory?: true;
  readonly rewritesTexts?: true;
  readonly toolCall?: (args: readonly unknown[]) => HookToolCall;
  readonly messageId?: (args: readonly unknown[]) => unknown;
  readonly toolCalls?: (args: readonly unknown[]) => readonly HookToolCall[];
  readonly withhold?: (by: string) => unknown;
  readonly decide?: DecideRow<unknown>;
  readonly restorable?: true;
  readonly streamable?: true;
  /** Runs the hooks' `restore`, and what it makes of the subject is in no record. */
  readonly restores?: true;
}
