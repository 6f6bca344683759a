// Stores: the port on which threads are stored, and what all stores share. Every room may name it; a store never runs a hook.

import type { AttachmentRef, HookMessage, KeyedValue, RunRecord, TurnMark } from '@spec/hooks';

/** A thread as it is stored. Times are microseconds since the epoch. */
export interface ThreadRecord {
  id: string;
  agentId: string;
  userId: string | null;
  parentId: string | null;
  /** 0 for a thread of its own, 1 for a child thread, and so on. */
  depth: number;
  createdAt: number;
  currentSide: 'a' | 'b';
  /** The reason, once the thread takes no more messages. */
  terminated: string | null;
  /** The turn that is under way; left behind by a crash, it is what `resume` finishes. */
  turn: OpenTurn | null;
  /** The newest summary: it stands for the messages up to and with `throughId` when a model is asked. */
  compaction: { summaryId: string; throughId: string } | null;
  metadata: Record<string, unknown>;
}

/** A turn that is under way. */
export interface OpenTurn {
  id: string;
  /** Which rule makes the ids of what it writes; absent in turns that older releases began. */
  form?: number;
}

/** What may change in a thread's record after it was created. */
export type ThreadChanges = Partial<
  Pick<ThreadRecord, 'currentSide' | 'terminated' | 'turn' | 'compaction' | 'metadata'>
>;

/** A stored message: the specification's fields and whatever else a hook added. */
export type StoredMessage = HookMessage & Record<string, unknown>;

export type ToolCallStatus = 'pending' | 'started' | 'done';

/** A call that an assistant message asked for, from the moment that message is stored; known by its message and position. */
export interface ToolCallRecord {
  id: string;
  messageId: string;
  /** The position of the call in its message, from 0. */
  position: number;
  name: string;
  status: ToolCallStatus;
}

/**
 * Something that waits for the start of the next step: a message, a tool call, or the wish that the turn stops. A message
 * passed `before_create_message` before it came here, and the item has its id.
 */
export interface QueueItem {
  id: string;
  kind: 'message' | 'inject' | 'tool' | 'stop';
  payload: Record<string, unknown>;
}

export interface StoredFile extends AttachmentRef {
  data: Uint8Array;
}

/** A run of a hook with the place it happened in: one entry of the ledger. It is appended to the thread that it names. */
export interface LedgerEntry extends RunRecord {
  threadId: string;
  turnId: string | null;
  step: number;
  /** Microseconds since the epoch. */
  at: number;
  /** Only with `trace: 'values'`. */
  values?: TracedValues;
}

/** The data of a run, as JSON. */
export interface TracedValues {
  readonly before?: unknown;
  /** Where the hook changed its subject. */
  readonly after?: unknown;
  /** What it threw, with its text. */
  readonly error?: unknown;
  /** What is missing: it was no JSON, or too long. */
  readonly leftOut?: readonly string[];
}

export interface LedgerFilter {
  threadId?: string;
  hook?: string;
  id?: string;
  outcome?: RunRecord['outcome'];
  /** `null` for runs outside of turns. */
  turnId?: string | null;
  /** Only runs at this time or later, in microseconds since the epoch. */
  since?: number;
  /** Only runs before this time, in microseconds since the epoch. */
  until?: number;
  /** The newest `limit` entries that match; in ascending order, as always. Default: all. */
  limit?: number;
}

export interface MessageQuery {
  /** The oldest `first` of those that match. Not together with `last`. */
  first?: number;
  /** The newest `last` of those that match; default all. */
  last?: number;
  /** Only messages stored before the one with this id. */
  before?: string;
  /** Only messages stored after the one with this id. */
  after?: string;
}

export interface ThreadFilter {
  /** `null` for threads that are nobody's child. */
  parentId?: string | null;
  /** `true` for threads with a turn under way, or left behind by a crash; `false` for the others. */
  interrupted?: boolean;
}

/** What the ledger loses; at least one of the two. */
export interface Retention {
  /** Runs before this time go, in microseconds since the epoch. */
  before?: number;
  /** The oldest runs go until about so many bytes are left. */
  keepBytes?: number;
}

