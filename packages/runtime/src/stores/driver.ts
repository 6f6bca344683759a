import type { AttachmentRef, KeyedValue, TurnMark } from '@spec/hooks';
import type { Window } from './counts.ts';
import type {
  Lease,
  LedgerEntry,
  LedgerFilter,
  QueueItem,
  Retention,
  RunPage,
  StoredFile,
  StoredMessage,
  ThreadChanges,
  ThreadFilter,
  ThreadRecord,
  ToolCallRecord,
  ToolCallStatus,
} from './store.ts';

/** What a driver answers with: at once where it can, or later. */
export type Answer<T> = T | Promise<T>;

/** What is written to a thread, all of it or nothing. */
export interface Writes {
  /** Messages for the end of the thread, in this order. */
  readonly messages?: readonly StoredMessage[] | undefined;
  /** A message that takes the place of the one with its id. */
  readonly replace?: StoredMessage | undefined;
  /** Ids of messages that go, with their tool calls. */
  readonly remove?: readonly string[] | undefined;
  /** Calls to add, or to put in the place of those with the same message and position. */
  readonly toolCalls?: readonly ToolCallRecord[] | undefined;
  readonly runs?: readonly LedgerEntry[] | undefined;
  readonly marks?: readonly TurnMark[] | undefined;
  /** Ids of items that leave the queue, before others come in. */
  readonly dequeue?: readonly string[] | undefined;
  /** Items for the end of the queue; one whose id is in it changes nothing. */
  readonly enqueue?: readonly QueueItem[] | undefined;
  /** Values to set; `undefined` removes one. */
  readonly values?: readonly KeyedValue[] | undefined;
  /** Files to add, or to put in the place of those with the same path. */
  readonly files?: readonly StoredFile[] | undefined;
  /** Paths of files that go. */
  readonly removeFiles?: readonly string[] | undefined;
  readonly thread?: ThreadChanges | undefined;
}

/** One commit: what is to be written, and on which conditions. `settle` turns it into plain writes. */
export interface Commit extends Omit<Writes, 'replace'> {
  /** Nothing is written unless the value of this key is the same JSON; `undefined`: unless there is none. */
  readonly expected?: KeyedValue | undefined;
  /** Nothing is written where one of these is the id of a stored message, or of what waits in the queue and does not leave it here. */
  readonly newIds?: readonly string[] | undefined;
  /** Fields that a message is to have; `undefined` removes one. */
  readonly update?: MessageUpdate | undefined;
  /** An item for the queue that changes nothing where it is a message that is in the thread already. */
  readonly posted?: QueueItem | undefined;
  /** It was asked to delete or to edit: what it takes away is to leave no bytes behind, where a driver can see to that. */
  readonly erases?: boolean;
}

/** Fields of one message. */
export interface MessageUpdate {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What `settle` has to say of a commit. */
export interface CommitAnswer {
  /** `false` where nothing was written: the value was not the expected one, or what was to be changed or removed was not there. */
  readonly applied: boolean;
  /** The message that was updated. */
  readonly replaced?: StoredMessage | undefined;
}

/** A lease as it is kept. One that was released has no owner any more; its fence stays. */
export interface StoredLease extends Omit<Lease, 'threadId' | 'owner'> {
  readonly owner: string | null;
  /** When it was read, by the clock that leases are kept by: given by a database that has one for all its processes. */
  readonly readAt?: number;
}

/** A lease to keep: under the fence of the one before it, or for `null` under a new one. */
export interface NextLease extends Omit<StoredLease, 'fence' | 'readAt'> {
  readonly fence: number | null;
}

/** Makes a lease of the one before it, as a part of one transaction; `now` is the time of the database, where it has a clock of its own. */
export type ChangeLease = (held: StoredLease | null | undefined, now?: number) => NextLease | null;

export interface ToolCallFilter {
  readonly status?: ToolCallStatus;
  readonly messageId?: string;
}

/** Which messages of a thread are read: of those between `after` and `before`, so many from one end; all where the count is -1. */
export interface MessageRange extends Window {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/**
 * What a kind of store has to do by itself. `createStore` makes a `Store` of it: it checks and copies what comes in, knows the rules
 * of appends and leases, and refuses what they forbid, so a driver holds data and nothing else.
 *
 * D1 A commit is one transaction, or a look and then a write that happens only where nothing has changed since. So is the change of a
 *    lease, and the removal of a thread with the check of its leases.
 * D2 Calls take effect in the order in which they were made, awaited or not; `close` comes after all of them.
 * D3 What a driver gets is its to keep. What it answers with is copied before anybody sees it, unless it says
 *    {@link StoreDriver.answersAreCopies}.
 * D4 It finds nothing in a thread that is not there, and throws only where the store itself fails, or what `settle`,
 *    `checkRemoval` and the `next` of a lease throw.
 */
export interface StoreDriver {
  /** What it answers with was made for the answer, such as rows of a database, and need not be copied. */
  readonly answersAreCopies?: true;

