import type { StoreDriver, StoredLease } from '../driver.ts';
import { isLive, lifeOf } from '../lease-life.ts';
import { leasedOut, leaseLost, noSuchThread } from '../refusals.ts';
import type { Lease, LeaseRequest, Store } from '../store.ts';
import type { OpenedDriver } from './opened.ts';

type LeaseMethods = Pick<Store, 'acquireLease' | 'getLease' | 'renewLease' | 'releaseLease'>;

/** The rules of leases, over two calls: one reads a lease, the other replaces the one that was read. */
export function leaseMethods({ ask, alone }: OpenedDriver): LeaseMethods {
  return {
    acquireLease: async ({ ...request }) =>
      alone(request.threadId, (driver) => replace(driver, request.threadId, (held) => taken(held, request))),
    async getLease(threadId) {
      const held = await ask(threadId, (driver) => driver.readLease(threadId));
      if (!held || held.owner === null || !isLive(held)) return null;
      return { ...held, threadId, owner: held.owner };
    },
    renewLease: async ({ ...lease }, ttlMs) =>
      alone(lease.threadId, (driver) =>
        replace(driver, lease.threadId, (held) => {
          if (!isOf(held, lease)) throw leaseLost(lease.threadId);
          return { ...lease, expiresAt: Date.now() + ttlMs, ttlMs };
        }),
      ),
    releaseLease: async ({ ...lease }) => alone(lease.threadId, (driver) => release(driver, lease)),
  };
}

type OwnedLease = Omit<StoredLease, 'owner' | 'fence'> & { owner: string; fence: number | null };

/** Replaces a lease by one that follows from it, and begins anew where another process was faster. */
async function replace(
  driver: StoreDriver,
  threadId: string,
  next: (held: StoredLease | null) => OwnedLease,
): Promise<Lease> {
  for (;;) {
    const held = await driver.readLease(threadId);
    if (held === undefined) throw noSuchThread(threadId);
    const { owner, expiresAt, ttlMs, turnId, fence } = next(held);
    const wanted = { owner, fence, expiresAt, ttlMs, ...(turnId !== undefined && { turnId }) };
    const kept = await driver.swapLease(threadId, held, wanted);
    if (kept) return { ...wanted, threadId, fence: kept.fence };
  }
}

/** @throws RunError `thread_busy` while another owner's lease lives. */
function taken(held: StoredLease | null, { threadId, owner, ttlMs, turnId }: LeaseRequest): OwnedLease {
  if (held && held.owner !== owner && isLive(held)) throw leasedOut(threadId, lifeOf(held));
  const fence = held?.owner === owner ? held.fence : null;
  return { owner, fence, expiresAt: Date.now() + ttlMs, ttlMs, ...(turnId !== undefined && { turnId }) };
}

async function release(driver: StoreDriver, lease: Lease): Promise<void> {
  for (;;) {
    const held = await driver.readLease(lease.threadId);
    if (!held || !isOf(held, lease)) return;
    if (await driver.swapLease(lease.threadId, held, { ...held, owner: null, expiresAt: 0 })) return;
  }
}

function isOf(held: StoredLease | null, { fence, owner }: Lease): boolean {
  return held?.fence === fence && held.owner === owner;
}
