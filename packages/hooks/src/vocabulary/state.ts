// Vocabulary: the types that hooks are written with. Every room may use it; it holds no behaviour and never learns how a hook is run.

import type { Promisable } from 'type-fest';
import type { AttachmentRef, HookMessage, HookToolResult } from './messages.ts';

/** Where a thread is in its execution (specification §2.2). Between turns: step 0, a fresh flow id, a live signal (C12). */
export interface ExecutionState {
  readonly flowId: string;
  readonly currentSide: 'a' | 'b';
  /** How many times the model has been called in this turn. */
  readonly stepCount: number;
  readonly stopped: boolean;
  /**
   * The idempotency key of the tool call that the hook or tool is part of: one for each thread, turn, step and position in the
   * batch, the same when the call is made again after a crash. `undefined` outside of a call and where no turn is running.
   */
  readonly callKey?: string | undefined;
  /** Inside a hook: aborted at the hook's own timeout and when the thread is aborted (C4). */
  readonly abortSignal: AbortSignal;
  /** Ends the turn after the current step. A write: refused once the hook has settled (C5). */
  stop(): void;
}

/** A message that is not stored yet. The store gives it a sequence number, and an id if it has none. */
export interface NewMessage {
  id?: string;
  role: HookMessage['role'];
  content: string | null;
  [field: string]: unknown;
}

/** Which messages of a thread to read: all of them, or the newest `last`. */
export interface MessageRange {
  last?: number;
}

/** The JSON value of a key, or `undefined` if there is none. */
export interface KeyedValue {
  readonly key: string;
  readonly value: unknown;
}

/** A file in a thread's file system, without its content. */
export type FileStat = AttachmentRef;

/**
 * What a hook may do with the thread it runs in (specification §2.1, design §7.2).
 * Writes are refused with `late_write` once the hook has settled, timed out or been aborted (C5).
 */
export interface ThreadState {
  readonly threadId: string;
  readonly agentId: string;
  readonly userId: string | null;
  readonly execution: ExecutionState;

  getMessages(range?: MessageRange): Promise<HookMessage[]>;
  getMessage(id: string): Promise<HookMessage | null>;
  /** Stores a message through the create chain: at once, or after the results of the tools that are running. */
  injectMessage(message: NewMessage): Promise<HookMessage>;
  updateMessage(id: string, updates: Record<string, unknown>): Promise<HookMessage>;
  deleteMessage(id: string): Promise<boolean>;
  /** Queues a message for the start of the next step. It passes the create chain. */
  queueMessage(message: NewMessage): Promise<void>;

  loadAgent(id: string): Promise<unknown>;
  loadPrompt(id: string): Promise<unknown>;
  loadModel(id: string): Promise<unknown>;
  loadTool(id: string): Promise<unknown>;
  agentNames(): readonly string[];
  promptNames(): readonly string[];
  modelNames(): readonly string[];
  toolNames(): readonly string[];

  /** Runs a tool in the next step as if the model had called it. */
  queueTool(name: string, input: Record<string, unknown>): Promise<void>;
  /** Runs a tool now, through the same hooks as a call by the model. */
  invokeTool(name: string, input: Record<string, unknown>): Promise<HookToolResult>;

  /** Reads the JSON value stored with the thread under a key, or `undefined` if there is none. */
  getValue(key: string): Promise<unknown>;
  setValue(key: string, value: unknown): Promise<void>;
  /**
   * Sets values, all or none of them, where the one of `expected.key` is still what `getValue` gave; `undefined` stands for none. It
   * needs no lease: what a hook keeps for a message that another process queues is written so. @returns whether they were set
   */
  setValuesIf(expected: KeyedValue, values: readonly KeyedValue[]): Promise<boolean>;

  writeFile(path: string, data: string | Uint8Array, mimeType?: string): Promise<FileStat>;
  readFile(path: string): Promise<Uint8Array | null>;
  statFile(path: string): Promise<FileStat | null>;
  listFiles(prefix?: string): Promise<FileStat[]>;
  unlinkFile(path: string): Promise<boolean>;

  readonly children: readonly string[];
  getChildThread(threadId: string): Promise<ThreadState | null>;
  getParentThread(): Promise<ThreadState | null>;

  /** Sends an application-defined event to the thread's listeners. */
  emit(event: string, data?: unknown): void;
  /** Ends the thread permanently: it accepts no more messages. */
  terminate(reason?: string): Promisable<void>;
}