  /** @returns `false` where there is a thread with this id; nothing changes then. */
  createThread(thread: ThreadRecord): Answer<boolean>;
  getThread(threadId: string): Answer<ThreadRecord | null>;
  /** In the order of creation. */
  listThreads(filter: ThreadFilter): Answer<readonly ThreadRecord[]>;
  /**
   * Removes a thread, those below it and all that is theirs, where `checkRemoval` does not refuse it.
   * @returns `false` where there was none
   */
  deleteThread(threadId: string, fence: number): Answer<boolean>;

  /** Writes what `settle` makes of a commit; `fence` is `null` for what any process may write. */
  commit(threadId: string, fence: number | null, commit: Commit): Answer<CommitAnswer>;

  findMessage(threadId: string, id: string): Answer<StoredMessage | null>;
  /** In their order. An unknown `before` or `after` finds nothing. */
  listMessages(threadId: string, range: MessageRange): Answer<readonly StoredMessage[]>;
  /** By message, then by position. */
  listToolCalls(threadId: string, filter: ToolCallFilter): Answer<readonly ToolCallRecord[]>;
  listQueue(threadId: string): Answer<readonly QueueItem[]>;
  /** In any order: all values, or the one with this key. */
  listValues(threadId: string, key?: string): Answer<readonly KeyedValue[]>;
  /** In any order: at least the files whose path begins with this. Their data may be left out. */
  listFiles(threadId: string, prefix: string): Answer<readonly AttachmentRef[]>;
  readFile(threadId: string, path: string): Answer<StoredFile | null>;

  /** The newest lease of a thread, also one that ran out or was released; `null` where there was none. */
  readLease(threadId: string): Answer<StoredLease | null>;
  /**
   * Gives `next` the newest lease, `undefined` for a thread that is not there, and keeps what it gives instead. For a `fence` of `null`
   * that is a new one, higher than all that this store ever gave, to any thread. Where `next` gives `null`, nothing changes. A driver that
   * looks first and then changes only what is still as it was seen asks `next` again where it is not.
   * @returns the lease as it is kept now
   */
  changeLease(threadId: string, next: ChangeLease): Answer<StoredLease | null>;

  /** A piece of the ledger, of one thread or of all, in the order of the commits; `size` is about how many runs it has. */
  pageRuns(page: { threadId?: string; from: number; size: number }): Answer<RunPage>;
  /** The marks of a thread, or of one of its turns, in the order of the commits. */
  listMarks(threadId: string, turnId: string | undefined): Answer<readonly TurnMark[]>;
  /** Removes old runs, oldest first, and the marks of their time. @returns How many runs went. */
  pruneRuns(retention: Retention): Answer<number>;

  close(): Answer<void>;

  /** Counts without reading, where it can; else the messages are read. */
  countMessages?(threadId: string): Answer<number>;
  /** Finds runs by an index, where it has one; else all pages are read. */
  listRuns?(filter: LedgerFilter): Answer<readonly LedgerEntry[]>;
  /** Writes a copy of what is stored to a new file; a store without it refuses. */
  backup?(path: string): Answer<void>;
}
