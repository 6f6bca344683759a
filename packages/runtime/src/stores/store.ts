// Stores: the port on which threads are stored, and what all stores share. Every room may name it; a store never runs a hook.

import type { AttachmentRef, HookMessage, KeyedValue, RunRecord, TurnMark } from '@spec/hooks';

/** A thread as it is stored. Times are microseconds since the epoch. */
export interface ThreadRecord {
  id: string;
  agentId: string;
  userId: string | null;
  parentId: string | null;
  /** 0 for a thread without a parent, 1 for a child thread, and so on. */
  depth: number;
  createdAt: number;
  currentSide: 'a' | 'b';
  /** Why the thread takes no more messages; absent while it does. */
  terminated: string | null;
  /** The open turn. After a crash, `resume` finishes it. */
  turn: OpenTurn | null;
  /** The newest summary. In requests to a model it replaces the messages up to and including `throughId`. */
  compaction: { summaryId: string; throughId: string } | null;
  metadata: Record<string, unknown>;
}

/** An open turn. */
export interface OpenTurn {
  id: string;
  /** The rule for the ids of what it writes; absent in turns that older releases began. */
  form?: number;
}

/** The fields of a thread's record that may change. */
export type ThreadChanges = Partial<
  Pick<ThreadRecord, 'currentSide' | 'terminated' | 'turn' | 'compaction' | 'metadata'>
>;

/** A stored message: the specification's fields and any that hooks added. */
export type StoredMessage = HookMessage & Record<string, unknown>;

export type ToolCallStatus = 'pending' | 'started' | 'done';

/** A call that a stored assistant message asks for, identified by the message and its position. */
export interface ToolCallRecord {
  id: string;
  messageId: string;
  /** The position of the call in its message, from 0. */
  position: number;
  name: string;
  status: ToolCallStatus;
}

/**
 * An item that waits for the next step: a message, a tool call, or the wish to stop the turn. A message has already passed
 * `before_create_message`, and the item has its id.
 */
export interface QueueItem {
  id: string;
  kind: 'message' | 'inject' | 'tool' | 'stop';
  payload: Record<string, unknown>;
}

export interface StoredFile extends AttachmentRef {
  data: Uint8Array;
}

/** A run of a hook and its place: one entry of the ledger, appended to the thread that it names. */
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
  /** If the hook changed its subject. */
  readonly after?: unknown;
  /** The thrown error, with its text. */
  readonly error?: unknown;
  /** The parts that are missing because they were not JSON or too long. */
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
  /** Only the newest `limit` matching entries, in ascending order as always. Default: all. */
  limit?: number;
}

export interface MessageQuery {
  /** Only the oldest `first` matching messages. Not together with `last`. */
  first?: number;
  /** Only the newest `last` matching messages; default all. */
  last?: number;
  /** Only messages stored before the one with this id. */
  before?: string;
  /** Only messages stored after the one with this id. */
  after?: string;
}

export interface ThreadFilter {
  /** `null` for threads without a parent. */
  parentId?: string | null;
  /** `true` for threads with an open turn, running or left by a crash; `false` for the others. */
  interrupted?: boolean;
}

/** What to remove from the ledger; at least one of the two. */
export interface Retention {
  /** Removes runs before this time, in microseconds since the epoch. */
  before?: number;
  /** Removes the oldest runs until about this many bytes are left. */
  keepBytes?: number;
}

/** A page of a thread's ledger, in the order of the commits. */
export interface RunPage {
  runs: LedgerEntry[];
  /** The `from` of the next page; `null` after the last page. */
  next: number | null;
}

/** The content of one commit: all of it is stored, or nothing. */
export interface Append {
  messages?: readonly StoredMessage[];
  /** Ids in `messages` that must be new: neither a stored message nor a waiting item may have them, except items that this commit dequeues. */
  newIds?: readonly string[];
  /** New calls, or calls with a new status. Their messages are in the thread or in this append. */
  toolCalls?: readonly ToolCallRecord[];
  runs?: readonly LedgerEntry[];
  /** Model calls, tools, questions and the end of a turn. They are stored with the runs and kept as long. */
  marks?: readonly TurnMark[];
  /** Ids of the queue items that became these messages; they leave the queue in the same commit. */
  dequeue?: readonly string[];
  enqueue?: readonly QueueItem[];
  /** Values to set; `undefined` removes a value. As {@link Store.setValue}, but in the same commit. */
  values?: readonly { key: string; value: unknown }[];
  thread?: ThreadChanges;
}

