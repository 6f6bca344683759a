import type { Outcome, Records } from '@spec/hooks';
import type { HookFinding, KnownHookCard } from './api.ts';
import type { OpenAsk } from './asks.ts';

/** What the page is about, and what it may do. */
export interface InspectorOptions {
  /** Closed by whoever opened it, after the inspector. */
  readonly records: Records;
  /** The name of the store, as a person calls it. Default: `store`. */
  readonly name?: string;
  /** Whether texts of messages and arguments of calls are sent to the page. Default: they are. Without them it takes no `asks`. */
  readonly showsContent?: boolean;
  /** The hooks of today; without them the page knows those of the ledger. */
  readonly hooks?: HookProject;
  /** The questions that wait for a person, to be answered from the page; without them it shows none. */
  readonly asks?: Asks;
}

/** Questions to a person, such as `storedAsks` of `@spec/runtime` finds in a store. */
export interface Asks {
  /** Those that somebody waits for, the oldest first. */
  list(): Promise<readonly OpenAsk[]>;
  /** Answers a question as it was listed. @returns false where nobody waits for it any more, or it is another one now */
  answer(ask: OpenAsk, answer: { readonly allow: boolean; readonly reason?: string }): Promise<boolean>;
}

/** The hooks of a project, looked at anew for each question; lists of them are kept for some seconds. */
export interface HookProject {
  list(): Promise<ProjectHooks>;
  /** Says what each hook would do on an event; runs none. */
  explain(event: StoredEvent): Promise<ProjectOutlook>;
  /** Runs the hooks on an event. Absent: the page may not. */
  run?(event: StoredEvent): Promise<RerunResult>;
}

/** The hooks of a project, each list in the order in which it runs. */
export interface ProjectHooks {
  readonly hooks: readonly KnownHookCard[];
  /** What could not be loaded, a sentence each. */
  readonly problems: readonly string[];
  /** What is wrong with them, or will surprise. */
  readonly findings?: readonly HookFinding[];
}

/** An event as it can be made again of what is stored. */
export interface StoredEvent {
  /** The name of the hook. */
  readonly hook: string;
  /** What `spec-hooks explain --input` takes. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What `spec-hooks explain --json` prints. */
export interface ProjectOutlook {
  readonly hooks: readonly HookOutlook[];
  readonly notLoaded: readonly { readonly source: string; readonly message: string }[];
  readonly switchedOff: readonly { readonly file: string; readonly message: string }[];
}

/** What a hook of today would do. */
export interface HookOutlook {
  readonly id: string;
  readonly hook: string;
  readonly source: string | null;
  /** `null`: only running it would tell. */
  readonly runs: boolean | null;
  readonly why: string;
  readonly decision: string | null;
}

/** What `spec-hooks run --json` prints. */
export interface RerunResult {
  readonly decision: string | null;
  readonly reason?: string | null;
  /** The rewritten input; `null` where nobody rewrote it. */
  readonly input?: unknown;
  /** What takes the place of what the hooks were given; `null` where nothing does. */
  readonly result?: unknown;
  readonly runs: readonly {
    readonly id: string;
    readonly hook: string;
    readonly outcome: Outcome;
    readonly ms: number;
    readonly changed: boolean;
  }[];
}
