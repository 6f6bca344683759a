import { and, sql } from 'drizzle-orm';
import type { Lease, LeaseRequest } from '../../store.ts';
import { leasedOut, leaseLost, noSuchThread } from '../refusals.ts';
import { bound, type Connection, equals } from './connection.ts';
import { leases } from './schema.ts';
import type { ThreadTable } from './threads.ts';

// L1: a lease is given, kept and ended inside a transaction that has the write lock, so processes cannot give one each.
// L2: a new lease is a new row with a new key, its fence; the row before it goes. A released lease keeps its row, without an owner.

/** The leases of one file. */
export interface LeaseTable {
  /** @throws RunError `not_found`, or `thread_busy` while another owner's lease lives. */
  acquire(request: LeaseRequest): Lease;
  /** @throws RunError `not_found`, or `thread_busy` where it was released or taken over. */
  renew(lease: Lease, ttlMs: number): Lease;
  release(lease: Lease): void;
}

const slot = sql.placeholder;

/** Prepares the statements over `leases`. */
export function leaseTable({ orm }: Connection, threads: ThreadTable): LeaseTable {
  const ofThread = equals(leases.thread, 'thread');
  const current = and(ofThread, equals(leases.fence, 'fence'), equals(leases.owner, 'owner'));
  const find = orm.select().from(leases).where(ofThread).prepare();
  const remove = orm.delete(leases).where(ofThread).prepare();
  const insert = orm
    .insert(leases)
    .values({ thread: slot('thread'), owner: slot('owner'), expiresAt: slot('expiresAt') })
    .prepare();
  const extend = orm
    .update(leases)
    .set({ expiresAt: bound(leases.expiresAt, 'expiresAt') })
    .where(current)
    .prepare();
  const end = orm.update(leases).set({ owner: null, expiresAt: 0 }).where(current).prepare();

  function keyOf(threadId: string): number {
    const key = threads.keyOf(threadId);
    if (key === undefined) throw noSuchThread(threadId);
    return key;
  }

  function renew(lease: Lease, ttlMs: number): Lease {
    const renewed = { ...lease, expiresAt: Date.now() + ttlMs };
    if (extend.run({ ...renewed, thread: keyOf(lease.threadId) }).changes === 0)
      throw leaseLost(lease.threadId);
    return renewed;
  }

  return {
    acquire({ threadId, owner, ttlMs }) {
      const thread = keyOf(threadId);
      const held = find.get({ thread });
      const now = Date.now();
      if (held?.owner === owner)
        return renew({ threadId, owner, fence: held.fence, expiresAt: held.expiresAt }, ttlMs);
      if (held && held.owner !== null && held.expiresAt > now)
        throw leasedOut(threadId, held.expiresAt - now);
      remove.run({ thread });
      const expiresAt = now + ttlMs;
      const fence = Number(insert.run({ thread, owner, expiresAt }).lastInsertRowid);
      return { threadId, owner, fence, expiresAt };
    },
    renew,
    release({ threadId, owner, fence }) {
      const thread = threads.keyOf(threadId);
      if (thread !== undefined) end.run({ thread, owner, fence });
    },
  };
}