/** A piece of a thread's ledger, in the order of the commits. */
export interface RunPage {
  runs: LedgerEntry[];
  /** What to ask for the next page with; `null` after the last one. */
  next: number | null;
}

/** What one commit holds: all of it is stored, or nothing. */
export interface Append {
  messages?: readonly StoredMessage[];
  /** Ids among those of `messages` that nothing may have yet: neither a stored message, nor what waits in the queue and is not taken off it. */
  newIds?: readonly string[];
  /** New calls, or calls whose status changes; their messages are in the thread or in this append. */
  toolCalls?: readonly ToolCallRecord[];
  runs?: readonly LedgerEntry[];
  /** Model calls, tools, questions and the end of a turn; stored with the runs, and as long as these. */
  marks?: readonly TurnMark[];
  /** Ids of queue items that these messages came from; they leave the queue in the same commit. */
  dequeue?: readonly string[];
  enqueue?: readonly QueueItem[];
  /** Values to set, `undefined` to remove; as {@link Store.setValue}, in the same commit as the rest. */
  values?: readonly { key: string; value: unknown }[];
  thread?: ThreadChanges;
}

/** The right to write to a thread. A newer lease has a higher fence; writes under an older one are refused. */
export interface Lease {
  threadId: string;
  owner: string;
  fence: number;
  /** Milliseconds since the epoch, by the clock of the one that took or renewed it. */
  expiresAt: number;
  /** For how long it was taken or renewed, in milliseconds. */
  ttlMs: number;
  /** The turn that it was taken or renewed for last: who sends under the same id waits for it. Absent where it was for none. */
  turnId?: string;
}

export interface LeaseRequest {
  threadId: string;
  owner: string;
  ttlMs: number;
  /** A turn, under an id of its caller's, that the owner is about to run. */
  turnId?: string | undefined;
}

/**
 * Where threads live. Every method is asynchronous, no transaction crosses this interface, and every
 * value that comes out is a copy that its receiver may change.
 *
 * Writes carry the fence of the writer's lease: where the thread's lease has a higher one, the write is refused with
 * `thread_busy` and nothing of it is stored. A write to a thread that does not exist is refused with `not_found`;
 * reading from one finds nothing.
 *
 * What is stored comes back exactly as it was given: every JavaScript text, absent fields absent, null fields null. A field
 * that is `undefined` counts as absent. What is not JSON (binary data, BigInt, dates, numbers that are not finite, cycles,
 * more than 200 levels, a field called `__proto__`) is refused: in a message or a queue item with `invalid_message`, naming
 * the field, elsewhere with `invalid_input`. `createStore` of `@spec/runtime/store-kit` makes a store of what is particular to one,
 * and `storeSuite` of `@spec/runtime/testing` holds it to all this.
 */
export interface Store {
  /** Refused with `invalid_input` where there is a thread with this id. */
  createThread(thread: ThreadRecord): Promise<void>;
  getThread(threadId: string): Promise<ThreadRecord | null>;
  /** In the order of creation. */
  listThreads(filter?: ThreadFilter): Promise<ThreadRecord[]>;
  /**
   * Removes the thread and all that belongs to it, its child threads too; `false` where there was none. Refused with `thread_busy`
   * where one of those has a lease that lives, of another owner than the thread's own.
   */
  deleteThread(threadId: string, fence: number): Promise<boolean>;

