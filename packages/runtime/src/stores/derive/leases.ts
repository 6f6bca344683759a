import type { NextLease, StoredLease } from '../driver.ts';
import { isLive, measureLife } from '../lease-life.ts';
import { leasedOut, leaseLost, noSuchThread } from '../refusals.ts';
import type { Lease, LeaseRequest, Store } from '../store.ts';
import type { OpenedDriver } from './opened.ts';

type LeaseMethods = Pick<Store, 'acquireLease' | 'getLease' | 'renewLease' | 'releaseLease'>;

/** The rules of leases: each makes the next lease from the present one. A driver calls it inside one transaction. */
export function leaseMethods({ use }: OpenedDriver): LeaseMethods {
  async function replace(threadId: string, next: NextOf): Promise<Lease> {
    let wanted: OwnedLease | undefined;
    const kept = await use().changeLease(threadId, (held, now = Date.now()) => {
      if (held === undefined) throw noSuchThread(threadId);
      wanted = next(held, now);
      return wanted;
    });
    if (!wanted || !kept) throw noSuchThread(threadId);
    return { ...wanted, threadId, fence: kept.fence };
  }

  return {
    acquireLease: async ({ ...request }) =>
      replace(request.threadId, (held, now) => leaseFrom(now, taken(held, request))),
    async getLease(threadId) {
      const held = await use().readLease(threadId);
      if (!held || held.owner === null || !isLive(held)) return null;
      const { readAt: _, owner, ...lease } = held;
      return { ...lease, threadId, owner };
    },
    renewLease: async ({ ...lease }, ttlMs) =>
      replace(lease.threadId, (held, now) => leaseFrom(now, renewed(held, lease, ttlMs))),
    async releaseLease({ ...lease }) {
      await use().changeLease(lease.threadId, (held) => (isHeldUnder(held, lease) ? released(held) : null));
    },
  };
}

/** Makes the next lease from the present one, by the clock that leases go by. */
type NextOf = (held: StoredLease | null, now: number) => OwnedLease;

interface OwnedLease extends NextLease {
  readonly owner: string;
}

/** @throws RunError `thread_busy` while another owner has a live lease that is not to be taken over. */
function taken(held: StoredLease | null, request: LeaseRequest): Wanted {
  const { threadId, owner, ttlMs, turnId, takeOver } = request;
  if (takeOver !== true && held && held.owner !== owner && isLive(held))
    throw leasedOut(threadId, measureLife(held));
  return { owner, fence: held?.owner === owner ? held.fence : null, ttlMs, turnId };
}

/** @throws RunError `thread_busy` if it was released or taken by another owner. */
function renewed(held: StoredLease | null, lease: Lease, ttlMs: number): Wanted {
  const { threadId, owner, fence, turnId } = lease;
  if (!isHeldUnder(held, lease)) throw leaseLost(threadId);
  return { owner, fence, ttlMs, turnId };
}

function released({ readAt: _, ...held }: StoredLease): NextLease {
  return { ...held, owner: null, expiresAt: 0 };
}

type Wanted = Omit<OwnedLease, 'expiresAt' | 'turnId'> & Pick<LeaseRequest, 'turnId'>;

function leaseFrom(now: number, { turnId, ...lease }: Wanted): OwnedLease {
  const timed = { ...lease, expiresAt: now + lease.ttlMs };
  return turnId === undefined ? timed : { ...timed, turnId };
}

function isHeldUnder(held: StoredLease | null | undefined, { fence, owner }: Lease): held is StoredLease {
  return held?.fence === fence && held.owner === owner;
}
