/**
 * Chains told in data, so that a model and an executor can be given the same one. Whatever a chain carries is told by its
 * marks: each hook that changes the subject leaves a letter in it.
 */

/** What the model knows of a hook. */
export interface ModelledRow {
  readonly kind: 'observe' | 'replace' | 'transform' | 'decide' | 'collect';
  readonly onFailure: 'block' | 'continue';
  readonly blocked: 'error' | 'withheld' | 'denied';
  /** Its subject is a text: nothing can be written into it. */
  readonly isText?: true;
  /** Its subject cannot be rewritten. */
  readonly isFixed?: true;
}

/** The hooks that stand for all of their kind, with what the design's tables (§4.1, §4.2) say of a failure. */
export const modelled = {
  after_create_message: { kind: 'observe', onFailure: 'continue', blocked: 'error' },
  after_system_message: { kind: 'replace', onFailure: 'block', blocked: 'error', isText: true },
  after_tool_call_success: { kind: 'replace', onFailure: 'continue', blocked: 'withheld' },
  before_store_tool_result: { kind: 'transform', onFailure: 'block', blocked: 'withheld' },
  before_create_message: { kind: 'transform', onFailure: 'block', blocked: 'error' },
  filter_messages: { kind: 'transform', onFailure: 'block', blocked: 'error' },
  before_tool_call: { kind: 'decide', onFailure: 'block', blocked: 'denied' },
  before_user_message: { kind: 'decide', onFailure: 'block', blocked: 'denied' },
  before_compaction: { kind: 'decide', onFailure: 'continue', blocked: 'denied', isFixed: true },
  after_tool_batch: { kind: 'collect', onFailure: 'continue', blocked: 'error' },
} as const;

export type ModelledHook = keyof typeof modelled;

/** What a hook answers. `lent` is what it was given, `edited` that with its edit, `wrong` something of another shape. */
export type Answer = 'null' | 'undefined' | 'lent' | 'edited' | 'wrong' | 'throws';

/** How a hook changes the marks: it appends its letter, or puts it in the place of all others. */
export type Edit = 'appends' | 'sets';

/** One hook of a chain: where it stands, what it is allowed, and what it does. */
export interface Member {
  /** A letter, which is also its mark. */
  readonly id: string;
  readonly isPolicy: boolean;
  readonly priority: number;
  readonly onError?: 'block' | 'continue' | 'ask' | undefined;
  readonly onTimeout?: 'block' | 'continue' | 'ask' | undefined;
  /** Milliseconds that it may take; absent: the executor's {@link DEFAULT_TIMEOUT}. */
  readonly timeout?: number | undefined;
  /** Its matcher does not want the call, or its schema refuses the subject. */
  readonly refuses?: 'match' | 'schema' | undefined;
  /** It may change nothing (`changes: []`). */
  readonly mayChangeNothing: boolean;
  /** It writes into what it was lent before it answers. */
  readonly scribbles: boolean;
  /** Milliseconds until it answers; infinite: never. */
  readonly ms: number;
  readonly answer: Answer;
  readonly edit: Edit;
  /** What a decide hook decides, and only where the marks hold this letter. */
  readonly decision?: 'allow' | 'deny' | 'ask' | undefined;
  readonly onlyAbout?: string | undefined;
  /** It aborts the thread. */
  readonly aborts: boolean;
  /** It tries to write once more when it has long ended. */
  readonly writesLate: boolean;
}

/** A chain, what it carries, and when its thread is aborted from outside. */
export interface Chain {
  readonly hook: ModelledHook;
  readonly members: readonly Member[];
  readonly marks: string;
  /** Milliseconds after the start; negative: before it. */
  readonly abortAt?: number | undefined;
}

/** What came of a chain: the runs in their order, such as `b timed_out`, the end, and what hooks did after theirs. */
export interface Ended {
  readonly runs: readonly string[];
  readonly end: End;
  /** The ids of the hooks that answered in time: each writes once before it does. */
  readonly wrote: readonly string[];
  /** The ids of the hooks whose late write was refused. */
  readonly lateWrites: readonly string[];
  /** The ids of the hooks whose abort signal fired. */
  readonly signalled: readonly string[];
}

export type End =
  | { readonly marks: string }
  | { readonly texts: readonly string[] }
  | { readonly error: string; readonly by?: string }
  | { readonly withheld: string }
  | {
      readonly decision: 'allow' | 'deny' | 'ask' | null;
      readonly by: string | null;
      readonly marks: string;
      readonly rewrittenBy: readonly string[];
    }
  | null;

/** Milliseconds. */
export const DEFAULT_TIMEOUT: number = 12;