  /**
   * One atomic commit. Sequence numbers are given here, in the order of the array. A message whose id is in the thread
   * already changes nothing: its first version stays, and tool calls that come with it again are left alone. Where the one that is there has
   * another role it is another message, and the append is refused with `invalid_message`; so it is where one of
   * `newIds` is taken. Where all messages of an append are there already, it is a repetition, and its runs, marks and new queue items are not stored again.
   * `dequeue`, `values` and `thread` are always applied: a repetition of them changes nothing by itself.
   */
  append(threadId: string, fence: number, append: Append): Promise<void>;
  /**
   * The inbox of a thread: puts an item at the end of its queue without a fence, so that any process may, whoever
   * has the lease. An id that is in the queue, or a message that is in the thread already, changes nothing; a
   * message (kinds `message` and `inject`) with the id of one that has another role is refused with `invalid_message`, here and in an append. Runs of hooks that saw the
   * item are stored in the same commit.
   */
  post(threadId: string, item: QueueItem, runs?: readonly LedgerEntry[]): Promise<void>;
  getMessage(threadId: string, id: string): Promise<StoredMessage | null>;
  /** In the order of their sequence numbers. An unknown `before` or `after` finds nothing. */
  listMessages(threadId: string, query?: MessageQuery): Promise<StoredMessage[]>;
  countMessages(threadId: string): Promise<number>;
  /** Replaces the fields given, keeps the others; an `undefined` value removes a field that is not of the specification. `null` where there is no such message. */
  updateMessage(
    threadId: string,
    fence: number,
    update: { id: string; fields: Record<string, unknown> },
  ): Promise<StoredMessage | null>;
  /** Removes a message and its tool calls. */
  deleteMessage(threadId: string, fence: number, id: string): Promise<boolean>;

  /** By message, then by position. */
  listToolCalls(
    threadId: string,
    filter?: { status?: ToolCallStatus; messageId?: string },
  ): Promise<ToolCallRecord[]>;
  listQueue(threadId: string): Promise<QueueItem[]>;

  /** A JSON value; `undefined` where there is none. Setting `undefined` removes it. */
  getValue(threadId: string, key: string): Promise<unknown>;
  setValue(threadId: string, fence: number, entry: { key: string; value: unknown }): Promise<void>;
  /**
   * Sets values as {@link Store.setValue} does, in one commit and without a fence, so that any process may, whoever has the lease: where the
   * value of `expected.key` is the same JSON, its fields in the same order, as the one given; `undefined` where there is none. Else nothing is set.
   * @returns whether they were set
   */
  setValuesIf(threadId: string, expected: KeyedValue, values: readonly KeyedValue[]): Promise<boolean>;
  /** By key, in the order of UTF-16 code units. */
  listValues(threadId: string): Promise<{ key: string; value: unknown }[]>;

  /** Replaces a file with the same path. */
  writeFile(threadId: string, fence: number, file: StoredFile): Promise<void>;
  readFile(threadId: string, path: string): Promise<StoredFile | null>;
  /** Without their data, by path (in the order of UTF-16 code units, as `<` compares). */
  listFiles(threadId: string, prefix?: string): Promise<AttachmentRef[]>;
  deleteFile(threadId: string, fence: number, path: string): Promise<boolean>;

  /**
   * Refused with `thread_busy` while another owner's lease lives. The same owner gets its lease again, renewed, with the
   * same fence and for the turn that it names now, until it releases it. No fence is ever given twice, also not to a thread created again under an old id.
   *
   * A lease lives until its time. One that seems to have more than twice its length to go does not: the clock that it was
   * taken by was wrong.
   */
  acquireLease(request: LeaseRequest): Promise<Lease>;
  /** The lease that lives; `null` where the thread is free. */
  getLease(threadId: string): Promise<Lease | null>;
  /** Extends a lease, expired or not; refused with `thread_busy` where it was taken over or released. */
  renewLease(lease: Lease, ttlMs: number): Promise<Lease>;
  /** Ends it; nothing happens where it was taken over. The fence of the next lease is higher all the same. */
  releaseLease(lease: Lease): Promise<void>;

  listRuns(filter?: LedgerFilter): Promise<LedgerEntry[]>;
  /** The ledger of one thread piece by piece, however long it is; `size` is about how many runs a page has. An unknown thread has none. */
  pageRuns(threadId: string, page: { from?: number; size: number }): Promise<RunPage>;
  /** The marks of a thread, or of one of its turns, in the order of the commits. An unknown thread has none. */
  listMarks(threadId: string, turnId?: string): Promise<TurnMark[]>;
  /** Removes old runs and marks from the ledger of all threads, oldest first. @returns How many went. */
  pruneRuns(retention: Retention): Promise<number>;

  /**
   * Writes a copy of everything that was stored before the call to a new file, while reading and writing go on. Refused with
   * `invalid_input` where there is a file already, and by stores that have nothing on disk.
   */
  backup(path: string): Promise<void>;

  /** After this every call is refused with `closed`. A second call does nothing. */
  close(): Promise<void>;
}
