import { isLive, lifeOf } from '../lease-life.ts';
import { leasedOut, leaseLost, noSuchThread } from '../refusals.ts';
import type { Lease, LeaseRequest } from '../store.ts';
import type { Memory, MemoryThread } from './thread.ts';

/** Gives a lease. @throws RunError `not_found`, or `thread_busy` while another owner's lease lives. */
export function acquire(memory: Memory, { threadId, owner, ttlMs, turnId }: LeaseRequest): Lease {
  const thread = memory.threads.get(threadId);
  if (!thread) throw noSuchThread(threadId);
  const held = thread.lease;
  if (held && held.owner !== owner && isLive(held)) throw leasedOut(threadId, lifeOf(held));
  const fence = held?.owner === owner ? held.fence : ++memory.lastFence;
  const lease: Lease = { threadId, owner, fence, expiresAt: Date.now() + ttlMs, ttlMs };
  if (turnId !== undefined) lease.turnId = turnId;
  thread.lease = lease;
  return { ...lease };
}

/** Extends a lease. @throws RunError `not_found`, or `thread_busy` where it was released or taken over. */
export function renew(memory: Memory, lease: Lease, ttlMs: number): Lease {
  const thread = memory.threads.get(lease.threadId);
  if (!thread) throw noSuchThread(lease.threadId);
  if (!isCurrent(thread, lease)) throw leaseLost(lease.threadId);
  const renewed = { ...lease, expiresAt: Date.now() + ttlMs, ttlMs };
  thread.lease = renewed;
  return { ...renewed };
}

/** A copy of the lease that lives. */
export function current(thread: MemoryThread | undefined): Lease | null {
  const { lease } = thread ?? {};
  if (!lease || lease.owner === null || !isLive(lease)) return null;
  return { ...lease, owner: lease.owner };
}

/** @throws RunError `thread_busy` where another owner than the thread's has a lease on it or on one of its descendants. */
export function refuseOthers(memory: Memory, thread: MemoryThread, owner: string | null): void {
  const { lease, record } = thread;
  if (lease && lease.owner !== owner && isLive(lease)) throw leasedOut(record.id, lifeOf(lease));
  for (const child of memory.threads.values())
    if (child.record.parentId === record.id) refuseOthers(memory, child, owner);
}

/** Ends a lease, where it is still the newest. */
export function release(thread: MemoryThread | undefined, lease: Lease): void {
  if (thread?.lease && isCurrent(thread, lease))
    thread.lease = { ...thread.lease, owner: null, expiresAt: 0 };
}

function isCurrent(thread: MemoryThread, lease: Lease): boolean {
  return thread.lease?.fence === lease.fence && thread.lease.owner === lease.owner;
}
