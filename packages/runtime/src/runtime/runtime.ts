// Runtime: opens threads and wires the rooms below. The application calls it; it never runs a step itself.

import type { AnyHook } from '@spec/hooks';
import type { RunTurn } from '../engine/engine.ts';
import { checkName, checkOptions, checkText } from '../given.ts';
import { type Ledger, ledgerOver } from '../ledger/ledger.ts';
import type { ThreadFilter, ThreadRecord } from '../stores/store.ts';
import { type ExportText, exportThread, importThread } from '../transfer/index.ts';
import { OpenThreads } from './open-threads.ts';
import { checkList, type OpenOptions, type RuntimeOptions, type ThreadOptions } from './options.ts';
import { type ResumedThread, type ResumeOptions, resumeAll } from './resume-all.ts';
import type { Thread } from './thread.ts';
import { threadHandle } from './thread-handle.ts';

/** Creates and opens threads that share one set of agents, hooks and policies. */
export interface Runtime {
  /**
   * Creates a thread and opens it.
   *
   * @throws {RunError} `invalid_input` if the id is taken
   * @throws {DefinitionError} `unknown_id` for an unregistered agent
   */
  createThread(options: ThreadOptions): Promise<Thread>;
  /** Opens a stored thread. @throws {RunError} `not_found` */
  openThread(threadId: string, options?: OpenOptions): Promise<Thread>;
  /** Lists threads. `interrupted` selects those whose turn is running, or was left unfinished by a dead process. */
  listThreads(filter?: ThreadFilter): Promise<ThreadRecord[]>;
  /**
   * Calls {@link Thread.resume} on every thread with a turn that a dead process left unfinished. Child threads resume with
   * their parents. If one thread fails, the others are still resumed.
   */
  resumeAll(options?: ResumeOptions): Promise<ResumedThread[]>;
  /**
   * Runs a turn in this process, for what has turns run: an engine's worker. Applications call {@link Thread.send}.
   *
   * @throws {RunError} as the turn does; `not_found`
   */
  readonly runTurn: RunTurn;
  /** The records of all hook runs. */
  readonly ledger: Ledger;
  /**
   * Replaces all hooks, or none if there is an error. Running turns use the new hooks from their next chain on.
   *
   * @throws {DefinitionError} if a prompt or an agent names a hook that is missing; then nothing has changed.
   */
  swapHooks(hooks: readonly AnyHook[]): void;
  /** Replaces all policies, as {@link Runtime.swapHooks} replaces all hooks. */
  swapPolicies(policies: readonly AnyHook[]): void;
  /**
   * Exports a thread and its child threads as JSON lines, in pieces.
   *
   * @throws {RunError} `not_found`; `thread_busy` if the thread changes meanwhile
   */
  exportThread(threadId: string): AsyncIterable<string>;
  /**
   * Stores an exported thread unchanged: all of it, or nothing if there is an error.
   *
   * @returns the id of the thread
   * @throws {RunError} `invalid_input` with the number of the line, also if an id is taken
   */
  importThread(text: ExportText): Promise<string>;
  /**
   * Copies the store to a new file while turns go on.
   *
   * @throws {RunError} `invalid_input` if the file exists, or if the store is not kept in a file
   */
  backup(path: string): Promise<void>;
  /** Waits for running turns, releases all threads and closes the store. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates a runtime. It checks the hook ids in prompts and agents; the compiler checks those that are literals.
 *
 * @throws {DefinitionError} for a definition that names something unregistered, and for every hook that the registry refuses.
 */
export function createRuntime<const Hooks extends readonly AnyHook[] = readonly []>(
  options: RuntimeOptions<Hooks[number]['id']> & { readonly hooks?: Hooks },
): Runtime {
  const threads = new OpenThreads(options as RuntimeOptions & { hooks?: Hooks });
  const { store } = threads;
  return {
    createThread: async (thread) => threadHandle(await threads.create(thread)),
    openThread: async (threadId, options) => threadHandle(await threads.open(threadId, options)),
    listThreads: async (filter) => {
      checkOptions('listThreads', filter, { parentId: true, interrupted: true });
      if (filter?.parentId != null) checkText('id of the parent of threads', filter.parentId);
      return store.listThreads(filter);
    },
    resumeAll: (options) => resumeAll(threads, options),
    runTurn: (threadId, request, context) => threads.runTurn(threadId, request, context),
    ledger: ledgerOver(store),
    swapHooks: (hooks) => threads.swap({ hooks: checkList('hooks', hooks) }),
    swapPolicies: (policies) => threads.swap({ policies: checkList('policies', policies) }),
    exportThread: (threadId) => exportThread(store, threadId),
    importThread: (text) => importThread(store, text, { owner: threads.owner }),
    backup: async (path) => {
      checkName('path of the copy', path);
      return store.backup(path);
    },
    close: () => threads.close(),
  };
}
