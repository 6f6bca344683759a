import { type Executor, RunError, type RunRecord, type Scope } from '@spec/hooks';
import type { AgentDefinition } from './agents.ts';
import type { AskPerson } from './asks.ts';
import { type Catalog, scopeOfAgent } from './catalog.ts';
import { flushRuns } from './commit.ts';
import type { Engine } from './engine.ts';
import { EventHub } from './events.ts';
import { Flow } from './flow.ts';
import { type Heartbeat, ThreadLease } from './lease.ts';
import { batchLeftOpen } from './open-batch.ts';
import { RecentMessages, type RecentThreads } from './recent-messages.ts';
import type { LedgerKeeper } from './retention.ts';
import { type Caller, ThreadSession } from './session-state.ts';
import { endSession, loadMode } from './sessions.ts';
import type { SideName } from './sides.ts';
import type { SkillLoader } from './skills.ts';
import type { LedgerEntry, Store, StoredMessage, ThreadRecord } from './store.ts';
import { ThreadView } from './thread-view.ts';
import { nowInMicros } from './time.ts';
import { type RunData, tracedValues } from './traced-values.ts';
import { TurnLine } from './turn-line.ts';

/** What the threads of one runtime share. */
export interface RuntimeCore {
  readonly store: Store;
  readonly recent: RecentThreads;
  readonly catalog: Catalog;
  readonly executor: Executor<ThreadView>;
  /** Names this runtime as the owner of its leases. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Prolongs the leases of turns that run. */
  readonly heartbeat: Heartbeat;
  readonly onAsk: AskPerson | undefined;
  readonly skills: SkillLoader | undefined;
  /** UTF-8 bytes of hooks' contexts that one message may hold. */
  readonly contextLimit: number | undefined;
  /** Whether text leaves while the model writes, even where a hook could still change it. */
  readonly streamsRaw: boolean;
  /** What is kept of the runs of hooks. */
  readonly ledger: LedgerKeeper;
  /** Whether data goes into the ledger and into spans (`trace: 'values'`). */
  readonly tracesValues: boolean;
  /** The open thread, opened if need be; `null` where the store has none. */
  reach(threadId: string): Promise<ThreadCore | null>;
  /** Where turns run. */
  readonly engine: Engine;
  createChild(parent: ThreadCore, child: NewChild): Promise<ThreadCore>;
  /** The open thread; `undefined` where it is not open. */
  find(threadId: string): ThreadCore | undefined;
  /** The thread is no longer open. */
  forget(core: ThreadCore): void;
  /** The thread and all its descendants are gone. */
  forgetFamily(core: ThreadCore): void;
  /** The thread and those of its descendants that are open. */
  familyOf(core: ThreadCore): ThreadCore[];
}

/** A child thread that is to be made. */
export interface NewChild {
  readonly id: string;
  readonly agent: string;
  readonly caller: Caller;
}

/** What is injected while the results of a batch are not all stored (design §7.1). */
export interface OpenBatch {
  readonly waiting: StoredMessage[];
}

/** One open thread: its record, its lease, its turns, and what waits to be written. */
export class ThreadCore {
  readonly runtime: RuntimeCore;
  readonly agent: AgentDefinition;
  readonly events: EventHub;
  readonly lease: ThreadLease;
  readonly recent: RecentMessages;
  readonly session: ThreadSession;
  /** The state without an end and without a turn of its own: it is where the thread is. */
  readonly state: ThreadView;
  record: ThreadRecord;
  children: string[] = [];
  batch: OpenBatch | undefined;
  /** Whether the application has a handle of it. */
  isHandled = false;
  /** Whether its `after_thread_created` hooks have run. */
  isMade = true;
  readonly turns: TurnLine = new TurnLine(this);
  #life: 'open' | 'closing' | 'closed' = 'open';
  #closing: Promise<void> | undefined;
  #rest: Flow;
  #outside: ThreadView | undefined;
  /** Runs of hooks that no commit has taken along yet. */
  #runs: LedgerEntry[] = [];

