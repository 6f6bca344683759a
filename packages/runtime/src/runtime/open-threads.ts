import { type AnyHook, type Executor, RunError } from '@spec/hooks';
import { findRunCode } from '../aborted.ts';
import type { AgentDefinition } from '../definitions/agent.ts';
import { type Catalog, createCatalog, requireAgent, swapHooks } from '../definitions/catalog.ts';
import type { AskPerson } from '../definitions/permission-ask.ts';
import { checkMode } from '../definitions/permission-mode.ts';
import type { RetryOptions } from '../definitions/retry.ts';
import type { SkillLoader } from '../definitions/skill.ts';
import {
  type Engine,
  embeddedEngine,
  type RunTurn,
  type TurnContext,
  type TurnRequest,
} from '../engine/engine.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import type { Signals } from '../events/signals.ts';
import { checkFields, checkName, checkNewId, checkOptions, checkText } from '../given.ts';
import { keepLedger, type LedgerKeeper } from '../ledger/retention.ts';
import {
  ancestorsUnder,
  endSession,
  loadMode,
  openSession,
  setMode,
  startSession,
} from '../session/lifecycle.ts';
import { LiveView } from '../state/live-view.ts';
import { memoryStore } from '../stores/memory/index.ts';
import { RecentThreads } from '../stores/recent-messages.ts';
import type { Store, ThreadHead, ThreadRecord } from '../stores/store.ts';
import { checkContextLimit } from '../thread/contexts.ts';
import { type NewChild, type RuntimeCore, ThreadCore, type ThreadView } from '../thread/core.ts';
import { refuseDerivedId } from '../thread/ids.ts';
import { Heartbeat, headQuery } from '../thread/lease.ts';
import type { Caller } from '../thread/session.ts';
import { nowInMicros } from '../time.ts';
import { loadOpenTelemetry } from '../tracing/open-telemetry.ts';
import { tellEndElsewhere } from '../turn/commits.ts';
import { runExclusive } from '../turn/exclusive.ts';
import { runTurn, type SubmittedTurn, sendMessage } from '../turn/turn.ts';
import { flushRuns } from '../writes/commit.ts';
import { batchLeftOpen } from '../writes/open-batch.ts';
import { warnOfIdleHooks } from './hook-warnings.ts';
import { IdleThreads } from './idle-threads.ts';
import {
  checkRuntimeOptions,
  leaseInMs,
  type OpenOptions,
  openOptionNames,
  type RuntimeOptions,
  type ThreadOptions,
  threadOptionNames,
} from './options.ts';
import { createThreadExecutor } from './thread-executor.ts';

/** The open threads of one runtime, one {@link ThreadCore} for each, and what they share. */
export class OpenThreads implements RuntimeCore {
  readonly store: Store;
  readonly recent: RecentThreads = new RecentThreads();
  readonly catalog: Catalog;
  readonly executor: Executor<ThreadView>;
  readonly owner: string = crypto.randomUUID();
  readonly leaseMs: number;
  readonly heartbeat: Heartbeat;
  readonly onAsk: AskPerson | undefined;
  readonly skills: SkillLoader | undefined;
  readonly contextLimit: number | undefined;
  readonly signals: Signals | undefined;
  readonly streamsRaw: boolean;
  readonly retry: RetryOptions | undefined;
  readonly ledger: LedgerKeeper;
  readonly tracesValues: boolean;
  readonly #engine: Engine;
  readonly #here: Engine; // Runs the turns that belong to a turn of this process.
  readonly begin: RuntimeCore['begin'] = sendMessage;
  readonly tellEnd: RuntimeCore['tellEnd'] = tellEndElsewhere;
  readonly #open = new Map<string, ThreadCore>();
  readonly #idle: IdleThreads;
  readonly #warns: boolean;
  #closing: Promise<void> | undefined;

