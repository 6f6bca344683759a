import type { AttachmentRef, KeyedValue, TurnMark } from '@spec/hooks';
import type { Window } from './counts.ts';
import type {
  HeadQuery,
  Lease,
  LeaseRequest,
  LedgerEntry,
  LedgerFilter,
  QueueItem,
  Retention,
  RunPage,
  StoredFile,
  StoredMessage,
  ThreadChanges,
  ThreadFilter,
  ThreadHead,
  ThreadRecord,
  ToolCallRecord,
  ToolCallStatus,
} from './store.ts';

/** The answer of a driver: at once if it can, or later. */
export type Answer<T> = T | Promise<T>;

/** The writes to a thread: all of them happen, or none. */
export interface Writes {
  /** Messages for the end of the thread, in this order. */
  readonly messages?: readonly StoredMessage[] | undefined;
  /** A message that replaces the one with its id. */
  readonly replace?: StoredMessage | undefined;
  /** Ids of messages to remove, with their tool calls. */
  readonly remove?: readonly string[] | undefined;
  /** Calls to add. One with the same message and position is replaced. */
  readonly toolCalls?: readonly ToolCallRecord[] | undefined;
  readonly runs?: readonly LedgerEntry[] | undefined;
  readonly marks?: readonly TurnMark[] | undefined;
  /** Ids of items that leave the queue before others are added. */
  readonly dequeue?: readonly string[] | undefined;
  /** Items for the end of the queue. One whose id is in the queue changes nothing. */
  readonly enqueue?: readonly QueueItem[] | undefined;
  /** Values to set; `undefined` removes a value. */
  readonly values?: readonly KeyedValue[] | undefined;
  /** Files to add. One with the same path is replaced. */
  readonly files?: readonly StoredFile[] | undefined;
  /** Paths of files to remove. */
  readonly removeFiles?: readonly string[] | undefined;
  readonly thread?: ThreadChanges | undefined;
}

/** One commit: the writes and their conditions. `settle` turns it into plain writes. */
export interface Commit extends Omit<Writes, 'replace'> {
  /** Nothing is written unless the value of this key is the same JSON; `undefined`: unless there is no value. */
  readonly expected?: KeyedValue | undefined;
  /** The commit is refused if a stored message has one of these ids, or an item in the queue that does not leave it in this commit. */
  readonly newIds?: readonly string[] | undefined;
  /** New fields of a message; `undefined` removes a field. */
  readonly update?: MessageUpdate | undefined;
  /** An item for the queue. It changes nothing if it is a message that the thread already has. */
  readonly posted?: QueueItem | undefined;
  /** The caller asked to delete or edit: a driver that can should leave no bytes of what is removed. */
  readonly erases?: boolean;
}

/** Fields of one message. */
export interface MessageUpdate {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The answer of `settle` to a commit. */
export interface CommitAnswer {
  /** `false` if nothing was written: the value was not the expected one, or what was to be changed or removed does not exist. */
  readonly applied: boolean;
  /** The message that was updated. */
  readonly replaced?: StoredMessage | undefined;
  /** Whether items wait in the queue after the commit, where the driver knows it without another look. */
  readonly waiting?: boolean | undefined;
}

/** A stored lease. A released one has no owner, but keeps its fence. */
export interface StoredLease extends Omit<Lease, 'threadId' | 'owner'> {
  readonly owner: string | null;
  /** The time of reading, by the clock that leases go by. Only a database with one clock for all its processes gives it. */
  readonly readAt?: number;
}

/** A lease to store: with the fence of the one before it or, for `null`, a new fence. */
export interface NextLease extends Omit<StoredLease, 'fence' | 'readAt'> {
  readonly fence: number | null;
}

/** Makes a lease from the one before it, inside one transaction. `now` is the time of the database, if it has its own clock. */
export type ChangeLease = (held: StoredLease | null | undefined, now?: number) => NextLease | null;

/** A lease that is taken whoever has it, and what is wanted of its thread. */
export interface TakeOver extends Omit<LeaseRequest, 'threadId'>, HeadQuery {}

/** What came of it. The lease ends at `expiresAt`, by the clock that leases go by. */
export interface TakenHead {
  readonly fence: number;
  readonly expiresAt: number;
  readonly head: ThreadHead;
}

export interface ToolCallFilter {
  readonly status?: ToolCallStatus;
  readonly messageId?: string;
}

/** Which messages of a thread are read: those between `after` and `before`, a number of them from one end. A count of -1 means all. */
export interface MessageRange extends Window {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/**
 * What each kind of store does itself. `createStore` makes a `Store` of it: it checks and copies all input, knows the rules of appends and
 * leases, and refuses what they forbid. So a driver only holds data.
 *
 * D1 A commit is one transaction, or a look and then a write that happens only if nothing has changed since. The same holds for a change of
 *    a lease, and for removing a thread together with the check of its leases.
 * D2 Calls take effect in the order in which they were made, awaited or not; `close` comes after all of them.
 * D3 A driver may keep what it gets. Its answers are copied before anybody sees them, unless it says
 *    {@link StoreDriver.answersAreCopies}.
 * D4 It finds nothing in a thread that does not exist. It throws only if the store itself fails, or what `settle`,
 *    `checkRemoval` and the `next` of a lease throw. Errors that are no `RunError`, such as those of a database, become `store_failed`.
 */
export interface StoreDriver {
  /** Its answers were made for the caller, such as rows of a database, and need not be copied. */
  readonly answersAreCopies?: true;

