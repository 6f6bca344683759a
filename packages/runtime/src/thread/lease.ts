import type { RunError } from '@spec/hooks';
import { findRunCode } from '../aborted.ts';
import { MODE_KEY } from '../definitions/permission-mode.ts';
import { measureLife } from '../stores/lease-life.ts';
import { KEPT_AT_LEAST, OPENING } from '../stores/recent-messages.ts';
import { leasedOut } from '../stores/refusals.ts';
import type { HeadQuery, Lease, LeaseRequest, Store, TakenThread, ThreadHead } from '../stores/store.ts';
import { pause, unref } from '../time.ts';
import { USAGE_KEY } from '../usage.ts';

/** What is read with a thread. */
export const headQuery: HeadQuery & { readonly keys: readonly string[] } = {
  keys: [USAGE_KEY, MODE_KEY],
  ends: { oldest: OPENING, newest: KEPT_AT_LEAST },
};

export interface LeaseOptions {
  readonly store: Store;
  readonly threadId: string;
  /** Names the runtime that wants to write. */
  readonly owner: string;
  readonly ttlMs: number;
  /** That of the runtime. */
  readonly heartbeat: Heartbeat;
  /** Called with each new lease, since another writer may have written before; with what the thread holds, where that was read with it. */
  readonly onNew: (head?: ThreadHead) => Promise<void>;
}

/**
 * One runtime's right to write to one thread (design §7.3).
 *
 * L1 It is taken with the first write and prolonged by the writes that find half of its time over.
 * L2 While a turn runs, a timer prolongs it, so a slow model or tool does not lose the thread.
 * L3 A write that another writer's lease refused makes it forget its own; the next one asks the store again.
 */
export class ThreadLease {
  readonly #options: LeaseOptions;
  #lease: Lease | undefined;
  /** Until when it certainly lives, by this process's own count of time: the clock of the store may be another one. */
  #livesUntil = 0;
  #lastFence: number | undefined;
  #wasTaken = false;
  /** The turn, under an id of its caller's, that it is taken for. */
  #turnId: string | undefined;
  #taking: Promise<number> | undefined;
  /** How many things that are under way hold it: a turn may finish another one first. */
  #holders = 0;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** The fence to write with; `undefined` if {@link take} must be called first. */
  get fence(): number | undefined {
    return performance.now() < this.#livesUntil ? this.#lease?.fence : undefined;
  }

  /** Whether it was taken and not given free: another writer may have it by now. */
  get wasTaken(): boolean {
    return this.#wasTaken;
  }

  /** The fence to write with. The lease is taken or prolonged first if necessary. @throws {RunError} as {@link take} does */
  held(): number | Promise<number> {
    return this.fence ?? this.take();
  }

  /** Takes or prolongs the lease. @throws {RunError} `thread_busy` while another runtime holds it; `not_found` */
  take(): Promise<number> {
    this.#taking ??= this.#acquire().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /**
   * Takes or prolongs it for a turn under an id of its caller's, before any hook of the turn runs: from then on whoever sends
   * under the same id, in any process, can see that it is under way.
   *
   * @throws {RunError} as {@link take} does
   */
  async takeFor(turnId: string): Promise<number> {
    while (this.#taking !== undefined) await this.#taking.catch(() => {});
    this.#turnId = turnId;
    return this.take();
  }

  /**
   * Takes it whoever has it, for an engine that knows that nobody else runs the thread.
   *
   * @param keys of further values that are wanted
   * @returns what the thread held then
   * @throws {RunError} `not_found`
   */
  async takeOver(keys: readonly string[] = []): Promise<ThreadHead> {
    while (this.#taking !== undefined) await this.#taking.catch(() => {});
    const taking = this.#takeOver(keys);
    this.#taking = taking
      .then(({ lease }) => lease.fence)
      .finally(() => {
        this.#taking = undefined;
      });
    await this.#taking;
    return (await taking).head;
  }

  async #takeOver(keys: readonly string[]): Promise<TakenThread> {
    const before = performance.now();
    const query = { ...headQuery, keys: [...headQuery.keys, ...keys] };
    const taken = await this.#options.store.takeOver(this.#makeRequest(), query);
    await this.#keep(taken.lease, before, taken.head);
    return taken;
  }

  /** Ends the turn. The next renewal of the lease is for no turn. */
  endTurn(turnId: string | null): void {
    if (this.#turnId === turnId) this.#turnId = undefined;
  }

  /**
   * Takes it once a writer that is known to have died has lost it: when that one's lease ends, however long it is.
   *
   * @param refuse called before each look; throws where it is no longer wanted
   * @throws {RunError} `thread_busy` if it is alive after all
   */
  async takeFromDead(refuse: () => void = () => {}): Promise<number> {
    const { store, threadId, ttlMs } = this.#options;
    const before = Date.now();
    let first: Lease | null | undefined;
    for (;;) {
      refuse();
      try {
        return await this.take();
      } catch (error) {
        if (!isThreadBusy(error)) throw error;
        const lease = await store.getLease(threadId);
        first ??= lease;
        if (Date.now() - before > 2 * ttlMs && isRenewed(first, lease)) throw error;
      }
      await pause(ttlMs / 10);
    }
  }

  async #acquire(): Promise<number> {
    const before = performance.now();
    const lease = await this.#options.store.acquireLease(this.#makeRequest());
    await this.#keep(lease, before);
    return lease.fence;
  }

  #makeRequest(): LeaseRequest {
    const { threadId, owner, ttlMs } = this.#options;
    const request = { threadId, owner, ttlMs };
    return this.#turnId === undefined ? request : { ...request, turnId: this.#turnId };
  }

  async #keep(lease: Lease, before: number, head?: ThreadHead): Promise<void> {
    const { ttlMs, onNew } = this.#options;
    if (lease.fence !== this.#lastFence) await onNew(head).catch((error) => this.#giveBack(lease, error));
    this.#lastFence = lease.fence;
    this.#lease = lease;
    this.#livesUntil = before + ttlMs / 2;
    this.#wasTaken = true;
  }

  /** A thread that cannot be written to here is free for others. */
  async #giveBack(lease: Lease, error: unknown): Promise<never> {
    await this.#options.store.releaseLease(lease).catch(() => {}); // It ends by itself.
    throw error;
  }