  constructor(options: RuntimeOptions & { hooks?: readonly AnyHook[] }) {
    checkRuntimeOptions(options);
    this.catalog = createCatalog(options);
    this.#warns = options.warnings !== 'off';
    if (this.#warns) warnOfIdleHooks(this.catalog);
    this.store = options.store ?? memoryStore();
    this.leaseMs = leaseInMs(options.lease);
    this.heartbeat = new Heartbeat(this.leaseMs);
    this.#idle = new IdleThreads(this.leaseMs);
    this.onAsk = options.onAsk;
    this.skills = options.skills;
    this.contextLimit = checkContextLimit(options.contextLimit);
    this.signals = options.signals;
    this.streamsRaw = options.stream === 'raw';
    this.retry = options.retry;
    this.ledger = keepLedger(this.store, options.ledger);
    this.tracesValues = options.trace === 'values';
    this.executor = createThreadExecutor(options, this.catalog.registry);
    const parts = { store: this.store, run: (...turn: Parameters<RunTurn>) => this.runTurn(...turn) };
    this.#here = embeddedEngine(parts);
    this.#engine = options.engine?.(parts) ?? this.#here;
  }

  engineFor({ session }: ThreadCore): Engine {
    return session.caller === undefined ? this.#engine : this.#here;
  }

  /** Runs a turn for an engine; one that this process has not begun waits for those that it has. */
  async runTurn(threadId: string, request: TurnRequest, context: TurnContext): Promise<TurnResult> {
    const core = await this.#existing(threadId);
    const submitted = { request, context };
    if (context.isExclusive) return this.#runExclusive(core, submitted);
    const begun = core.turns.find(request.id);
    if (begun !== undefined) return runTurn(core, begun, submitted);
    const { id, isNamed = false } = request;
    return core.turns.enter({ id, isNamed }, (flow) => runTurn(core, flow, submitted));
  }

  /** A thread that was deleted since it was opened here, and made anew under its id, is opened again. */
  async #runExclusive(core: ThreadCore, submitted: SubmittedTurn): Promise<TurnResult> {
    try {
      return await runExclusive(core, submitted, this.#here).finally(() => this.#idle.add(core));
    } catch (error) {
      if (this.#open.get(core.id) === core || this.isClosing || findRunCode(error) !== 'not_found')
        throw error;
      return this.#runExclusive(await this.#existing(core.id), submitted);
    }
  }

  /** Replaces all hooks, or all policies. @throws {DefinitionError} where an id is missing; then nothing has changed */
  swap(change: Parameters<typeof swapHooks>[1]): void {
    swapHooks(this.catalog, change);
    if (this.#warns) warnOfIdleHooks(this.catalog);
  }

  /** Creates a thread for the application. @throws {RunError} `closed`, `invalid_input` */
  async create(given: ThreadOptions): Promise<ThreadCore> {
    this.#refuseClosing();
    checkFields("The options of createThread, such as { agent: 'support' },", given, 'invalid_input');
    checkOptions('createThread', given, threadOptionNames);
    const { agent, ...options } = given;
    if (options.id !== undefined) checkNewId('thread', options.id);
    if (options.userId != null) checkText('userId of a thread', options.userId);
    if (options.metadata !== undefined)
      checkFields('The metadata of a thread', options.metadata, 'invalid_input');
    if (options.permissionMode !== undefined) checkMode(options.permissionMode);
    refuseDerivedId(options.id, String(options.id));
    return this.#add({ ...options, agent: requireAgent(this.catalog, agent), parent: undefined });
  }

  createChild(parent: ThreadCore, { id, agent, caller }: NewChild): Promise<ThreadCore> {
    return this.#add({ id, agent: requireAgent(this.catalog, agent), parent, caller });
  }

  async #add({
    agent,
    parent,
    id = crypto.randomUUID(),
    userId,
    metadata = {},
    permissionMode,
    caller,
  }: NewThread): Promise<ThreadCore> {
    const record: ThreadRecord = {
      id,
      agentId: agent.name,
      userId: userId ?? parent?.record.userId ?? null,
      parentId: parent?.id ?? null,
      depth: (parent?.record.depth ?? -1) + 1,
      createdAt: nowInMicros(),
      currentSide: 'a',
      terminated: null,
      turn: null,
      compaction: null,
      metadata,
    };
    await Promise.all([this.store.createThread(record), loadOpenTelemetry()]);
    const core = new ThreadCore(this, record, agent);
    this.#open.set(id, core);
    core.isMade = false;
    core.session.caller = caller;
    if (parent !== undefined) core.session.ancestors = ancestorsUnder(parent);
    try {
      if (permissionMode !== undefined) await setMode(core, permissionMode);
      await this.executor.run('after_thread_created', core.scope, core.state);
      await flushRuns(core);
      await startSession(core, 'created');
    } catch (error) {
      await this.#unmake(core).catch(() => {}); // Why it could not be made is what the caller must see.
      throw error;
    }
    core.isMade = true;
    return core;
  }

  /** Of a thread that could not be made nothing is left: its id is free again. */
  async #unmake(core: ThreadCore): Promise<void> {
    const { store, owner, leaseMs: ttlMs } = this;
    await core.close();
    const { fence } = await store.acquireLease({ threadId: core.id, owner, ttlMs });
    await store.deleteThread(core.id, fence);
    this.forgetFamily(core);
  }