/** The right to write to a thread. A newer lease has a higher fence; writes with a lower fence are refused. */
export interface Lease {
  threadId: string;
  owner: string;
  fence: number;
  /** Milliseconds since the epoch, by the clock of whoever took or renewed it. */
  expiresAt: number;
  /** How long it was taken or renewed for, in milliseconds. */
  ttlMs: number;
  /** The turn that it was last taken or renewed for: a sender with the same id waits for that turn. Absent if there was none. */
  turnId?: string;
}

export interface LeaseRequest {
  threadId: string;
  owner: string;
  ttlMs: number;
  /** A turn that the owner is about to run, with an id that its caller chose. */
  turnId?: string | undefined;
}

/** What is wanted of a thread beside its record and its children. */
export interface HeadQuery {
  /** The keys of values. */
  readonly keys?: readonly string[];
  /** The ids of messages. */
  readonly messages?: readonly string[];
  /** How many of the oldest and of the newest messages may come along when the thread is taken over. */
  readonly ends?: { readonly oldest: number; readonly newest: number };
}

/** What a runtime reads of a thread before it works on it. */
export interface ThreadHead {
  record: ThreadRecord;
  /** The ids of the threads right below it, in the order of creation. */
  children: string[];
  /** Of the values that were asked for, those that there are, in any order. */
  values: KeyedValue[];
  /** Of the messages that were asked for by their ids, those that there are, in any order. */
  messages: StoredMessage[];
  /** The oldest and the newest messages, in order; absent where the owner had the lease already, or where the store reads them apart. */
  ends?: { oldest: StoredMessage[]; newest: StoredMessage[] };
}

/** A thread that was taken over, and what it held then. */
export interface TakenThread {
  lease: Lease;
  head: ThreadHead;
}

/** What a store may tell of an append. */
export interface Appended {
  readonly waiting?: boolean | undefined;
}

/**
 * The place where threads are stored. Every method is asynchronous, no transaction spans two calls, and every
 * returned value is a copy that the caller may change.
 *
 * Writes carry the fence of the writer's lease. If the thread's lease has a higher fence, the write is refused with
 * `thread_busy` and stores nothing. A write to a thread that does not exist is refused with `not_found`;
 * a read from one finds nothing.
 *
 * Stored data comes back exactly as given: every JavaScript text, absent fields absent, null fields null. A field
 * that is `undefined` counts as absent. Data that is not JSON (binary data, BigInt, dates, numbers that are not finite, cycles,
 * more than 200 levels, a field called `__proto__`) is refused: with `invalid_message`, naming the field, in a message or a queue
 * item, elsewhere with `invalid_input`. `createStore` of `@spec/runtime/store-kit` makes a store of a driver,
 * and `storeSuite` of `@spec/runtime/testing` tests a store against all this.
 */
export interface Store {
  /** Refused with `invalid_input` if a thread with this id exists. */
  createThread(thread: ThreadRecord): Promise<void>;
  getThread(threadId: string): Promise<ThreadRecord | null>;
  /** The thread with its children, and what else is asked for; `null` if there is no such thread. */
  readHead(threadId: string, query?: HeadQuery): Promise<ThreadHead | null>;
  /** In the order of creation. */
  listThreads(filter?: ThreadFilter): Promise<ThreadRecord[]>;
  /**
   * Removes the thread, its child threads and everything of theirs; `false` if there was no such thread. Refused with `thread_busy`
   * if another owner than the thread's has a live lease on one of them.
   */
  deleteThread(threadId: string, fence: number): Promise<boolean>;

