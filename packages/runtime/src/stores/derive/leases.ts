import type { NextLease, StoredLease } from '../driver.ts';
import { isLive, measureLife } from '../lease-life.ts';
import { leasedOut, leaseLost, noSuchThread } from '../refusals.ts';
import type { Lease, LeaseRequest, Store } from '../store.ts';
import type { OpenedDriver } from './opened.ts';

type LeaseMethods = Pick<Store, 'acquireLease' | 'getLease' | 'renewLease' | 'releaseLease'>;

/** The rules of leases: each says what comes after the lease that is there, which a driver asks inside one transaction. */
export function leaseMethods({ use }: OpenedDriver): LeaseMethods {
  async function replace(threadId: string, next: (held: StoredLease | null) => OwnedLease): Promise<Lease> {
    let wanted: OwnedLease | undefined;
    const kept = await use().changeLease(threadId, (held) => {
      if (held === undefined) throw noSuchThread(threadId);
      wanted = next(held);
      return wanted;
    });
    if (!wanted || !kept) throw noSuchThread(threadId);
    return { ...wanted, threadId, fence: kept.fence };
  }

  return {
    acquireLease: async ({ ...request }) => replace(request.threadId, (held) => taken(held, request)),
    async getLease(threadId) {
      const held = await use().readLease(threadId);
      if (!held || held.owner === null || !isLive(held)) return null;
      return { ...held, threadId, owner: held.owner };
    },
    renewLease: async ({ ...lease }, ttlMs) => replace(lease.threadId, (held) => renewed(held, lease, ttlMs)),
    async releaseLease({ ...lease }) {
      await use().changeLease(lease.threadId, (held) =>
        isHeldUnder(held, lease) ? { ...held, owner: null, expiresAt: 0 } : null,
      );
    },
  };
}

interface OwnedLease extends NextLease {
  readonly owner: string;
}

/** @throws RunError `thread_busy` while another owner's lease lives. */
function taken(held: StoredLease | null, { threadId, owner, ttlMs, turnId }: LeaseRequest): OwnedLease {
  if (held && held.owner !== owner && isLive(held)) throw leasedOut(threadId, measureLife(held));
  return leaseFromNow({ owner, fence: held?.owner === owner ? held.fence : null, ttlMs, turnId });
}

/** @throws RunError `thread_busy` where it was released or taken over. */
function renewed(held: StoredLease | null, lease: Lease, ttlMs: number): OwnedLease {
  const { threadId, owner, fence, turnId } = lease;
  if (!isHeldUnder(held, lease)) throw leaseLost(threadId);
  return leaseFromNow({ owner, fence, ttlMs, turnId });
}

type Wanted = Omit<OwnedLease, 'expiresAt' | 'turnId'> & Pick<LeaseRequest, 'turnId'>;

function leaseFromNow({ turnId, ...lease }: Wanted): OwnedLease {
  const timed = { ...lease, expiresAt: Date.now() + lease.ttlMs };
  return turnId === undefined ? timed : { ...timed, turnId };
}

function isHeldUnder(held: StoredLease | null | undefined, { fence, owner }: Lease): held is StoredLease {
  return held?.fence === fence && held.owner === owner;
}
