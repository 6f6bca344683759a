import type { Commit, CommitAnswer, MessageUpdate, StoredLease, Writes } from '../driver.ts';
import { isLive, measureLife } from '../lease-life.ts';
import { copyMessage, withFields } from '../message-fields.ts';
import {
  fencedOff,
  itemIdTaken,
  leasedOut,
  messageIdTaken,
  newIdTaken,
  noSuchMessage,
  noSuchThread,
} from '../refusals.ts';
import type { QueueItem, StoredMessage, ToolCallRecord } from '../store.ts';

/** A driver's view of a thread inside the transaction of a commit. */
export interface KnownThread {
  /** The fence of the newest lease; 0 if there was none. */
  readonly fence: number;
  /** The role of a stored message; `undefined` if there is no such message. */
  roleOf(messageId: string): string | undefined;
  findMessage(messageId: string): StoredMessage | null;
  queued(itemId: string): QueueItem | undefined;
  valueOf(key: string): unknown;
  hasFile(path: string): boolean;
  /**
   * Stores a message unless its id is taken. For databases where an insert finds that out faster than a look; a failed transaction undoes it.
   * `Writes.messages` contains the stored message all the same.
   */
  insert?(message: StoredMessage): boolean;
}

interface CommitTarget {
  readonly threadId: string;
  readonly fence: number | null;
}

/** The writes for a driver, and its answer after them. */
export interface Settled {
  readonly writes: Writes;
  readonly answer: CommitAnswer;
}

const nothing: Settled = { writes: {}, answer: { applied: false } };

/**
 * Turns a commit into plain writes, given what is stored. It has all rules of `Store.append`, `post` and the single writes. A driver calls it
 * inside its transaction and then makes these writes.
 * @throws RunError `not_found`, `thread_busy` or `invalid_message`; then the driver must write nothing.
 */
export function settle(at: CommitTarget, thread: KnownThread | undefined, commit: Commit): Settled {
  if (thread === undefined) throw noSuchThread(at.threadId);
  if (at.fence !== null && thread.fence > at.fence) throw fencedOff(at.threadId, at.fence);
  if (commit.update !== undefined) return settleUpdate(at.threadId, thread, commit.update);
  if (!holds(thread, commit)) return nothing;
  return { writes: makeWrites(at.threadId, thread, commit), answer: { applied: true } };
}

/** An update is never combined with other writes. */
function settleUpdate(threadId: string, thread: KnownThread, { id, fields }: MessageUpdate): Settled {
  const found = thread.findMessage(id);
  if (found === null) return nothing;
  const replace = copyMessage(withFields(found, fields, threadId), threadId);
  return { writes: { replace }, answer: { applied: true, replaced: replace } };
}

/** Whether the expected value is there, and everything to be removed. */
function holds(thread: KnownThread, { expected, remove, removeFiles }: Commit): boolean {
  if (expected && JSON.stringify(thread.valueOf(expected.key)) !== JSON.stringify(expected.value))
    return false;
  if (remove?.some((id) => thread.roleOf(id) === undefined)) return false;
  return !removeFiles?.some((path) => !thread.hasFile(path));
}

function makeWrites(threadId: string, thread: KnownThread, commit: Commit): Writes {
  const { messages, toolCalls, runs, marks, enqueue, posted } = commit;
  refuseTakenIds(threadId, thread, commit);
  const news = messages && newMessages(threadId, thread, messages);
  const isRepeated = messages !== undefined && messages.length > 0 && news?.fresh.size === 0;
  const comesIn = (enqueue !== undefined || posted !== undefined) && !isRepeated;
  return {
    messages: news && [...news.fresh.values()],
    remove: commit.remove,
    toolCalls: toolCalls && newCalls(threadId, thread, { toolCalls, news }),
    runs: isRepeated ? undefined : runs,
    marks: isRepeated ? undefined : marks,
    dequeue: commit.dequeue,
    enqueue: comesIn ? newItems(threadId, thread, { commit, news }) : undefined,
    values: commit.values,
    files: commit.files,
    removeFiles: commit.removeFiles,
    thread: commit.thread,
  };
}

/** Checked inside the transaction, because others may post between a caller's look and its write. */
function refuseTakenIds(threadId: string, thread: KnownThread, { newIds = [], dequeue = [] }: Commit): void {
  for (const id of newIds) {
    const waits = !dequeue.includes(id) && thread.queued(id) !== undefined;
    if (waits || thread.roleOf(id) !== undefined) throw newIdTaken(threadId, id);
  }
}

