// Runtime: opens threads and wires the rooms below. The application calls it; it never runs a step itself.

import type { AnyHook } from '@spec/hooks';
import { swapHooks } from '../definitions/catalog.ts';
import { checkName, checkOptions } from '../given.ts';
import { type Ledger, ledgerOver } from '../ledger/ledger.ts';
import type { ThreadFilter, ThreadRecord } from '../stores/store.ts';
import { type ExportText, exportThread, importThread } from '../transfer/index.ts';
import { checkList, type OpenOptions, type RuntimeOptions, type ThreadOptions } from './check-options.ts';
import { OpenThreads } from './open-threads.ts';
import { type ResumedThread, type ResumeOptions, resumeAll } from './resume-all.ts';
import type { Thread } from './thread.ts';
import { threadHandle } from './thread-handle.ts';

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
    listThreads: async (filter) => {
      checkOptions('listThreads', filter, { parentId: true, interrupted: true });
      return store.listThreads(filter);
    },
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
