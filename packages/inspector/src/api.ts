import type { MessageCard, Outcome, Page, RecordedRun, ThreadCard } from '@spec/hooks';

/** What the page is told first. */
export interface AboutInspector {
  /** The name of the store. */
  readonly name: string;
  readonly showsContent: boolean;
  /** What this page may do besides reading. */
  readonly allows: readonly ('run' | 'answer')[];
}

/** A run with the name that `spec-hooks log show` takes. */
export interface NamedRun extends RecordedRun {
  readonly run: string;
}

/** A run with what was traced of its data: `null` where nothing was. */
export interface RunWithValues extends NamedRun {
  readonly values?: unknown;
}

/** What hooks did on a thread of late. */
export interface RecentRuns {
  readonly runs: number;
  /** Whether the thread has more runs than were counted. */
  readonly hasMore: boolean;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
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

/** What is sent over the stream. */
export type LiveEvent =
  | { readonly kind: 'ready'; readonly cursor: string }
  /** Something was stored: what is visible may have changed. */
  | {
      readonly kind: 'moved';
      readonly cursor: string;
      readonly runs: readonly NamedRun[];
      readonly more: boolean;
    };

/** What stands in place of an answer. */
export interface ApiFailure {
  readonly error: { readonly code: string; readonly message: string };
}
