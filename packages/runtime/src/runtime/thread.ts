import type {
  HookMessage,
  MessageRange,
  NewMessage,
  NewMessageOfParts,
  ThreadState,
  UserFile,
  UserPart,
} from '@spec/hooks';
import type { CompactionResult, CompactOptions } from '../compaction/compact.ts';
import type { PermissionMode } from '../definitions/permission-mode.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import type { EventsOptions, FamilyEvent, ListenerOptions, ThreadEvent } from '../events/hub.ts';
import type { LedgerQuery } from '../ledger/ledger.ts';
import type { Streaming } from '../model/streaming.ts';
import type { LedgerEntry } from '../stores/store.ts';

/** A user message: a text, or a message with further fields such as an `id`. */
export type UserInput = string | UserMessage;

/** A user message with fields of its own. */
export interface UserMessage {
  id?: string;
  /** A text, or texts and files. The texts are joined, the files become attachments. */
  content: string | readonly UserPart[];
  /** Files besides those in `content`. */
  attachments?: readonly UserFile[];
  [field: string]: unknown;
}

export interface SendOptions {
  /** The turn's idempotency key: sending again with the same id gives the result of the first turn. */
  readonly id?: string;
}

export interface QueueOptions {
  /** Whether the message begins a turn if none is running. `false` leaves it for the next turn. Default `true`. */
  readonly wake?: boolean;
}

/** One conversation, open for reading and writing. */
export interface Thread {
  readonly id: string;
  readonly agentId: string;
  /** The state as hooks get it, but never revoked. It follows the thread; its writes belong to the running turn. */
  readonly state: ThreadState;
  /**
   * Sends a user message and runs a turn. Turns of a thread run one after another; a turn that a crash left unfinished is
   * finished first. With an `id` of your own you can send again safely: only one turn runs, and each call gets its result.
   * Deadlocks if a tool or a hook of this thread awaits it, since the current turn must end first: use `queue` there.
   *
   * @throws {RunError} as the turn's hooks and model do
   */
  send(input: UserInput, options?: SendOptions): Promise<TurnResult>;
  /** What happens to tool calls that no hook decides on. A subagent without its own mode has its parent's. */
  readonly permissionMode: PermissionMode;
  /** Takes effect at once, also for running subagents, and is stored with the thread. @throws {RunError} `thread_busy` */
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /**
   * Starts a skill until the session ends: its hooks run on this thread and its subagents, and the model is told its
   * instructions once. Idempotent.
   *
   * @returns the name of the skill
   * @throws {DefinitionError} as the skill's loader does; `duplicate_id` if one of its hooks has the id of another hook
   */
  startSkill(path: string): Promise<string>;
  /** Tells a person something, through the thread's events and `after_notification`. */
  notify(kind: string, message: string): Promise<void>;
  /** Stores a message without running a turn; one of a user may have parts and files, as for {@link send}. While tools run, it waits until all their results are stored. */
  inject(message: NewMessage | NewMessageOfParts): Promise<HookMessage>;
  /**
   * Queues a message for the start of the next step; one of a user may have parts and files. If no turn is running, it begins one, unless `wake` is `false`.
   * Any process may queue, even while another one runs the thread's turns.
   */
  queue(message: NewMessage | NewMessageOfParts, options?: QueueOptions): Promise<void>;
  /**
   * Finishes the turn that a dead process left unfinished, or runs a turn on the queued messages. Returns `null` if there
   * is neither. Tool calls that had started follow their tool's `onInterrupted`. Waits until the lease of the
   * dead process expires.
   *
   * @throws {RunError} `thread_busy` if that process is still alive, and every error of the turn
   */
  resume(): Promise<TurnResult | null>;
  /**
   * Replaces older messages by a summary in the history that models get. The messages stay in the store. Waits for the
   * turns before it.
   *
   * @throws {RunError} as the model and blocking hooks do; then nothing has changed
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
  /** The events from now on, until the reader stops or the thread is closed. Keeps up to 10,000 events for a slow reader. */
  events(options: EventsOptions & { readonly children: true }): AsyncIterableIterator<FamilyEvent>;
  events(options?: EventsOptions): AsyncIterableIterator<ThreadEvent>;
  /**
   * Calls a function with every event from now on, one at a time. If the function returns a promise, the next events wait
   * for it, as for a reader of {@link events}. Turns never wait.
   *
   * @returns a function that removes the listener
   */
  on(
    listener: (event: FamilyEvent) => unknown,
    options: EventsOptions & ListenerOptions & { readonly children: true },
  ): () => void;
  on(listener: (event: ThreadEvent) => unknown, options?: EventsOptions & ListenerOptions): () => void;
  /** Whether listeners get the text while the model writes it, and if not, which hooks hold it back. */
  streaming(): Streaming;
  /**
   * Ends the running turn, or the one about to begin, at once: aborts the model, tools and hooks, and answers unfinished
   * calls with an error. Turns that wait behind it go on. A turn in another process ends after its current step. Does
   * nothing if no turn is running.
   */
  stop(reason?: unknown): Promise<void>;
  /** Stops all turns, then deletes the thread, its child threads, and everything that belongs to them. */
  delete(): Promise<void>;
  /**
   * Waits for the turns that were sent, then releases the thread for another writer. Idempotent. Deadlocks if a tool or a
   * hook of this thread awaits it, since the current turn must end first.
   */
  close(): Promise<void>;
}
