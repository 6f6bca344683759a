import { type AnyHook, createExecutor, DefinitionError, type Duration, durationInMs, type LateWrite, type MatchEnvironment, RunError } from '@spec/hooks';
import { createCatalog, refuseUnfired } from './catalog.ts';
import type { AgentDefinition, AnyTool, LanguageModel, PromptDefinition } from './definitions.ts';
import { checkRewrittenInput } from './rewritten-input.ts';
import type { LedgerEntry, LedgerFilter, Store, ThreadRecord } from './store.ts';
import { memoryStore } from './stores/memory.ts';
import { closeThread, type Thread, threadHandle } from './thread.ts';
import { type AskPerson, type RuntimeCore, ThreadCore } from './thread-core.ts';
import { ThreadView } from './thread-view.ts';
import { nowInMicros } from './time.ts';

export interface RuntimeOptions<HookId extends string = string> {
  readonly agents: readonly AgentDefinition<HookId>[];
  readonly prompts: readonly PromptDefinition<HookId>[];
  readonly tools?: readonly AnyTool[];
  readonly models: Readonly<Record<string, LanguageModel>>;
  /** Run on every thread and subagent, before the scoped hooks; no prompt can turn them off (design §5). */
  readonly policies?: readonly AnyHook[];
  /** Default: in memory. */
  readonly store?: Store;
  /** For hooks that name none. Default 5 s. */
  readonly timeout?: Duration;
  /** Asks a person about a tool call that needs permission. Without it such a call is denied. */
  readonly onAsk?: AskPerson;
  /** How long a thread stays reserved for this runtime after its last write. Default 10 s. */
  readonly lease?: Duration;
  /** How paths in tool calls are resolved for matchers. */
  readonly environment?: MatchEnvironment;
  /** Called with every run of a hook, with the values before and after it. They are data: mind where they go (C9). */
  readonly onRunValues?: (entry: RunValues) => void;
}

/** A run of a hook with the data it had. */
export interface RunValues {
  readonly threadId: string;
  readonly hook: string;
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly error: unknown;
}

export interface ThreadOptions {
  /** The name of its agent. */
  readonly agent: string;
  /** Default: a random UUID. */
  readonly id?: string;
  readonly userId?: string;
  /** JSON values of the application's own. */
  readonly metadata?: Record<string, unknown>;
}

/** Threads under one set of agents, hooks and policies (design §7). */
export interface Runtime {
  /** @throws {RunError} `invalid_message` where the id is taken. @throws {DefinitionError} `unknown_id` for an agent nobody registered */
  createThread(options: ThreadOptions): Promise<Thread>;
  /** @throws {RunError} `not_found` */
  openThread(threadId: string): Promise<Thread>;
  listThreads(filter?: { parentId?: string | null }): Promise<ThreadRecord[]>;
  /** The runs of hooks, oldest first. */
  runs(filter?: LedgerFilter): Promise<LedgerEntry[]>;
  /** Takes other hooks, all or nothing: turns that are running go on with theirs until their next chain. */
  swapHooks(hooks: readonly AnyHook[]): void;
  /** Waits for running turns, gives all threads free and closes the store. */
  close(): Promise<void>;
}

/**
 * Creates a runtime. Ids of hooks in prompts and agents are checked here, and at compile time where they are literals.
 *
 * @throws {DefinitionError} for a definition that mentions a name nobody registered, and for every refusal of the registry.
 */
export function createRuntime<const Hooks extends readonly AnyHook[] = readonly []>(
  options: RuntimeOptions<Hooks[number]['id']> & { readonly hooks?: Hooks },
): Runtime {
  const threads = new OpenThreads(options as RuntimeOptions & { hooks?: Hooks });
  const { store, catalog } = threads;
  return {
    createThread: async (thread) => threadHandle(await threads.create({ ...thread, parent: undefined })),
    openThread: async (threadId) => threadHandle(await threads.open(threadId)),
    listThreads: (filter) => store.listThreads(filter),
    runs: (filter) => store.listRuns(filter),
    swapHooks(hooks) {
      refuseUnfired(hooks);
      catalog.registry.swap({ hooks });
    },
    close: () => threads.close(),
  };
}

