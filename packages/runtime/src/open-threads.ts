import {
  type AnyHook,
  createExecutor,
  DefinitionError,
  type Duration,
  durationInMs,
  type Executor,
  RunError,
} from '@spec/hooks';
import { type Catalog, createCatalog } from './catalog.ts';
import type { AgentDefinition } from './definitions.ts';
import type { AskPerson } from './permission.ts';
import { checkRewrittenInput } from './rewritten-input.ts';
import type { RuntimeOptions, ThreadOptions } from './runtime.ts';
import type { Store, ThreadRecord } from './store.ts';
import { memoryStore } from './stores/memory.ts';
import { type RuntimeCore, ThreadCore } from './thread-core.ts';
import type { ThreadView } from './thread-view.ts';
import { nowInMicros } from './time.ts';
import { runTurn } from './turn.ts';
import { flushRuns } from './writes.ts';

const DEFAULT_LEASE_MS = 10_000;

/** The open threads of one runtime, one {@link ThreadCore} for each, and what they share. */
export class OpenThreads implements RuntimeCore {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly executor: Executor<ThreadView>;
  readonly owner: string = crypto.randomUUID();
  readonly leaseMs: number;
  readonly onAsk: AskPerson | undefined;
  readonly streamsRaw: boolean;
  readonly runTurn: RuntimeCore['runTurn'] = runTurn;
  readonly #open = new Map<string, ThreadCore>();
  #closing: Promise<void> | undefined;

  constructor(options: RuntimeOptions & { hooks?: readonly AnyHook[] }) {
    this.catalog = createCatalog(options);
    this.store = options.store ?? memoryStore();
    this.leaseMs = leaseInMs(options.lease);
    this.onAsk = options.onAsk;
    this.streamsRaw = options.stream === 'raw';
    this.executor = executorOf(options, this.catalog);
  }

  /** Creates a thread for the application. @throws {RunError} `closed` */
  async create({ agent, ...options }: ThreadOptions): Promise<ThreadCore> {
    this.#refuseClosing();
    return this.#add({ ...options, agent: this.#agent(agent), parent: undefined });
  }

  createChild(parent: ThreadCore, agent: string): Promise<ThreadCore> {
    return this.#add({ agent: this.#agent(agent), parent });
  }

  async #add({
    agent,
    parent,
    id = crypto.randomUUID(),
    userId,
    metadata = {},
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
      metadata,
    };
    await this.store.createThread(record);
    const core = new ThreadCore(this, record, agent);
    this.#open.set(id, core);
    await this.executor.run('after_thread_created', core.scope, core.state);
    await flushRuns(core);
    return core;
  }

  /** Opens a thread for the application. @throws {RunError} `closed`, `not_found` */
  async open(threadId: string): Promise<ThreadCore> {
    this.#refuseClosing();
    const core = await this.reach(threadId);
    if (core !== null) return core;
    throw new RunError('not_found', `There is no thread ${threadId} in the store.`, { threadId });
  }

  async reach(threadId: string): Promise<ThreadCore | null> {
    const open = this.#open.get(threadId);
    if (open !== undefined) return open;
    const record = await this.store.getThread(threadId);
    if (record === null) return null;
    const core = new ThreadCore(this, record, this.#agent(record.agentId));
    await core.load();
    const openedMeanwhile = this.#open.get(threadId);
    if (openedMeanwhile !== undefined) return openedMeanwhile;
    this.#open.set(threadId, core);
    return core;
  }

  forget(core: ThreadCore): void {
    if (this.#open.get(core.id) === core) this.#open.delete(core.id);
  }

  forgetFamily(core: ThreadCore): void {
    core.end();
    for (const other of this.#open.values()) if (other.record.parentId === core.id) this.forgetFamily(other);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closings = await Promise.allSettled([...this.#open.values()].map((core) => core.close()));
    await this.store.close();
    const failure = closings.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failure !== undefined) throw failure.reason;
  }

  #agent(name: string): AgentDefinition {
    const agent = this.catalog.agents.get(name);
    if (agent !== undefined) return agent;
    const names = [...this.catalog.agents.keys()].join(', ');
    throw new DefinitionError(
      'unknown_id',
      `There is no agent "${name}". Registered are: ${names || 'none'}.`,
    );
  }

  #refuseClosing(): void {
    if (this.#closing !== undefined) throw new RunError('closed', 'The runtime is closed.');
  }
}

interface NewThread extends Omit<ThreadOptions, 'agent'> {
  readonly agent: AgentDefinition;
  readonly parent: ThreadCore | undefined;
}

function executorOf(
  { timeout, environment, onRunValues }: RuntimeOptions,
  catalog: Catalog,
): Executor<ThreadView> {
  return createExecutor<ThreadView>({
    ...(timeout === undefined ? {} : { timeout }),
    ...(environment === undefined ? {} : { environment }),
    view: (state, permit) => state.for(permit),
    checkInput: (_hook, subject) => checkRewrittenInput(catalog, subject),
    onRun(run, { state, before, after, error }) {
      state.core.note(run, state.flow);
      if (onRunValues === undefined) return;
      try {
        onRunValues({ threadId: state.threadId, hook: run.hook, id: run.id, before, after, error });
      } catch {
        // Whoever watches must not change what happens.
      }
    },
  });
}

function leaseInMs(lease: Duration | undefined): number {
  const ms = durationInMs(lease ?? DEFAULT_LEASE_MS);
  if (ms !== undefined) return ms;
  throw new DefinitionError('bad_option', `lease must be a duration such as "10s"; got ${String(lease)}.`);
}