  /** Opens a thread for the application. @throws {RunError} `closed`, `not_found` */
  async open(threadId: string, options: OpenOptions = {}): Promise<ThreadCore> {
    this.#refuseClosing();
    checkOptions('openThread', options, openOptionNames);
    const { permissionMode, restoreSkills } = options;
    checkName('id of a thread', threadId);
    if (permissionMode !== undefined) checkMode(permissionMode);
    const ending = this.#open.get(threadId);
    if (ending !== undefined && !ending.isOpen) await ending.close().catch(() => {}); // Who closed it hears of its failure.
    const core = await this.#existing(threadId);
    if (permissionMode !== undefined) await setMode(core, permissionMode);
    await openSession(core, { restoreSkills });
    return core;
  }

  async #existing(threadId: string): Promise<ThreadCore> {
    const core = await this.reach(threadId);
    if (core !== null) return core;
    throw new RunError('not_found', `There is no thread ${threadId} in the store.`, { threadId });
  }

  async reach(threadId: string): Promise<ThreadCore | null> {
    const open = this.#open.get(threadId);
    if (open !== undefined) return open;
    const [head] = await Promise.all([this.store.readHead(threadId, headQuery), loadOpenTelemetry()]);
    if (head === null) return null;
    const core = new ThreadCore(this, head.record, requireAgent(this.catalog, head.record.agentId));
    await core.load(head);
    const openedMeanwhile = this.#open.get(threadId) ?? core;
    this.#open.set(threadId, openedMeanwhile);
    return openedMeanwhile;
  }

  view(core: ThreadCore): ThreadView {
    return new LiveView(core);
  }

  async reload(core: ThreadCore, head: ThreadHead): Promise<void> {
    core.batch = await batchLeftOpen(core);
    await loadMode(core, head);
  }

  async finish(core: ThreadCore): Promise<void> {
    await endSession(core);
    await flushRuns(core);
  }

  find(threadId: string): ThreadCore | undefined {
    return this.#open.get(threadId);
  }

  forget(core: ThreadCore): void {
    if (this.#open.get(core.id) === core) this.#open.delete(core.id);
  }

  forgetFamily(core: ThreadCore): void {
    core.end();
    for (const other of this.#open.values()) if (other.record.parentId === core.id) this.forgetFamily(other);
  }

  familyOf(core: ThreadCore): ThreadCore[] {
    const children = [...this.#open.values()].filter(({ record }) => record.parentId === core.id);
    return [core, ...children.flatMap((child) => this.familyOf(child))];
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closings = await Promise.allSettled([...this.#open.values()].map((core) => core.close()));
    this.heartbeat.end();
    this.#idle.stop();
    await this.ledger.settled();
    await this.signals?.close();
    await this.store.close();
    const failure = closings.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failure !== undefined) throw failure.reason;
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }
  #refuseClosing(): void {
    if (this.isClosing) throw new RunError('closed', 'The runtime is closed.');
  }
}

interface NewThread extends Omit<ThreadOptions, 'agent'> {
  readonly agent: AgentDefinition;
  readonly parent: ThreadCore | undefined;
  readonly caller?: Caller;
}
