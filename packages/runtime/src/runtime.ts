import type { AnyHook, Duration, MatchEnvironment } from '@spec/hooks';
import type { AgentDefinition } from './agents.ts';
import type { AskPerson } from './asks.ts';
import { swapHooks } from './catalog.ts';
import type { AnyTool, LanguageModel, PromptDefinition } from './definitions.ts';
import type { CreateEngine } from './engine.ts';
import { checkName } from './given.ts';
import { type Ledger, ledgerOver } from './ledger.ts';
import { OpenThreads } from './open-threads.ts';
import type { PermissionMode } from './permission-mode.ts';
import { type ResumedThread, type ResumeOptions, resumeAll } from './resume-all.ts';
import type { LedgerOption } from './retention.ts';
import { checkList } from './runtime-options.ts';
import type { SkillLoader } from './skills.ts';
import type { Store, ThreadFilter, ThreadRecord } from './store.ts';
import type { Thread } from './thread.ts';
import { threadHandle } from './thread-handle.ts';
import { type ExportText, exportThread, importThread } from './transfer.ts';

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
  /** Finds the skills that `thread.startSkill` names, such as `skillLoader` of `@spec/runtime/skills`. */
  readonly skills?: SkillLoader;
  /** How many bytes of UTF-8 one message may hold of what hooks have for the conversation. Default 32 KiB. */
  readonly contextLimit?: number;
  /** How long a thread stays reserved for this runtime after its last write, or after its process died. Default 10 s. */
  readonly lease?: Duration;
  /** `raw` sends text to listeners while the model writes, even where a hook could still change it. Default `safe`. */
  readonly stream?: 'safe' | 'raw';
  /** Where turns run (design §7.4). Default: in this process. */
  readonly engine?: CreateEngine;
  /** How paths in tool calls are resolved for matchers. */
  readonly environment?: MatchEnvironment;
  /** What is kept of the runs of hooks, and for how long. Default: all of them. */
  readonly ledger?: LedgerOption;
  /**
   * `values` puts data where there is none otherwise (C9): into the ledger what each hook got, returned and threw; into spans
   * the model's answers, the arguments of tool calls and their results. Also what hooks are there to take out.
   */
  readonly trace?: 'values';
  /**
   * Called with every run of a hook, with the values before and after it, which are stored nowhere. They are data: mind where
   * they go (C9), and do not change them. What it throws is ignored.
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
  /** What becomes of tool calls that no hook decides on; kept with the thread. Default `default`. */
  readonly permissionMode?: PermissionMode;
}

export interface OpenOptions {
  /** Default: as it was. */
  readonly permissionMode?: PermissionMode;
  /** `false` gives up the skills under which a turn ran when its process died: the way out where one is gone. Default `true`. */
  readonly restoreSkills?: boolean;
}

/** Threads under one set of agents, hooks and policies (design §7). */
export interface Runtime {
  /** @throws {RunError} `invalid_input` where the id is taken. @throws {DefinitionError} `unknown_id` for an agent nobody registered */
  createThread(options: ThreadOptions): Promise<Thread>;
  /** @throws {RunError} `not_found` */
  openThread(threadId: string, options?: OpenOptions): Promise<Thread>;
  /** `interrupted`: those with a turn that is under way, or that a process left behind when it died. */
  listThreads(filter?: ThreadFilter): Promise<ThreadRecord[]>;
  /**
   * Finishes what processes left behind when they died: {@link Thread.resume} on every thread with such a turn; child threads
   * go on with their parents. A thread that fails leaves the others alone.
   */
  resumeAll(options?: ResumeOptions): Promise<ResumedThread[]>;
  /** The record of the runs of hooks. */
  readonly ledger: Ledger;
  /**
   * Takes other hooks, all or nothing: turns that are running go on with theirs until their next chain.
   *
   * @throws {DefinitionError} where a prompt or an agent names a hook that is not among them; nothing has changed then.
   */
  swapHooks(hooks: readonly AnyHook[]): void;
  /** Takes other policies, as {@link Runtime.swapHooks} takes other hooks. */
  swapPolicies(policies: readonly AnyHook[]): void;
  /** A thread and its child threads as JSON lines, piece by piece. @throws {RunError} `not_found`; `thread_busy` where it changed meanwhile */
  exportThread(threadId: string): AsyncIterable<string>;
  /**
   * Stores an exported thread as it was, all of it or nothing. @returns its id
   *
   * @throws {RunError} `invalid_input` with the number of the line, also where an id is taken
   */
  importThread(text: ExportText): Promise<string>;
  /** Copies the store to a new file while turns go on. @throws {RunError} `invalid_input` where there is a file, or the store has none */
  backup(path: string): Promise<void>;
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
    openThread: async (threadId, options) => threadHandle(await threads.open(threadId, options)),
    listThreads: (filter) => store.listThreads(filter),
    resumeAll: (options) => resumeAll(threads, options),
    ledger: ledgerOver(store),
    swapHooks: (hooks) => swapHooks(catalog, { hooks: checkList('hooks', hooks) }),
    swapPolicies: (policies) => swapHooks(catalog, { policies: checkList('policies', policies) }),
    exportThread: (threadId) => exportThread(store, threadId),
    importThread: (text) => importThread(store, text, { owner: threads.owner }),
    backup: async (path) => {
      checkName('path of the copy', path);
      return store.backup(path);
    },
    close: () => threads.close(),
  };
}