  /**
   * One atomic commit. It gives sequence numbers in the order of the array. A message whose id is already in the thread changes
   * nothing: the first version stays, and the tool calls that came with the repeated one are ignored. If the stored message has
   * another role, they are different messages, and the append is refused with `invalid_message`. So is an append with a taken id in
   * `newIds`. If the thread already has all messages of an append, it is a repetition: its runs, marks and new queue items are not stored again.
   * `dequeue`, `values` and `thread` always apply, because repeating them changes nothing.
   * @returns whether items wait in the queue after it, where the store knows it without another look: a turn then does not ask
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a store that tells nothing need not say so.
  append(threadId: string, fence: number, append: Append): Promise<Appended | void>;
  /**
   * The inbox of a thread: adds an item to the end of its queue without a fence, so any process may call it, whoever
   * has the lease. It changes nothing if the queue has the id or the thread has the message. A message (kinds `message` and
   * `inject`) with the id of a message with another role is refused with `invalid_message`, here and in an append. The runs of
   * hooks that saw the item are stored in the same commit.
   */
  post(threadId: string, item: QueueItem, runs?: readonly LedgerEntry[]): Promise<void>;
  getMessage(threadId: string, id: string): Promise<StoredMessage | null>;
  /** In the order of their sequence numbers. An unknown `before` or `after` finds nothing. */
  listMessages(threadId: string, query?: MessageQuery): Promise<StoredMessage[]>;
  countMessages(threadId: string): Promise<number>;
  /**
   * Replaces the given fields and keeps the others. `undefined` removes a field that is not in the specification.
   * @returns the message; `null` if there is no such message
   */
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

  /** A JSON value; `undefined` if there is none. Setting `undefined` removes the value. */
  getValue(threadId: string, key: string): Promise<unknown>;
  setValue(threadId: string, fence: number, entry: { key: string; value: unknown }): Promise<void>;
  /**
   * Sets values like {@link Store.setValue}, in one commit and without a fence, so any process may call it, whoever has the lease. It
   * sets them only if `expected.key` has the given JSON value, with fields in the same order; `undefined` stands for no value.
   * @returns whether the values were set
   */
  setValuesIf(threadId: string, expected: KeyedValue, values: readonly KeyedValue[]): Promise<boolean>;
  /** By key, in the order of UTF-16 code units. */
  listValues(threadId: string): Promise<{ key: string; value: unknown }[]>;

  /** Replaces a file with the same path. */
  writeFile(threadId: string, fence: number, file: StoredFile): Promise<void>;
  readFile(threadId: string, path: string): Promise<StoredFile | null>;
  /** Without their data, sorted by path (in the order of UTF-16 code units, as `<` compares). */
  listFiles(threadId: string, prefix?: string): Promise<AttachmentRef[]>;
  deleteFile(threadId: string, fence: number, path: string): Promise<boolean>;

  /**
   * Refused with `thread_busy` while another owner has a live lease. The same owner gets its lease again, renewed, with the same
   * fence and for the turn that it now names, until it releases the lease. No fence is given twice, not even to a thread created
   * again with an old id.
   *
   * A lease lives until its time. A lease that seems to have more than twice its length left is not live: the clock that made
   * it was wrong.
   */
  acquireLease(request: LeaseRequest): Promise<Lease>;
  /**
   * Takes the lease as `acquireLease` does, but even while another owner has a live one, which then writes no more; and reads the thread
   * under it. For owners who know that nobody else runs the thread. Refused with `not_found`.
   */
  takeOver(request: LeaseRequest, query?: HeadQuery): Promise<TakenThread>;
  /** The live lease; `null` if the thread is free. */
  getLease(threadId: string): Promise<Lease | null>;
  /** Extends a lease, even an expired one. Refused with `thread_busy` if another owner took it or it was released. */
  renewLease(lease: Lease, ttlMs: number): Promise<Lease>;
  /** Ends the lease. Does nothing if another owner took it. The next lease has a higher fence in any case. */
  releaseLease(lease: Lease): Promise<void>;

  listRuns(filter?: LedgerFilter): Promise<LedgerEntry[]>;
  /** Pages of the ledger of one thread, however long it is, with about `size` runs each. An unknown thread has none. */
  pageRuns(threadId: string, page: { from?: number; size: number }): Promise<RunPage>;
  /** The marks of a thread, or of one of its turns, in the order of the commits. An unknown thread has none. */
  listMarks(threadId: string, turnId?: string): Promise<TurnMark[]>;
  /** Removes old runs and marks from the ledger of all threads, oldest first. @returns How many runs were removed. */
  pruneRuns(retention: Retention): Promise<number>;

  /**
   * Writes a copy of everything stored before the call to a new file, while reads and writes go on. Refused with
   * `invalid_input` if the file exists, and by stores without a file.
   */
  backup(path: string): Promise<void>;

  /** Afterwards every call is refused with `closed`. A second `close` does nothing. */
  close(): Promise<void>;
}
