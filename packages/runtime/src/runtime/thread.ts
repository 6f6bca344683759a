import type { HookMessage, MessageRange, NewMessage, ThreadState } from '@spec/hooks';
import type { CompactionResult, CompactOptions } from '../compaction/compact.ts';
import type { PermissionMode } from '../definitions/permission-mode.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import type { EventsOptions, FamilyEvent, ListenerOptions, ThreadEvent } from '../events/hub.ts';
import type { LedgerQuery } from '../ledger/ledger.ts';
import type { Streaming } from '../model/streaming.ts';
import type { LedgerEntry } from '../stores/store.ts';

/** What a person sends: a text, or a message with fields of its own. */
export type UserInput = string | (Partial<NewMessage> & { content: string });

export interface SendOptions {
  /** The turn's idempotency key. */
  readonly id?: string;
}

export interface QueueOptions {
  /** `false` leaves the message for a turn that something else begins. Default `true`. */
  readonly wake?: boolean;
}

/** One conversation, open for reading and writing (design §7). */
export interface Thread {
  readonly id: string;
  readonly agentId: string;
  /** The state as hooks get it, without an end: it is where the thread is, and its writes belong to the turn that is running. */
  readonly state: ThreadState;
  /**
   * Sends a user message and runs a turn. Turns of a thread run one after another; one that a crash left behind is
   * finished first. Under an `id` of your own it is one turn however often it is sent: its result comes again. A tool or a
   * hook of this thread that waits for it waits for ever: the turn that it is part of comes first. It queues instead.
   *
   * @throws {RunError} as the turn's hooks and model do
   */
  send(input: UserInput, options?: SendOptions): Promise<TurnResult>;
  /** What becomes of tool calls that no hook decides on; of a subagent, its parent's unless it has its own. */
  readonly permissionMode: PermissionMode;
  /** Holds at once, for the subagents that are running too, and is kept with the thread. @throws {RunError} `thread_busy` */
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /**
   * Starts a skill until the session ends: its hooks run on this thread and its subagents, its instructions are told to
   * the model once. Twice is once.
   *
   * @returns its name
   * @throws {DefinitionError} as the skill's loader does; `duplicate_id` where a hook of it has the id of another
   */
  startSkill(path: string): Promise<string>;
  /** Tells a person something, through the thread's events and `after_notification`. */
  notify(kind: string, message: string): Promise<void>;
  /** Stores a message without running a turn. While tools run, it is stored when all their results are. */
  inject(message: NewMessage): Promise<HookMessage>;
  /**
   * Keeps a message for the start of the next step. Where no turn is running, it begins one, except with `wake: false`.
   * Any process may queue, also while another one runs the thread's turns.
   */
  queue(message: NewMessage, options?: QueueOptions): Promise<void>;
  /**
   * Finishes the turn that a process left behind when it died, or takes up what was queued; `null` where there is neither.
   * Tool calls that had started follow their tool's `onInterrupted` (design §7.3). Waits until the lease of the dead process
   * has run out.
   *
   * @throws {RunError} `thread_busy` where that process is alive; and as the turn does
   */
  resume(): Promise<TurnResult | null>;
  /**
   * Has a summary take the place of older messages in what models are sent (issue §5), after the turns before it. The messages
   * stay in the store.
   *
   * @throws {RunError} as the model and blocking hooks do; nothing has changed then
   */
  compact(options?: CompactOptions): Promise<CompactionResult>;
  /** Resolves when no turn is running or waiting. */
  idle(): Promise<void>;
  /** Changes fields of a stored message. @throws {RunError} `not_found`, `invalid_message` */
  update(messageId: string, updates: Record<string, unknown>): Promise<HookMessage>;
  deleteMessage(messageId: string): Promise<boolean>;
  messages(range?: MessageRange): Promise<HookMessage[]>;
  /** The runs of hooks on this thread, oldest first. */
  runs(query?: Omit<LedgerQuery, 'threadId'>): Promise<LedgerEntry[]>;
  /** What happens from now on, until the reader stops or the thread is closed. For a slow reader 10,000 events wait. */
  events(options: EventsOptions & { readonly children: true }): AsyncIterableIterator<FamilyEvent>;
  events(options?: EventsOptions): AsyncIterableIterator<ThreadEvent>;
  /**
   * Calls a function with every event from now on, one after the other, at once where it is idle. While a promise that it
   * returned is pending, the next events wait for it, as for a reader of {@link events}; no turn does.
   *
   * @returns what takes the listener away again
   */
  on(
    listener: (event: FamilyEvent) => unknown,
    options: EventsOptions & ListenerOptions & { readonly children: true },
  ): () => void;
  on(listener: (event: ThreadEvent) => unknown, options?: EventsOptions & ListenerOptions): () => void;
  /** Whether the text of answers leaves while the model writes, and which hooks hold it back if not. */
  streaming(): Streaming;
  /**
   * Ends the turn that is running or about to begin at once: the model, tools and hooks are aborted, and calls that were
   * under way are answered with an error. Turns that wait behind it go on. A turn that runs in another process ends after
   * its step. Where nothing runs, nothing happens.
   */
  stop(reason?: unknown): Promise<void>;
  /** Stops all turns, then removes the thread, its children, and all that belongs to them. */
  delete(): Promise<void>;
  /**
   * Waits for the turns that were sent, and gives the thread free for another writer. Twice is once. A tool or a hook of
   * this thread that waits for it waits for ever: the turn that it is part of must end first.
   */
  close(): Promise<void>;
}
