import type { NextLease, StoredLease } from '../driver.ts';
import { isLive, measureLife } from '../lease-life.ts';
import { leasedOut, leaseLost, noSuchThread } from '../refusals.ts';
import type { Lease, LeaseRequest, Store } from '../store.ts';
import { readHead } from './heads.ts';
import type { OpenedDriver } from './opened.ts';

type LeaseMethods = Pick<Store, 'acquireLease' | 'takeOver' | 'getLease' | 'renewLease' | 'releaseLease'>;

/** The rules of leases: each makes the next lease from the present one. A driver calls it inside one transaction. */
export function leaseMethods(opened: OpenedDriver): LeaseMethods {
  const { use } = opened;
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

  async function release(lease: Lease): Promise<void> {
    await use().changeLease(lease.threadId, (held) => (isHeldUnder(held, lease) ? released(held) : null));
  }

  /** A thread that cannot be read here is free for others. */
  async function giveBack(lease: Lease, error: unknown): Promise<never> {
    await release(lease).catch(() => {}); // It ends by itself.
    throw error;
  }

  return {
    acquireLease: async ({ ...request }) =>
      replace(request.threadId, (held, now) => leaseFrom(now, taken(held, request))),
    async takeOver({ ...request }, { ...query } = {}) {
      const { threadId, ...taking } = request;
      const driver = use();
      if (driver.takeOver === undefined) {
        const lease = await replace(threadId, (held, now) => leaseFrom(now, takenOver(held, request)));
        const head = await readHead(opened, threadId, query).catch((error) => giveBack(lease, error));
        if (head === null) throw noSuchThread(threadId);
        return { lease, head };
      }
      const taken = await driver.takeOver(threadId, { ...taking, ...query });
      if (taken === null) throw noSuchThread(threadId);
      const { head, fence, expiresAt } = taken;
      const { owner, ttlMs, turnId } = request;
      const lease = { threadId, owner, fence, expiresAt, ttlMs };
      return { lease: turnId === undefined ? lease : { ...lease, turnId }, head };
    },
    async getLease(threadId) {
      const held = await use().readLease(threadId);
      if (!held || held.owner === null || !isLive(held)) return null;
      const { readAt: _, owner, ...lease } = held;
      return { ...lease, threadId, owner };
    },
    renewLease: async ({ ...lease }, ttlMs) =>
      replace(lease.threadId, (held, now) => leaseFrom(now, renewed(held, lease, ttlMs))),
    releaseLease: async ({ ...lease }) => release(lease),
  };
}

/** Makes the next lease from the present one, by the clock that leases go by. */
type NextOf = (held: StoredLease | null, now: number) => OwnedLease;

interface OwnedLease extends NextLease {
  readonly owner: string;
}

/** @throws RunError `thread_busy` while another owner has a live lease. */
function taken(held: StoredLease | null, request: LeaseRequest): Wanted {
  const { threadId, owner } = request;
  if (held && held.owner !== owner && isLive(held)) throw leasedOut(threadId, measureLife(held));
  return takenOver(held, request);
}

function takenOver(held: StoredLease | null, { owner, ttlMs, turnId }: LeaseRequest): Wanted {
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