/** The new messages of a commit, and the ids of those that the thread already had. */
interface NewMessages {
  readonly fresh: ReadonlyMap<string, StoredMessage>;
  readonly old: ReadonlySet<string>;
}

function newMessages(threadId: string, thread: KnownThread, given: readonly StoredMessage[]): NewMessages {
  const fresh = new Map<string, StoredMessage>();
  const old = new Set<string>();
  for (const message of given) {
    const { id, role } = message;
    const twin = fresh.get(id);
    const stored = twin || thread.insert?.(message) ? undefined : thread.roleOf(id);
    const known = stored ?? twin?.role;
    if (known !== undefined && known !== role) throw messageIdTaken(threadId, id);
    if (stored !== undefined) old.add(id);
    else if (twin === undefined) fresh.set(id, message);
  }
  return { fresh, old };
}

/** The last state of each call: a commit may name one more than once. */
export function keepLastStates(calls: readonly ToolCallRecord[]): readonly ToolCallRecord[] {
  if (calls.length < 2) return calls;
  return [...new Map(calls.map((call) => [JSON.stringify([call.messageId, call.position]), call])).values()];
}

/** Calls of repeated messages are ignored. */
function newCalls(
  threadId: string,
  thread: KnownThread,
  { toolCalls, news }: { toolCalls: readonly ToolCallRecord[]; news: NewMessages | undefined },
): ToolCallRecord[] {
  return keepLastStates(toolCalls).filter(({ messageId }) => {
    if (news?.old.has(messageId)) return false;
    if (news?.fresh.has(messageId) || thread.roleOf(messageId) !== undefined) return true;
    throw noSuchMessage(threadId, messageId);
  });
}

/** An item that leaves the queue in the same commit frees its id. */
function newItems(
  threadId: string,
  thread: KnownThread,
  { commit, news }: { commit: Commit; news: NewMessages | undefined },
): QueueItem[] {
  const { enqueue = [], posted, dequeue = [] } = commit;
  const added = new Map<string, QueueItem>();
  for (const item of posted === undefined ? enqueue : [...enqueue, posted]) {
    const { id } = item;
    const waiting = added.get(id) ?? (dequeue.includes(id) ? undefined : thread.queued(id));
    const stored = news?.fresh.get(id)?.role ?? thread.roleOf(id);
    const known = [stored, waiting && readRoleOfItem(waiting)];
    refuseOtherRole({ threadId, id, role: readRoleOfItem(item), known });
    const isStored = item === posted && item.kind === 'message' && stored !== undefined;
    if (waiting === undefined && !isStored) added.set(id, item);
  }
  return [...added.values()];
}

/** A thread of a family and its newest lease. */
export interface LeasedThread {
  readonly threadId: string;
  readonly lease: StoredLease | null;
}

/**
 * Checks that a thread may be removed; `below` has all threads below it.
 * @throws RunError `thread_busy` for an old fence, or if another owner than the thread's has a live lease on one of them.
 */
export function checkRemoval(thread: LeasedThread, below: readonly LeasedThread[], fence: number): void {
  if (thread.lease && thread.lease.fence > fence) throw fencedOff(thread.threadId, fence);
  const owner = thread.lease?.owner ?? null;
  for (const { threadId, lease } of below)
    if (lease && lease.owner !== owner && isLive(lease)) throw leasedOut(threadId, measureLife(lease));
}

/** The role of a message that waits in the queue; `undefined` for other items. */
function readRoleOfItem({ kind, payload: { role } }: QueueItem): string | undefined {
  return (kind === 'message' || kind === 'inject') && typeof role === 'string' ? role : undefined;
}

/** An item for the queue, and the roles of a stored message and a waiting item with its id. */
interface KnownRoles {
  readonly threadId: string;
  readonly id: string;
  readonly role: string | undefined;
  readonly known: readonly (string | undefined)[];
}

/** @throws RunError `invalid_message` if an item has the id of a message with another role: then they cannot be the same message. */
function refuseOtherRole({ threadId, id, role, known }: KnownRoles): void {
  if (role === undefined) return;
  if (known.some((other) => other !== undefined && other !== role)) throw itemIdTaken(threadId, id);
}
