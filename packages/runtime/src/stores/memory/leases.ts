import type { Lease, LeaseRequest } from '../../store.ts';
import { leasedOut, leaseLost, noSuchThread } from '../refusals.ts';
import type { Memory, MemoryThread } from './thread.ts';

/** Gives a lease. @throws RunError `not_found`, or `thread_busy` while another owner's lease lives. */
export function acquire(memory: Memory, { threadId, owner, ttlMs }: LeaseRequest): Lease {
  const thread = memory.threads.get(threadId);
  if (!thread) throw noSuchThread(threadId);
  const now = Date.now();
  const held = thread.lease;
  const another = held && held.owner !== null && held.owner !== owner;
  if (another && held.expiresAt > now) throw leasedOut(threadId, held.expiresAt - now);
  const fence = held?.owner === owner ? held.fence : ++memory.lastFence;
  const lease = { threadId, owner, fence, expiresAt: now + ttlMs };
  thread.lease = lease;
  return { ...lease };
}

/** Extends a lease. @throws RunError `not_found`, or `thread_busy` where it was released or taken over. */
export function renew(memory: Memory, lease: Lease, ttlMs: number): Lease {
  const thread = memory.threads.get(lease.threadId);
  if (!thread) throw noSuchThread(lease.threadId);
  if (!isCurrent(thread, lease)) throw leaseLost(lease.threadId);
  const renewed = { ...lease, expiresAt: Date.now() + ttlMs };
  thread.lease = renewed;
  return { ...renewed };
}

/** Ends a lease, where it is still the newest. */
export function release(thread: MemoryThread | undefined, lease: Lease): void {
  if (thread?.lease && isCurrent(thread, lease))
    thread.lease = { ...thread.lease, owner: null, expiresAt: 0 };
}

function isCurrent(thread: MemoryThread, lease: Lease): boolean {
  return thread.lease?.fence === lease.fence && thread.lease.owner === lease.owner;
}
