// Thread: one open thread, with its lease, its line of turns, and the places that make the ids of what is written. All rooms above hold it; it imports none of them.

import type { Context } from '@opentelemetry/api';
import {
  type Executor,
  type NewMessage,
  RunError,
  type RunRecord,
  type Scope,
  type ThreadState,
} from '@spec/hooks';
import type { AgentDefinition, SideName } from '../definitions/agent.ts';
import { type Catalog, findScopeOfAgent } from '../definitions/catalog.ts';
import type { AskPerson } from '../definitions/permission-ask.ts';
import type { RetryOptions } from '../definitions/retry.ts';
import type { SkillLoader } from '../definitions/skill.ts';
import type { Engine } from '../engine/engine.ts';
import type { TurnEnding, TurnResult } from '../engine/turn-result.ts';
import type { EventHub } from '../events/hub.ts';
import type { Signals } from '../events/signals.ts';
import { NotedRuns } from '../ledger/noted-runs.ts';
import type { LedgerKeeper } from '../ledger/retention.ts';
import { TokenSums } from '../ledger/token-sums.ts';
import type { RunData } from '../ledger/traced-values.ts';
import { RecentMessages, type RecentThreads } from '../stores/recent-messages.ts';
import type { Store, StoredMessage, ThreadHead, ThreadRecord } from '../stores/store.ts';
import { nowInMicros } from '../time.ts';
import { Flow } from './flow.ts';
import { type Heartbeat, headQuery, type LeaseOptions, ThreadLease } from './lease.ts';
import type { OpenBatch } from './open-batch.ts';
import type { WritePermit } from './permit.ts';
import type { Place } from './place.ts';
import type { Caller, ThreadSession } from './session.ts';
import { takeRecord } from './take-record.ts';
import { createHub, createSession } from './ties.ts';
import { TurnLine } from './turn-line.ts';
import type { TurnOwner } from './turn-owner.ts';

/** Everything that the threads of one runtime share. */
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
  /** What carries events to and from other processes. */
  readonly signals: Signals | undefined;
  /** Whether text is streamed while the model writes, even if a hook could still change it. */
  readonly streamsRaw: boolean;
  /** How often a model call that failed is made again, where its prompt does not say. */
  readonly retry: RetryOptions | undefined;
  /** What is kept of the runs of hooks. */
  readonly ledger: LedgerKeeper;
  /** Whether data goes into the ledger and into spans (`trace: 'values'`). */
  readonly tracesValues: boolean;
  /** The open thread, opened if necessary; `null` if the store has none. */
  reach(threadId: string): Promise<ThreadCore | null>;
  /** Where the turns of a thread run. */
  engineFor(core: ThreadCore): Engine;
  /** The thread's state that never ends and belongs to no turn. */
  view(core: ThreadCore): ThreadView;
  createChild(parent: ThreadCore, child: NewChild): Promise<ThreadCore>;
  /** The open thread; `undefined` if it is not open. */
  find(threadId: string): ThreadCore | undefined;
  /** Admits a person's message and has the engine run a turn on it. */
  begin(core: ThreadCore, flow: Flow, input: NewMessage): Promise<TurnResult>;
  /** Announces how a turn ended that another process ended. */
  tellEnd(core: ThreadCore, flow: Flow, end: TurnEnding): Promise<void>;
  /** Takes from the thread's head, and reads from its rows, what they say of its permission mode and of its open batch. */
  reload(core: ThreadCore, head: ThreadHead): Promise<void>;
  /** Ends the thread's session and writes what is still unwritten. */
  finish(core: ThreadCore): Promise<void>;
  /** The thread is no longer open. */
  forget(core: ThreadCore): void;
  /** The thread and all its descendants are gone. */
  forgetFamily(core: ThreadCore): void;
  /** The thread and those of its descendants that are open. */
  familyOf(core: ThreadCore): ThreadCore[];
}

/** A thread's state as one hook, one tool, one turn or the application sees it. */
export interface ThreadView extends ThreadState {
  readonly core: ThreadCore;
  readonly permit: WritePermit | undefined;
  /** The place in its turn where it writes. */
  readonly place: Place | undefined;
  /** The span around it. */
  readonly trace: Context | undefined;
  readonly flow: Flow;
  /** The same place for one hook or tool. */
  for(permit: WritePermit): ThreadView;
  /**
   * Runs one effect of the view's turn, at a place of its own (design §7.4). What is part of an effect or a hook
   * already, or of no turn, just runs.
   */
  step<T>(name: string, run: (at: ThreadView) => Promise<T> | T): Promise<T> | T;
  /** The same view at another place of its turn. */
  at(place: Place): ThreadView;
  /** The same view for the hooks that see a message. What they write belongs to the message. */
  about(messageId: string): ThreadView;
  /** The same view for what hooks gave, such as contexts: to other hooks it is none of the person's or the model's. */
  ofHooks(): ThreadView;
  /** The same place within a span. */
  traced(trace: Context): ThreadView;
  /** The thread in one of its turns. */
  in(flow: Flow): ThreadView;
  /** This view, or after an abort one with a live signal at the same place in the same turn. */
  afterAbort(): ThreadView;
  /** The id of the next write; `i` is for a message. */
  nextId(kind?: string): string;
  /** @throws {RunError} `late_write` */
  assertOpen(write: string): void;
}

/** A child thread that is to be made. */
export interface NewChild {
  readonly id: string;
  readonly agent: string;
  readonly caller: Caller;
}

