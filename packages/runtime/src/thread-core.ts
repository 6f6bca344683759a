import { type Executor, type NewMessage, RunError, type RunRecord, type Scope } from '@spec/hooks';
import { type Catalog, scopeOfAgent } from './catalog.ts';
import type { AgentDefinition } from './definitions.ts';
import { EventHub } from './events.ts';
import { Flow } from './flow.ts';
import { ThreadLease } from './lease.ts';
import type { AskPerson } from './permission.ts';
import type { LedgerEntry, Store, StoredMessage, ThreadRecord } from './store.ts';
import { ThreadView } from './thread-view.ts';
import { nowInMicros } from './time.ts';
import type { TurnResult } from './turn.ts';
import { flushRuns } from './writes.ts';

/** What the threads of one runtime share. */
export interface RuntimeCore {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly executor: Executor<ThreadView>;
  /** Names this runtime as the owner of its leases. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly onAsk: AskPerson | undefined;
  /** Whether text leaves while the model writes, even where a hook could still change it. */
  readonly streamsRaw: boolean;
  /** The open thread, opened if need be; `null` where the store has none. */
  reach(threadId: string): Promise<ThreadCore | null>;
  runTurn(core: ThreadCore, flow: Flow, input: NewMessage): Promise<TurnResult>;
  createChild(parent: ThreadCore, agentName: string): Promise<ThreadCore>;
  /** The thread is no longer open. */
  forget(core: ThreadCore): void;
  /** The thread and all its descendants are gone. */
  forgetFamily(core: ThreadCore): void;
}

/** What is injected while the results of a batch are not all stored (design §7.1). */
export interface OpenBatch {
  readonly waiting: StoredMessage[];
}

/** One open thread: its record, its lease, its turns, and what waits to be written. */
export class ThreadCore {
  readonly runtime: RuntimeCore;
  readonly agent: AgentDefinition;
  readonly events: EventHub = new EventHub();
  readonly lease: ThreadLease;
  /** The state without an end and without a turn of its own: it is where the thread is. */
  readonly state: ThreadView;
  record: ThreadRecord;
  children: string[] = [];
  batch: OpenBatch | undefined;
  /** Whether the application has a handle of it. */
  isHandled = false;
  #life: 'open' | 'closing' | 'closed' = 'open';
  #closing: Promise<void> | undefined;
  /** The running turn, and those that wait for it. */
  readonly #turns: Flow[] = [];
  #lastTurn: Promise<unknown> = Promise.resolve();
  #rest: Flow;
  #outside: ThreadView | undefined;
  /** Runs of hooks that no commit has taken along yet. */
  #runs: LedgerEntry[] = [];

  constructor(runtime: RuntimeCore, record: ThreadRecord, agent: AgentDefinition) {
    const { store, owner, leaseMs: ttlMs } = runtime;
    this.runtime = runtime;
    this.record = record;
    this.agent = agent;
    this.lease = new ThreadLease({ store, threadId: record.id, owner, ttlMs, onNew: () => this.load() });
    this.#rest = new Flow(null, record.currentSide);
    this.state = new ThreadView(this);
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

  /** Where the thread is now. A turn that was aborted is over for all but itself. */
  get flow(): Flow {
    const [running] = this.#turns;
    return running === undefined || running.isAborted ? this.#rest : running;
  }

  /** The thread as the application writes to it: outside of any turn, so that stopping one does not end its writes. */
  get outside(): ThreadView {
    this.#outside ??= this.state.in(this.#rest);
    return this.#outside;
  }

  /** Reads again what another writer may have changed. */
  async load(): Promise<void> {
    const { store, id } = this;
    const [record, children] = await Promise.all([store.getThread(id), store.listThreads({ parentId: id })]);
    if (record !== null) this.record = record;
    this.children = children.map((child) => child.id);
  }

  /** Runs a turn, after the turns before it. */
  send(input: NewMessage): Promise<TurnResult> {
    return this.enter((flow) => this.runtime.runTurn(this, flow, input));
  }

  /** Runs something as a turn of its own, after the turns before it, whether or not those failed. */
  enter<T>(run: (flow: Flow) => Promise<T>): Promise<T> {
    const flow = new Flow(crypto.randomUUID(), this.record.currentSide);
    this.#turns.push(flow);
    const running = this.#lastTurn.then(() => run(flow)).finally(() => this.#leave());
    this.#lastTurn = running.catch(() => {});
    return running;
  }

  #leave(): void {
    this.#turns.shift();
    this.#rest = new Flow(null, this.record.currentSide);
    this.#outside = undefined;
  }

  /** Aborts the turn that is running or about to begin. Where there is none, nothing happens. */
  stop(reason?: unknown): void {
    this.#turns[0]?.abort(reason);
  }

  /** Aborts every turn that has not ended. */
  stopAll(): void {
    for (const flow of this.#turns) flow.abort();
  }

  /** Notes a run of a hook; it is written with the next commit. */
  note(run: RunRecord, { turnId, stepCount }: Flow): void {
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

  /** Takes runs back whose commit failed. */
  returnRuns(runs: readonly LedgerEntry[]): void {
    this.#runs.unshift(...runs);
  }

  /** Ends the turns that are under way, and the thread with them. What is called twice is done once. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#life === 'open') this.#life = 'closing';
    await this.#lastTurn;
    try {
      await flushRuns(this);
    } finally {
      await this.lease.release().finally(() => this.end());
    }
  }

  /** From here on every call is refused. */
  end(): void {
    this.#life = 'closed';
    this.events.close();
    this.runtime.forget(this);
  }

  /** Whether it takes what the application asks; one that is closing only finishes what it has begun. */
  get isOpen(): boolean {
    return this.#life === 'open';
  }

  closedError(): RunError {
    const message = `Thread ${this.id} is closed. Open it again with openThread to go on.`;
    return new RunError('closed', message, { threadId: this.id });
  }

  /** For every write. @throws {RunError} `closed` */
  refuseClosed(): void {
    if (this.#life === 'closed') throw this.closedError();
  }

  /** For messages that are no part of what the runtime has to finish. @throws {RunError} `closed`, `thread_terminated` */
  refuseMessages(): void {
    this.refuseClosed();
    if (this.record.terminated === null) return;
    const message = `Thread ${this.id} was terminated and takes no more messages.`;
    throw new RunError('thread_terminated', message, { threadId: this.id });
  }
}