  constructor(runtime: RuntimeCore, record: ThreadRecord, agent: AgentDefinition) {
    const { store, owner, heartbeat, leaseMs: ttlMs } = runtime;
    this.runtime = runtime;
    this.record = record;
    this.agent = agent;
    this.events = hubOf(runtime, record);
    this.session = sessionOf(runtime, record);
    this.recent = new RecentMessages(store, runtime.recent);
    const onNew = (): Promise<void> => this.load();
    this.lease = new ThreadLease({ store, threadId: record.id, owner, ttlMs, heartbeat, onNew });
    this.#rest = new Flow(null, record.currentSide);
    this.state = new ThreadView(this);
  }

  get id(): string {
    return this.record.id;
  }

  get store(): Store {
    return this.runtime.store;
  }

  /** Whose go it is, also while a turn that was aborted comes to its end. */
  get side(): SideName {
    return (this.turns.running ?? this.record).currentSide;
  }

  /** The hooks that apply now. */
  get scope(): Scope {
    return this.session.scope(scopeOfAgent(this.runtime.catalog, this.agent, this.side));
  }

  /** Where the thread is now. A turn that was aborted is over for all but itself. */
  get flow(): Flow {
    const { running } = this.turns;
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
    this.recent.forget();
    const [record, children] = await Promise.all([store.getThread(id), store.listThreads({ parentId: id })]);
    if (record !== null) this.record = record;
    this.batch = await batchLeftOpen(this);
    this.children = children.map((child) => child.id);
    await loadMode(this);
  }

  /** Messages were committed. Those of a turn that goes on after a crash may have been there before. */
  remember(messages: readonly StoredMessage[]): void {
    const { running } = this.turns;
    if (running === undefined || running.context.attempt === 1) this.recent.add(messages);
    else this.recent.forget();
  }

  /** Has what was queued taken up. What is queued while the thread is being made waits for its first turn. */
  wake(): void {
    if (this.isMade) this.turns.wake();
  }

  /** A turn is over: the thread rests, at a place of its own. */
  rest(): void {
    this.#rest = new Flow(null, this.record.currentSide);
    this.#outside = undefined;
  }

  /** Notes a run of a hook; it is written with the next commit. */
  note(run: RunRecord, { turnId, stepCount }: Flow, data: RunData): void {
    const { ledger, tracesValues } = this.runtime;
    if (ledger.keepsRuns) {
      const entry = entryOf(run, { threadId: this.id, turnId, step: stepCount, at: nowInMicros() });
      this.#runs.push(tracesValues ? { ...entry, values: tracedValues(data) } : entry);
    }
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
    await this.turns.idle();
    try {
      await endSession(this);
      await flushRuns(this);
    } finally {
      await this.lease.release().finally(() => this.end());
    }
  }

  /** From here on every call is refused. */
  end(): void {
    this.#life = 'closed';
    this.recent.forget();
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

function sessionOf(runtime: RuntimeCore, { parentId }: ThreadRecord): ThreadSession {
  return parentId === null ? new ThreadSession() : new ThreadSession((id) => runtime.find(id)?.session);
}

function hubOf(runtime: RuntimeCore, { id, parentId }: ThreadRecord): EventHub {
  return parentId === null ? new EventHub(id) : new EventHub(id, () => runtime.find(parentId)?.events);
}

/** A run with its place, field by field: spread, it costs more than the hook. */
function entryOf(
  run: RunRecord,
  place: Pick<LedgerEntry, 'threadId' | 'turnId' | 'step' | 'at'>,
): LedgerEntry {
  const ms = Math.round(run.ms * 1_000) / 1_000; // more digits are noise, and bytes on the disk
  if (run.code !== undefined || run.why !== undefined) return { ...run, ms, ...place };
  const { hook, id, source, outcome, changed, sizeBefore, sizeAfter } = run;
  const { threadId, turnId, step, at } = place;
  return { hook, id, source, outcome, changed, ms, sizeBefore, sizeAfter, threadId, turnId, step, at };
}
