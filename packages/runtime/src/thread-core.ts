import { type Executor, type RunRecord, RunError, type Scope } from '@spec/hooks';
import { type Catalog, scopeOfAgent } from './catalog.ts';
import type { AgentDefinition } from './definitions.ts';
import { EventHub } from './events.ts';
import { Flow } from './flow.ts';
import type { Lease, LedgerEntry, Store, StoredMessage, ThreadRecord } from './store.ts';
import { ThreadView } from './thread-view.ts';
import { nowInMicros } from './time.ts';

/** What the threads of one runtime share. */
export interface RuntimeCore {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly executor: Executor<ThreadView>;
  /** Names this runtime as the owner of its leases. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly onAsk: AskPerson | undefined;
  openThread(threadId: string): Promise<ThreadCore | null>;
  createChild(parent: ThreadCore, agentName: string): Promise<ThreadCore>;
  forget(core: ThreadCore): void;
  readonly isClosed: boolean;
}

/** Asks a person about a tool call; `true` allows it. */
export type AskPerson = (ask: {
  readonly threadId: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly reason: string | undefined;
  readonly abortSignal: AbortSignal;
}) => Promise<boolean> | boolean;

/** One open thread: its record, its lease, where it is, and what waits to be written. */
export class ThreadCore {
  readonly runtime: RuntimeCore;
  readonly record: ThreadRecord;
  readonly agent: AgentDefinition;
  readonly events: EventHub = new EventHub();
  /** The state as the runtime itself uses it; hooks get views of it. */
  readonly state: ThreadView;
  flow: Flow;
  /** The turn that is running, or the last one that was; turns of a thread run one after another. */
  turn: Promise<unknown> = Promise.resolve();
  /** Set while the results of a batch are not all stored: what is injected meanwhile waits (design §7.1). */
  batch: { readonly waiting: StoredMessage[] } | undefined;
  readonly children: string[] = [];
  /** Runs of hooks that no commit has taken along yet. */
  #runs: LedgerEntry[] = [];
  #lease: Lease | undefined;
  #leasing: Promise<Lease> | undefined;

  constructor(runtime: RuntimeCore, record: ThreadRecord, agent: AgentDefinition) {
    this.runtime = runtime;
    this.record = record;
    this.agent = agent;
    this.flow = new Flow(null, record.currentSide);
    this.state = new ThreadView(this, undefined);
  }

  get id(): string {
    return this.record.id;
  }

  get store(): Store {
    return this.runtime.store;
  }

  /** The hooks that apply now. */
  get scope(): Scope {
    return scopeOfAgent(this.runtime.catalog, this.agent);
  }

  /** The fence to write with. Takes the lease where it is not held or about to run out. */
  fence(): number | Promise<number> {
    const lease = this.#lease;
    if (lease !== undefined && lease.expiresAt - Date.now() > this.runtime.leaseMs / 2) return lease.fence;
    return this.#takeLease();
  }

  async #takeLease(): Promise<number> {
    this.refuseClosed();
    const { owner, leaseMs, store } = this.runtime;
    this.#leasing ??= store.acquireLease({ threadId: this.id, owner, ttlMs: leaseMs });
    try {
      this.#lease = await this.#leasing;
    } finally {
      this.#leasing = undefined;
    }
    return this.#lease.fence;
  }

  /** Gives the lease back. */
  async release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    if (lease !== undefined) await this.store.releaseLease(lease);
  }

  /** Notes a run of a hook; it is written with the next commit. */
  note(run: RunRecord): void {
    const { turnId, stepCount } = this.flow;
    this.#runs.push({ ...run, threadId: this.id, turnId, step: stepCount, at: nowInMicros() });
    if (this.events.hasListeners) this.events.emit({ type: 'hook_run', run });
  }

  get hasRuns(): boolean {
    return this.#runs.length > 0;
  }

  /** Takes the noted runs, for a commit. */
  takeRuns(): LedgerEntry[] | undefined {
    if (this.#runs.length === 0) return undefined;
    const runs = this.#runs;
    this.#runs = [];
    return runs;
  }

  /** Writes the runs that no commit took along. */
  async flushRuns(): Promise<void> {
    const runs = this.takeRuns();
    if (runs !== undefined) await this.store.append(this.id, await this.fence(), { runs });
  }

  /** After an abort the results are still stored, by hooks whose signal is live: the rest of the turn is a flow of its own. */
  restIfAborted(): void {
    if (this.flow.abortSignal.aborted) this.flow = this.flow.afterAbort();
  }

  /** The thread is gone. */
  forget(): void {
    this.#lease = undefined;
    this.#runs = [];
    this.runtime.forget(this);
  }

  /** @throws {RunError} `closed` or `thread_terminated` */
  refuseClosed(): void {
    if (this.runtime.isClosed) throw new RunError('closed', `The runtime is closed; thread ${this.id} takes no more calls.`, { threadId: this.id });
    if (this.record.terminated !== null) {
      throw new RunError('thread_terminated', `Thread ${this.id} was terminated and takes no more messages.`, { threadId: this.id });
    }
  }
}