  /** @returns `false` if a thread with this id exists; nothing changes then. */
  createThread(thread: ThreadRecord): Answer<boolean>;
  getThread(threadId: string): Answer<ThreadRecord | null>;
  /** In the order of creation. */
  listThreads(filter: ThreadFilter): Answer<readonly ThreadRecord[]>;
  /**
   * Removes a thread, the threads below it and everything of theirs, unless `checkRemoval` refuses it.
   * @returns `false` if there was no such thread
   */
  deleteThread(threadId: string, fence: number): Answer<boolean>;

  /** Writes what `settle` makes of a commit. A `fence` of `null` is for writes that any process may make. */
  commit(threadId: string, fence: number | null, commit: Commit): Answer<CommitAnswer>;

  findMessage(threadId: string, id: string): Answer<StoredMessage | null>;
  /** In order. An unknown `before` or `after` finds nothing. */
  listMessages(threadId: string, range: MessageRange): Answer<readonly StoredMessage[]>;
  /** By message, then by position. */
  listToolCalls(threadId: string, filter: ToolCallFilter): Answer<readonly ToolCallRecord[]>;
  listQueue(threadId: string): Answer<readonly QueueItem[]>;
  /** In any order: all values, or the one with this key. */
  listValues(threadId: string, key?: string): Answer<readonly KeyedValue[]>;
  /** In any order: at least the files whose path begins with this prefix. Their data may be left out. */
  listFiles(threadId: string, prefix: string): Answer<readonly AttachmentRef[]>;
  readFile(threadId: string, path: string): Answer<StoredFile | null>;

  /** The newest lease of a thread, even if it expired or was released; `null` if there was none. */
  readLease(threadId: string): Answer<StoredLease | null>;
  /**
   * Calls `next` with the newest lease (`undefined` if there is no such thread) and stores the lease that it returns. A `fence` of `null` means
   * a new fence, higher than all that this store ever gave to any thread. If `next` returns `null`, nothing changes. A driver that looks
   * first, and writes only if nothing changed since, calls `next` again if something did.
   * @returns the lease that is stored now
   */
  changeLease(threadId: string, next: ChangeLease): Answer<StoredLease | null>;

  /** A page of the ledger of one thread or of all, in the order of the commits, with about `size` runs. */
  pageRuns(page: { threadId?: string; from: number; size: number }): Answer<RunPage>;
  /** The marks of a thread, or of one of its turns, in the order of the commits. */
  listMarks(threadId: string, turnId: string | undefined): Answer<readonly TurnMark[]>;
  /** Removes old runs, oldest first, and the marks of that time. @returns How many runs were removed. */
  pruneRuns(retention: Retention): Answer<number>;

  close(): Answer<void>;

  /** Counts without reading messages, if it can; otherwise the messages are read. */
  countMessages?(threadId: string): Answer<number>;
  /** Finds runs by an index, if it has one; otherwise all pages are read. */
  listRuns?(filter: LedgerFilter): Answer<readonly LedgerEntry[]>;
  /** Reads a thread and what else is asked for at once, if it can; otherwise each is read. @returns `null` if there is no such thread */
  readHead?(threadId: string, query: HeadQuery): Answer<ThreadHead | null>;
  /**
   * Takes a lease, whoever has it, and reads the thread under it, at once, if it can; otherwise the lease is changed, and then each is read. The
   * owner of the lease before keeps its fence; any other gets a new one.
   * @returns `null` if there is no such thread
   */
  takeOver?(threadId: string, request: TakeOver): Answer<TakenHead | null>;
  /** Writes a copy of the stored data to a new file. A store without this refuses. */
  backup?(path: string): Answer<void>;
}