interface NewThread extends Omit<ThreadOptions, 'userId'> {
  readonly userId?: string | null;
  readonly parent: ThreadCore | undefined;
}

const DEFAULT_LEASE_MS = 10_000;

/** The open threads of one runtime and what they share. */
class OpenThreads implements RuntimeCore {
  readonly store: Store;
  readonly catalog: RuntimeCore['catalog'];
  readonly executor: RuntimeCore['executor'];
  readonly owner: string = crypto.randomUUID();
  readonly leaseMs: number;
  readonly onAsk: AskPerson | undefined;
  isClosed = false;
  readonly #open = new Map<string, ThreadCore>();

  constructor(options: RuntimeOptions & { hooks?: readonly AnyHook[] }) {
    this.catalog = createCatalog(options);
    this.store = options.store ?? memoryStore();
    this.leaseMs = leaseInMs(options.lease);
    this.onAsk = options.onAsk;
    this.executor = createExecutor<ThreadView>({
      ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
      ...(options.environment === undefined ? {} : { environment: options.environment }),
      view: ({ core }, permit) => new ThreadView(core, permit),
      checkInput: (_hook, subject, state) => checkRewrittenInput(state.core.runtime.catalog, subject),
      onRun: (run, { state, before, after, error }) => {
        state.core.note(run);
        options.onRunValues?.({ threadId: state.threadId, hook: run.hook, id: run.id, before, after, error });
      },
      onLateWrite: (late) => this.#tellAll(late),
    });
  }

  #tellAll(late: LateWrite): void {
    for (const core of this.#open.values()) core.events.emit({ type: 'late_write', late });
  }

  async create({ agent: agentName, id = crypto.randomUUID(), userId = null, metadata = {}, parent }: NewThread): Promise<ThreadCore> {
    this.#refuseClosed();
    const agent = this.#agent(agentName);
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
    if (core.hasRuns) await core.flushRuns();
    return core;
  }

  createChild(parent: ThreadCore, agent: string): Promise<ThreadCore> {
    return this.create({ agent, parent });
  }

  async open(threadId: string): Promise<ThreadCore> {
    this.#refuseClosed();
    const core = await this.openThread(threadId);
    if (core !== null) return core;
    throw new RunError('not_found', `There is no thread ${threadId} in the store.`, { threadId });
  }

  async openThread(threadId: string): Promise<ThreadCore | null> {
    const open = this.#open.get(threadId);
    if (open !== undefined) return open;
    const record = await this.store.getThread(threadId);
    if (record === null) return null;
    const core = this.#open.get(threadId) ?? new ThreadCore(this, record, this.#agent(record.agentId));
    this.#open.set(threadId, core);
    for (const child of await this.store.listThreads({ parentId: threadId })) core.children.push(child.id);
    return core;
  }

  forget(core: ThreadCore): void {
    this.#open.delete(core.id);
    core.events.close();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    await Promise.all([...this.#open.values()].map(closeThread));
    this.isClosed = true;
    await this.store.close();
  }

  #agent(name: string): AgentDefinition {
    const agent = this.catalog.agents.get(name);
    if (agent !== undefined) return agent;
    const names = [...this.catalog.agents.keys()].join(', ');
    throw new DefinitionError('unknown_id', `There is no agent "${name}". Registered are: ${names || 'none'}.`);
  }

  #refuseClosed(): void {
    if (this.isClosed) throw new RunError('closed', 'The runtime is closed.');
  }
}

function leaseInMs(lease: Duration | undefined): number {
  const ms = durationInMs(lease ?? DEFAULT_LEASE_MS);
  if (ms !== undefined) return ms;
  throw new DefinitionError('bad_option', `lease must be a duration such as "10s"; got ${String(lease)}.`);
}
