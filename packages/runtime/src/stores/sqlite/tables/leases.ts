import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { isLive, lifeOf } from '../../lease-life.ts';
import { leasedOut, leaseLost, noSuchThread } from '../../refusals.ts';
import type { Lease, LeaseRequest } from '../../store.ts';
import { bound, type Connection, equals } from '../file/connection.ts';
import { nameOfThread } from '../schema/damaged.ts';
import { leases, threads as threadRows } from '../schema/schema.ts';
import { decodeHolder, encodeHolder } from './lease-holder.ts';
import { rowCheckOf } from './row-checks.ts';
import { familyOf, type ThreadTable } from './threads.ts';

// L1: a lease is given, kept and ended inside a transaction that has the write lock, so processes cannot give one each.
// L2: the owner's column has its turn too, where it was taken for one; a fence alone says whose lease it is.
// L3: a new lease is a new row with a new key, its fence; the row before it goes. A released lease keeps its row, without an owner.

/** The leases of one file. */
export interface LeaseTable {
  /** @throws RunError `not_found`, or `thread_busy` while another owner's lease lives. */
  acquire(request: LeaseRequest): Lease;
  /** @throws RunError `not_found`, or `thread_busy` where it was released or taken over. */
  renew(lease: Lease, ttlMs: number): Lease;
  release(lease: Lease): void;
  /** The lease that lives. */
  current(threadId: string): Lease | null;
  /** @throws RunError `thread_busy` where another owner than the thread's has a lease on one of its descendants. */
  refuseOthers(threadId: string): void;
}

const slot = sql.placeholder;

/** Prepares the statements over `leases`. */
export function leaseTable({ orm }: Connection, threads: ThreadTable): LeaseTable {
  const { find, remove, insert, extend, end } = statements(orm);

  function keyOf(threadId: string): number {
    const key = threads.keyOf(threadId);
    if (key === undefined) throw noSuchThread(threadId);
    return key;
  }

  function renew(lease: Lease, ttlMs: number): Lease {
    const renewed = { ...lease, expiresAt: Date.now() + ttlMs, ttlMs };
    if (extend.run({ ...renewed, holder: holderOf(lease), thread: keyOf(lease.threadId) }).changes === 0)
      throw leaseLost(lease.threadId);
    return renewed;
  }

  return {
    acquire({ threadId, owner, ttlMs, turnId }) {
      const thread = keyOf(threadId);
      const held = checked(find.get({ thread }), threadId);
      const leaseUnder = (fence: number): Lease =>
        leaseOf({ threadId, owner, fence, expiresAt: Date.now() + ttlMs, ttlMs, turnId });
      if (held && ownerOf(held) === owner) return renew(leaseUnder(held.fence), ttlMs);
      if (held && isLive(held)) throw leasedOut(threadId, lifeOf(held));
      remove.run({ thread });
      const lease = leaseUnder(0);
      const { lastInsertRowid } = insert.run({ ...lease, thread, holder: holderOf(lease) });
      return { ...lease, fence: Number(lastInsertRowid) };
    },
    renew,
    release({ threadId, fence }) {
      const thread = threads.keyOf(threadId);
      if (thread !== undefined) end.run({ thread, fence });
    },
    current(threadId) {
      const thread = threads.keyOf(threadId);
      const held = thread === undefined ? undefined : checked(find.get({ thread }), threadId);
      if (held === undefined || held.owner === null || !isLive(held)) return null;
      const { fence, expiresAt, ttlMs } = held;
      return leaseOf({
        ...decodeHolder(held.owner),
        threadId,
        fence,
        expiresAt,
        ttlMs: ttlMs ?? lifeOf(held),
      });
    },
    refuseOthers: refusal(orm),
  };
}

const checkRow = rowCheckOf(leases, 'leases');

/** @throws RunError `store_unreadable` for a damaged lease: whose it is, nobody knows. */
function checked<Row extends object | undefined>(row: Row, threadId: unknown): Row {
  if (row !== undefined) checkRow(row, () => `the lease of ${nameOfThread(threadId)}`);
  return row;
}

function leaseOf({ turnId, ...lease }: Omit<Lease, 'turnId'> & Pick<LeaseRequest, 'turnId'>): Lease {
  return turnId === undefined ? lease : { ...lease, turnId };
}

function holderOf({ owner, turnId }: Lease): string {
  return encodeHolder({ owner, turnId });
}

function ownerOf({ owner }: { owner: string | null }): string | null {
  return owner === null ? null : decodeHolder(owner).owner;
}

function statements(orm: Connection['orm']) {
  const ofThread = equals(leases.thread, 'thread');
  const current = and(ofThread, equals(leases.fence, 'fence'), isNotNull(leases.owner));
  const find = orm.select().from(leases).where(ofThread).prepare();
  const remove = orm.delete(leases).where(ofThread).prepare();
  const insert = orm
    .insert(leases)
    .values({
      thread: slot('thread'),
      owner: slot('holder'),
      expiresAt: slot('expiresAt'),
      ttlMs: slot('ttlMs'),
    })
    .prepare();
  const extend = orm
    .update(leases)
    .set({
      owner: bound(leases.owner, 'holder'),
      expiresAt: bound(leases.expiresAt, 'expiresAt'),
      ttlMs: bound(leases.ttlMs, 'ttlMs'),
    })
    .where(current)
    .prepare();
  const end = orm.update(leases).set({ owner: null, expiresAt: 0 }).where(current).prepare();
  return { find, remove, insert, extend, end };
}

function refusal(orm: Connection['orm']): LeaseTable['refuseOthers'] {
  const { owner, expiresAt, ttlMs } = leases;
  const ofFamily = orm
    .select({ threadId: threadRows.id, owner, expiresAt, ttlMs })
    .from(leases)
    .innerJoin(threadRows, eq(threadRows.key, leases.thread))
    .where(and(isNotNull(owner), sql`${threadRows.id} in (${familyOf('id')})`))
    .prepare();
  return (threadId) => {
    const held = ofFamily.all({ id: threadId });
    for (const lease of held) checked(lease, lease.threadId);
    const thread = held.find((lease) => lease.threadId === threadId);
    const own = thread === undefined ? null : ownerOf(thread);
    const other = held.find((lease) => ownerOf(lease) !== own && isLive(lease));
    if (other !== undefined) throw leasedOut(other.threadId, lifeOf(other));
  };
}