/** One open thread: its record, its lease, its turns, and what waits to be written. */
export class ThreadCore implements TurnOwner {
  readonly runtime: RuntimeCore;
  readonly agent: AgentDefinition;
  readonly events: EventHub;
  readonly lease: ThreadLease;
  readonly recent: RecentMessages;
  readonly session: ThreadSession;
  /** The state that never ends and belongs to no turn: it is wherever the thread is. */
  readonly state: ThreadView;
  record: ThreadRecord;
  children: string[] = [];
  batch: OpenBatch | undefined;
  /** How often hooks and tools of the turn wrote messages from which place, by the messages' ids. */
  readonly writers: Map<string, Map<string, number>> = new Map();
  readonly runs: NotedRuns = new NotedRuns();
  /** What its model calls used. */
  readonly tokens: TokenSums = new TokenSums();
  /** Whether the application has a handle of it. */
  isHandled = false;
  /** Whether its `after_thread_created` hooks have run. */
  isMade = true;
  readonly turns: TurnLine = new TurnLine(this);
  #life: 'open' | 'closing' | 'closed' = 'open';
  #closing: Promise<void> | undefined;
  #rest: Flow;
  #outside: ThreadView | undefined;

  constructor(runtime: RuntimeCore, record: ThreadRecord, agent: AgentDefinition) {
    const { store, owner, heartbeat, leaseMs: ttlMs } = runtime;
    this.runtime = runtime;
    this.record = record;
    this.agent = agent;
    this.events = createHub(runtime, record);
    this.session = createSession(runtime, record);
    this.recent = new RecentMessages(store, runtime.recent);
    const onNew: LeaseOptions['onNew'] = (head) => this.load(head);
    this.lease = new ThreadLease({ store, threadId: record.id, owner, ttlMs, heartbeat, onNew });
    this.#rest = new Flow(null, record.currentSide);
    this.state = runtime.view(this);
  }

  get id(): string {
    return this.record.id;
  }

  get store(): Store {
    return this.runtime.store;
  }

  get engine(): Engine {
    return this.runtime.engineFor(this);
  }

  /** Whose go it is, also while a turn that was aborted comes to its end. */
  get side(): SideName {
    return (this.turns.running ?? this.record).currentSide;
  }

  /** The hooks that apply now. */
  get scope(): Scope {
    return this.session.scope(findScopeOfAgent(this.runtime.catalog, this.agent, this.side));
  }

  /** Where the thread is now. An aborted turn is over for everyone but itself. */
  get flow(): Flow {
    const { running } = this.turns;
    return running === undefined || running.isAborted ? this.#rest : running;
  }

  /** The thread as the application writes to it: outside of any turn, so that stopping one does not end its writes. */
  get outside(): ThreadView {
    this.#outside ??= this.state.in(this.#rest);
    return this.#outside;
  }

  /** Runs a turn on a person's message. */
  begin(flow: Flow, input: NewMessage): Promise<TurnResult> {
    return this.runtime.begin(this, flow, input);
  }

  tellEnd(flow: Flow, end: TurnEnding): Promise<void> {
    return this.runtime.tellEnd(this, flow, end);
  }

  /** Takes what another writer may have changed: as it was read, otherwise it is read now. */
  async load(read?: ThreadHead): Promise<void> {
    this.recent.forget();
    const head = read ?? (await this.store.readHead(this.id, headQuery));
    if (head === null) return;
    if (head.ends !== undefined) this.recent.begin(head.ends);
    this.record = takeRecord(this, head.record);
    this.children = head.children;
    this.tokens.load(head);
    await this.runtime.reload(this, head);
  }

  /** Notes committed messages. A turn that continues after a crash may have stored them before. */
  remember(messages: readonly StoredMessage[]): void {
    if ((this.turns.running?.context.attempt ?? 1) === 1) this.recent.add(messages);
    else this.recent.forget();
  }

  /** Starts work on queued items. Items queued while the thread is created wait for its first turn. */
  wake(): void {
    if (this.isMade) this.turns.wake();
  }

  /** Ends a turn: the thread rests in a new flow. */
  rest(): void {
    this.#rest = new Flow(null, this.record.currentSide);
    this.#outside = undefined;
    this.writers.clear();
  }

  /** Notes a run of a hook; it is written with the next commit. */
  recordRun(run: RunRecord, { turnId, stepCount }: Flow, data: RunData): void {
    const { ledger, tracesValues } = this.runtime;
    if (ledger.keepsRuns) {
      const place = { threadId: this.id, turnId, step: stepCount, at: nowInMicros() };
      this.runs.note(run, place, tracesValues ? data : undefined);
    }
    if (this.events.hasListeners) this.events.emit({ type: 'hook_run', run });
  }

  /** Ends the running turns, then the thread. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#life === 'open') this.#life = 'closing';
    await this.turns.idle();
    try {
      await this.runtime.finish(this);
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

  /** Whether it accepts requests of the application. A closing thread only finishes what it has begun. */
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

  /** Call before messages that are not part of what the runtime has to finish. @throws {RunError} `closed`, `thread_terminated` */
  refuseMessages(): void {
    this.refuseClosed();
    if (this.record.terminated === null) return;
    const message = `Thread ${this.id} was terminated and accepts no more messages.`;
    throw new RunError('thread_terminated', message, { threadId: this.id });
  }
}
