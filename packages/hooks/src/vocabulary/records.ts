import type { HookMessage } from './messages.ts';
import type { Outcome } from './record.ts';
import type {
  HookSums,
  RecentRuns,
  RecordedRun,
  RunBucket,
  RunFilter,
  SeriesQuery,
} from './recorded-runs.ts';
import type { EndMark, TurnMark } from './turn-marks.ts';

/** Where the next page goes on: a text to be handed back as it is. */
export type Cursor = string;

/** A part of a list. A page may hold fewer than were asked for, even none, and still have a next one. */
export interface Page<T> {
  readonly items: readonly T[];
  /** `null` at the end. */
  readonly next: Cursor | null;
}

export interface RunQuery extends RunFilter {
  readonly order: 'newest' | 'oldest';
  /** About how many runs a page has: those that were stored in one commit stay together. */
  readonly size: number;
  readonly cursor?: Cursor | undefined;
}

/** What was stored since a cursor, in the order of the commits. */
export interface NewRuns {
  readonly runs: readonly RecordedRun[];
  /** For the next look. */
  readonly cursor: Cursor;
  /** Whether there are more already. */
  readonly hasMore: boolean;
}

export interface ThreadQuery {
  readonly size: number;
  readonly cursor?: Cursor | undefined;
  readonly id?: string;
  readonly agentId?: string;
  /** `null` for threads that are no child threads. */
  readonly parentId?: string | null;
}

/** A thread in a list. */
export interface ThreadCard {
  readonly id: string;
  readonly agentId: string;
  readonly userId: string | null;
  readonly parentId: string | null;
  readonly depth: number;
  /** Microseconds since the epoch. */
  readonly createdAt: number;
  /** The reason, once the thread takes no more messages. */
  readonly terminated: string | null;
  /** The turn that is under way, or that a crash left behind. */
  readonly turnId: string | null;
}

export interface MessagePageQuery {
  readonly size: number;
  /** How many characters a text has at most. */
  readonly clip: number;
  /** The newest messages before the one with this id; without `before` and `after`, the newest of all. */
  readonly before?: string;
  /** The oldest messages after the one with this id. */
  readonly after?: string;
}

/** A message in a list, with texts that may be cut. */
export interface MessageCard {
  readonly id: string;
  readonly role: HookMessage['role'];
  /** Microseconds since the epoch. */
  readonly createdAt: number;
  readonly content: string | null;
  /** The characters of the whole content. */
  readonly contentSize: number;
  /** The start of their JSON text. */
  readonly toolCalls: string | null;
  /** The characters of their whole JSON text. */
  readonly toolCallsSize: number;
  readonly toolCallId: string | null;
  readonly name: string | null;
}

export interface TurnPageQuery {
  readonly size: number;
  readonly cursor?: Cursor | undefined;
}

/** A turn in a list. */
export interface TurnCard {
  readonly turnId: string;
  /** The times of the first and the last thing that is recorded of it, in microseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** How it ended. `null` where it is under way, was left behind, or left no marks. */
  readonly end: EndMark | null;
  /** How many runs of hooks it has, those that were skipped included. */
  readonly runs: number;
  readonly changed: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** What is recorded of a turn, in the order of the commits. */
export interface TurnRecord {
  readonly runs: readonly RecordedRun[];
  readonly marks: readonly TurnMark[];
}

export interface SearchQuery {
  /** What is looked for in contents and calls; the case of the letters A to Z does not count. */
  readonly text: string;
  readonly threadId?: string;
  readonly size: number;
  /** How many characters a hit shows at most. */
  readonly clip: number;
  readonly cursor?: Cursor | undefined;
}

/** A message that has what was looked for. */
export interface SearchHit {
  readonly threadId: string;
  readonly messageId: string;
  readonly role: HookMessage['role'];
  /** Microseconds since the epoch. */
  readonly createdAt: number;
  /** Where it was found. */
  readonly field: 'content' | 'toolCalls';
  /** The characters around it. */
  readonly excerpt: string;
  /** Where it stands in the excerpt. */
  readonly at: number;
}

/**
 * What is recorded of threads, for people who read it. Nothing can be changed by it, and nothing is held open between two calls, so whoever
 * writes is not kept from emptying a log. Lists come in pages and hold no data of hooks. A deletion shows in the next answer.
 */
export interface Records {
  /** Another number where somebody has stored something since. */
  version(): Promise<number>;
  /** The newest threads first. */
  threads(query: ThreadQuery): Promise<Page<ThreadCard>>;
  /** A piece of a thread, oldest first. An unknown thread, `before` or `after` has none. */
  messages(threadId: string, query: MessagePageQuery): Promise<readonly MessageCard[]>;
  /** The turns of a thread, the newest first. An unknown thread has none. */
  turns(threadId: string, query: TurnPageQuery): Promise<Page<TurnCard>>;
  /** All that is recorded of one turn; empty where there is nothing. */
  turn(threadId: string, turnId: string): Promise<TurnRecord>;
  /** The messages that have a text, the newest first. A page looks at a bounded piece of what is stored, so it may be empty and not the last one. */
  search(query: SearchQuery): Promise<Page<SearchHit>>;
  /** Runs in the order of their commits, or against it. @throws {RunError} `invalid_input` for a cursor that is none */
  runs(query: RunQuery): Promise<Page<RecordedRun>>;
  /** How the newest runs of a thread ended, in less time than to list them: exactly `size` of them, where it has so many. An unknown thread has none. */
  recent(threadId: string, query: { readonly size: number }): Promise<RecentRuns>;
  /** The runs of one moment in microseconds since the epoch, with their traced values: what is asked for to see one of them. */
  runsAt(at: number): Promise<readonly (RecordedRun & { readonly values?: unknown })[]>;
  /** What each hook did, in the order of their first run. It reads all runs that match, in pieces. */
  stats(filter?: RunFilter): Promise<readonly HookSums[]>;
  /** What hooks did over a time: a bucket for each part of it, those without a run too. */
  series(query: SeriesQuery): Promise<readonly RunBucket[]>;
  /** The cursor from which `since` gives what is stored from now on, or all runs that were at a time or later. */
  cursorAt(time?: number): Promise<Cursor>;
  /** The runs that match and were stored after a cursor. @throws {RunError} `invalid_input` for a cursor that is none */
  since(cursor: Cursor, filter?: RunFilter): Promise<NewRuns>;
  close(): Promise<void>;
}