  /** Whether something that is under way holds it. */
  get isHeld(): boolean {
    return this.#holders > 0;
  }

  /** Prolongs it until the returned function is called. A thread that is lost all the same refuses the next write. */
  hold(): () => void {
    const { heartbeat } = this.#options;
    if (this.#holders++ === 0) heartbeat.add(this);
    return () => {
      if (--this.#holders === 0) heartbeat.remove(this);
    };
  }

  /** Takes note of why a write was refused. */
  noticeRefusal(error: unknown): void {
    if (isThreadBusy(error)) this.#lease = undefined;
  }

  /** Gives the thread free for another writer. */
  async release(): Promise<void> {
    await this.#taking?.catch(() => {});
    const lease = this.#lease;
    this.#lease = undefined;
    this.#wasTaken = false;
    if (lease !== undefined) await this.#options.store.releaseLease(lease);
  }
}

/** The timer of L2, one for all leases of a runtime. */
export class Heartbeat {
  readonly #ms: number;
  readonly #held = new Set<ThreadLease>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isOver = false;

  /** @param ttlMs for how long the leases are taken */
  constructor(ttlMs: number) {
    this.#ms = ttlMs / 3;
  }

  add(lease: ThreadLease): void {
    this.#held.add(lease);
    this.#timer ??= unref(setInterval(() => this.#beat(), this.#ms));
  }

  remove(lease: ThreadLease): void {
    this.#held.delete(lease);
  }

  /** It ends when no lease waits to be prolonged. */
  #beat(): void {
    for (const lease of this.#held) void this.#prolong(lease);
    if (this.#held.size === 0) this.#stop();
  }

  /** A lease waits for its next beat once this one is over: a store that does not answer is not asked ever more. */
  async #prolong(lease: ThreadLease): Promise<void> {
    this.#held.delete(lease);
    await lease.take().catch(() => {});
    if (lease.isHeld && !this.#isOver) this.add(lease);
  }

  /** For good. */
  end(): void {
    this.#isOver = true;
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Whether a lease was taken or renewed since the first look. A lease that nobody renews ends by itself. */
function isRenewed(first: Lease | null, now: Lease | null): boolean {
  return now !== null && (now.fence !== first?.fence || now.expiresAt !== first.expiresAt);
}

/**
 * For what ends with the thread, before anything of it is ended: the store refuses it too.
 *
 * @throws {RunError} `thread_busy` if another runtime has one of the threads below it
 */
export async function refuseBusyBelow(store: Store, threadId: string, owner: string): Promise<void> {
  for (const { id } of await store.listThreads({ parentId: threadId })) {
    const lease = await store.getLease(id);
    if (lease !== null && lease.owner !== owner) throw leasedOut(id, measureLife(lease));
    await refuseBusyBelow(store, id, owner);
  }
}

/** Whether another runtime has a thread: the one with the id, if given. */
export function isThreadBusy(error: unknown, threadId?: string): boolean {
  if (findRunCode(error) !== 'thread_busy') return false;
  return threadId === undefined || (error as RunError).threadId === threadId;
}
