import type { AnyHook, Duration, MatchEnvironment } from '@spec/hooks';
import { swapHooks } from './catalog.ts';
import type { AgentDefinition, AnyTool, LanguageModel, PromptDefinition } from './definitions.ts';
import { OpenThreads } from './open-threads.ts';
import type { AskPerson } from './permission.ts';
import type { LedgerEntry, LedgerFilter, Store, ThreadRecord } from './store.ts';
import { type Thread, threadHandle } from './thread.ts';

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
  /** Asks a person about a tool call or a message that needs permission. Without it such a call or message is denied. */
  readonly onAsk?: AskPerson;
  /** How long a thread stays reserved for this runtime after its last write, or after its process died. Default 10 s. */
  readonly lease?: Duration;
  /** `raw` sends text to listeners while the model writes, even where a hook could still change it. Default `safe`. */
  readonly stream?: 'safe' | 'raw';
  /** How paths in tool calls are resolved for matchers. */
  readonly environment?: MatchEnvironment;
  /**
   * Called with every run of a hook, with the values before and after it. They are data: mind where they go (C9), and do
   * not change them. What it throws is ignored.
   */
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
  /** @throws {RunError} `invalid_input` where the id is taken. @throws {DefinitionError} `unknown_id` for an agent nobody registered */
  createThread(options: ThreadOptions): Promise<Thread>;
  /** @throws {RunError} `not_found` */
  openThread(threadId: string): Promise<Thread>;
  listThreads(filter?: { parentId?: string | null }): Promise<ThreadRecord[]>;
  /** The runs of hooks, oldest first. */
  runs(filter?: LedgerFilter): Promise<LedgerEntry[]>;
  /**
   * Takes other hooks, all or nothing: turns that are running go on with theirs until their next chain.
   *
   * @throws {DefinitionError} where a prompt or an agent names a hook that is not among them; nothing has changed then.
   */
  swapHooks(hooks: readonly AnyHook[]): void;
  /** Waits for running turns, gives all threads free and closes the store. Twice is once. */
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
    createThread: async (thread) => threadHandle(await threads.create(thread)),
    openThread: async (threadId) => threadHandle(await threads.open(threadId)),
    listThreads: (filter) => store.listThreads(filter),
    runs: (filter) => store.listRuns(filter),
    swapHooks: (hooks) => swapHooks(catalog, hooks),
    close: () => threads.close(),
  };
}
