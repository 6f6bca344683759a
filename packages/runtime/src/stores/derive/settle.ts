import type { Commit, CommitAnswer, StoredLease, Writes } from '../driver.ts';
import { refuseOtherRole, roleOfItem } from '../item-role.ts';
import { isLive, lifeOf } from '../lease-life.ts';
import { fencedOff, leasedOut, messageIdTaken, noSuchMessage, noSuchThread } from '../refusals.ts';
import type { QueueItem, StoredMessage, ToolCallRecord } from '../store.ts';

/** What a driver knows of a thread inside the transaction of a commit. */
export interface KnownThread {
  /** Of the newest lease; 0 where there was none. */
  readonly fence: number;
  /** The role of a stored message; `undefined` where there is none. */
  roleOf(messageId: string): string | undefined;
  queued(itemId: string): QueueItem | undefined;
  valueOf(key: string): unknown;
  hasFile(path: string): boolean;
}

interface Place {
  readonly threadId: string;
  readonly fence: number | null;
}

/** What a driver writes, and the part of its answer that follows from it. */
export interface Settled extends Pick<CommitAnswer, 'applied'> {
  readonly writes: Writes;
}

const nothing: Settled = { applied: false, writes: {} };

/**
 * Turns a commit into plain writes by what is stored: all rules of `Store.append`, `post` and the single writes. A driver calls it inside
 * its transaction and then writes what it gives back.
 * @throws RunError `not_found`, `thread_busy` or `invalid_message`; nothing may be written then.
 */
export function settle(at: Place, thread: KnownThread | undefined, commit: Commit): Settled {
  if (thread === undefined) throw noSuchThread(at.threadId);
  if (at.fence !== null && thread.fence > at.fence) throw fencedOff(at.threadId, at.fence);
  return holds(thread, commit) ? { applied: true, writes: writesOf(at.threadId, thread, commit) } : nothing;
}

/** Whether a commit finds the value that it expects, and what it replaces or removes. */
function holds(thread: KnownThread, { expected, replace, remove, removeFiles }: Commit): boolean {
  if (expected && JSON.stringify(thread.valueOf(expected.key)) !== JSON.stringify(expected.value))
    return false;
  if (replace && thread.roleOf(replace.id) === undefined) return false;
  if (remove?.some((id) => thread.roleOf(id) === undefined)) return false;
  return !removeFiles?.some((path) => !thread.hasFile(path));
}

function writesOf(threadId: string, thread: KnownThread, commit: Commit): Writes {
  const { messages, toolCalls, runs, enqueue, posted } = commit;
  const news = messages && newMessages(threadId, thread, messages);
  const isRepeated = messages !== undefined && messages.length > 0 && news?.fresh.size === 0;
  const comesIn = (enqueue !== undefined || posted !== undefined) && !isRepeated;
  return {
    messages: news && [...news.fresh.values()],
    replace: commit.replace,
    remove: commit.remove,
    toolCalls: toolCalls && newCalls(threadId, thread, { toolCalls, news }),
    runs: isRepeated ? undefined : runs,
    dequeue: commit.dequeue,
    enqueue: comesIn ? newItems(threadId, thread, { commit, news }) : undefined,
    values: commit.values,
    files: commit.files,
    removeFiles: commit.removeFiles,
    thread: commit.thread,
  };
}

/** The messages of a commit that are new, and the ids of those that were in the thread before. */
interface NewMessages {
  readonly fresh: ReadonlyMap<string, StoredMessage>;
  readonly old: ReadonlySet<string>;
}

function newMessages(threadId: string, thread: KnownThread, given: readonly StoredMessage[]): NewMessages {
  const fresh = new Map<string, StoredMessage>();
  const old = new Set<string>();
  for (const message of given) {
    const stored = thread.roleOf(message.id);
    const known = stored ?? fresh.get(message.id)?.role;
    if (known !== undefined && known !== message.role) throw messageIdTaken(threadId, message.id);
    if (stored !== undefined) old.add(message.id);
    else if (known === undefined) fresh.set(message.id, message);
  }
  return { fresh, old };
}

/** Those that come again with their message are left alone. */
function newCalls(
  threadId: string,
  thread: KnownThread,
  { toolCalls, news }: { toolCalls: readonly ToolCallRecord[]; news: NewMessages | undefined },
): ToolCallRecord[] {
  return toolCalls.filter(({ messageId }) => {
    if (news?.old.has(messageId)) return false;
    if (news?.fresh.has(messageId) || thread.roleOf(messageId) !== undefined) return true;
    throw noSuchMessage(threadId, messageId);
  });
}

/** What leaves the queue in the same commit gives its id free. */
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
    const known = [stored, waiting && roleOfItem(waiting)];
    refuseOtherRole({ threadId, id, role: roleOfItem(item), known });
    const isStored = item === posted && item.kind === 'message' && stored !== undefined;
    if (waiting === undefined && !isStored) added.set(id, item);
  }
  return [...added.values()];
}

/** A thread of a family with its newest lease. */
export interface LeasedThread {
  readonly threadId: string;
  readonly lease: StoredLease | null;
}

/**
 * Whether a thread may be removed; `below` are all threads below it.
 * @throws RunError `thread_busy` under an old fence, or where one of them has a lease that lives, of another owner than the thread's.
 */
export function checkRemoval(thread: LeasedThread, below: readonly LeasedThread[], fence: number): void {
  if (thread.lease && thread.lease.fence > fence) throw fencedOff(thread.threadId, fence);
  const owner = thread.lease?.owner ?? null;
  for (const { threadId, lease } of below)
    if (lease && lease.owner !== owner && isLive(lease)) throw leasedOut(threadId, lifeOf(lease));
}

/** Whether a lease is still the one that was read. */
export function isSameLease(a: StoredLease | null, b: StoredLease | null): boolean {
  return (
    a?.fence === b?.fence && a?.owner === b?.owner && a?.expiresAt === b?.expiresAt && a?.ttlMs === b?.ttlMs
  );
}
