import type {
  HookSums,
  MessageCard,
  ModelMark,
  Outcome,
  Page,
  RecentRuns,
  RecordedRun,
  RunBucket,
  SearchHit,
  ThreadCard,
  TurnCard,
  TurnMark,
} from '@spec/hooks';

/** What the page is told first. */
export interface AboutInspector {
  /** The name of the store. */
  readonly name: string;
  readonly showsContent: boolean;
  /** What this page may do besides reading. */
  readonly allows: readonly ('run' | 'answers')[];
}

/** A run with the name that `spec-hooks log show` takes. */
export interface NamedRun extends RecordedRun {
  readonly run: string;
}

/** A run with what was traced of its data: `null` where nothing was. */
export interface RunWithValues extends NamedRun {
  readonly values?: unknown;
}

/** The newest message of a thread, in a list. */
export interface MessagePreview {
  readonly role: MessageCard['role'];
  readonly text: string;
  readonly createdAt: number;
}

export interface ThreadRow extends ThreadCard {
  readonly newest: MessagePreview | null;
  readonly recent: RecentRuns;
}

export interface ThreadDetail extends ThreadRow {
  readonly children: readonly ThreadCard[];
}

export type ThreadPage = Page<ThreadRow>;

/** A message with the runs of hooks that belong to it, in the order in which they happened. */
export interface MessageRow extends MessageCard {
  /** Runs that were about no stored message, since the message before this one. */
  readonly before: readonly NamedRun[];
  readonly runs: readonly NamedRun[];
}

/** A piece of a conversation, oldest message first. */
export interface ConversationPage {
  readonly messages: readonly MessageRow[];
  /** Runs after the newest message that were about none. */
  readonly after: readonly NamedRun[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  /** Whether all runs of the time of these messages are shown. */
  readonly hasAllRuns: boolean;
}

export type RunPage = Page<NamedRun>;

/** What the stream says: that it is there, and each time that something was stored, so that what is visible may have changed. */
export interface LiveEvent {
  readonly kind: 'ready' | 'moved';
}

/** What stands in place of an answer. */
export interface ApiFailure {
  readonly error: { readonly code: string; readonly message: string };
}

/** A piece of a text that was compared with another one. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** A text that a hook changed; at '' the subject itself. */
export interface TextChange {
  /** Such as `content` or `tool_calls[0].function.arguments`. */
  readonly path: string;
  readonly parts: readonly TextPart[];
}

/** A run in a chain; with `changes` where they were asked for: `null` where nothing was traced. */
export interface ChainRun extends NamedRun {
  readonly changes?: readonly TextChange[] | null;
}

/** A message between the hooks that had it. */
export interface MessageChain {
  readonly message: MessageCard;
  readonly runs: readonly ChainRun[];
}

/** A hook of the project, as `spec-hooks list` knows it. */
export interface KnownHookCard {
  readonly id: string;
  readonly hook: string;
  readonly from: string;
  readonly source: string | null;
  readonly scope: string;
  readonly onError: string;
  readonly event: string | null;
  readonly matcher: string | null;
}

/** What `spec-hooks check` says. */
export interface HookFinding {
  readonly level: 'error' | 'warning' | 'risk' | 'note';
  /** The file and the line. */
  readonly where: string | null;
  /** The hook, or the place in the file. */
  readonly entry: string | null;
  /** What, and what to do. */
  readonly message: string;
}

/** A hook in the list of all: of the project, of the ledger, or of both. */
export interface HookRow {
  readonly hook: string;
  readonly id: string;
  readonly source: string | null;
  readonly matcher: string | null;
  /** `null`: it never ran. */
  readonly sums: HookSums | null;
  readonly findings: readonly HookFinding[];
}

export interface HookList {
  readonly hooks: readonly HookRow[];
  /** Whether the ledger is still being read: no hook has sums yet. */
  readonly isCounting: boolean;
  /** What of the project could not be loaded, a sentence each. */
  readonly problems: readonly string[];
  /** Those about none of these hooks. */
  readonly findings: readonly HookFinding[];
}

/** One hook with what it did. */
export interface HookDetail {
  readonly hook: string;
  readonly id: string;
  readonly known: KnownHookCard | null;
  readonly findings: readonly HookFinding[];
  readonly sums: HookSums | null;
  /** Whether the ledger is still being read: there are no sums yet. */
  readonly isCounting: boolean;
  /** Of its last runs, as many as were counted. */
  readonly skips: readonly { readonly why: string; readonly count: number }[];
  readonly slowest: readonly NamedRun[];
  readonly counted: number;
  readonly isAll: boolean;
}

export type HitPage = Page<SearchHit>;

export type TurnPage = Page<TurnCard>;

/** All that is recorded of a turn. */
export interface TurnDetail {
  readonly runs: readonly NamedRun[];
  readonly marks: readonly TurnMark[];
}

/** A stored message, and whether a model was sent it. */
export interface SentRow extends MessageCard {
  readonly isSent: boolean;
}

/** What a model was sent of a thread, beside what was stored then. */
export interface SentBesideStored {
  readonly mark: ModelMark;
  /** The oldest first. */
  readonly rows: readonly SentRow[];
  /** Messages of the request that are not stored. */
  readonly added: number;
  /** Whether all messages that were read for it are among the rows. */
  readonly isAll: boolean;
}

/** What hooks did over a time. */
export interface RunSeries {
  readonly buckets: readonly RunBucket[];
}

/** What would happen today. */
export interface OutlookToday {
  /** `null`: only running it would tell. */
  readonly runs: boolean | null;
  readonly why: string;
  readonly decision: string | null;
}

/** A hook against one event. */
export interface WhyRow {
  readonly id: string;
  readonly source: string | null;
  /** `null`: the ledger has no entry. */
  readonly recorded: NamedRun | null;
  /** `null`: the project of today has no such hook, or there is none. */
  readonly today: OutlookToday | null;
}

/** A call that a message asks for. */
export interface CallName {
  readonly id: string;
  readonly name: string;
}

/** All hooks against one event. */
export interface WhyMatrix {
  readonly hook: string;
  /** The calls of the message, where it is about one of them. */
  readonly calls: readonly CallName[];
  /** The call that it is about. */
  readonly call: string | null;
  /** Microseconds since the epoch. */
  readonly at: number;
  readonly tool: string | null;
  readonly rows: readonly WhyRow[];
  readonly notLoaded: readonly { readonly source: string; readonly message: string }[];
  readonly hasProject: boolean;
}

/** What came of hooks that were run again. */
export interface RerunOutcome {
  readonly decision: string | null;
  readonly reason: string | null;
  readonly runs: readonly {
    readonly id: string;
    readonly hook: string;
    readonly outcome: Outcome;
    readonly ms: number;
    readonly changed: boolean;
  }[];
  /** What is stored against what would be now, word by word; empty where nothing is other. */
  readonly changes: readonly TextChange[];
  /** The same as a file for `spec-hooks test`; `null` where texts are not shown. */
  readonly testCase: string | null;
}
