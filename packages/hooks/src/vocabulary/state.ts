// Vocabulary: the types that hooks are written with. Every room may use it; it holds no behaviour and never learns how a hook is run.

import type { Promisable } from 'type-fest';
import type { AttachmentRef, HookMessage, HookToolResult, UserFile, UserPart } from './messages.ts';
import type { ModelUsage } from './model-usage.ts';

/** Where a thread is in its execution. Between turns: step 0, a fresh flow id, a live signal. */
export interface ExecutionState {
  /** The id of the turn. Between turns it is a new one. */
  readonly flowId: string;
  /** Whose go it is: `b` only in an agent of two sides. */
  readonly currentSide: 'a' | 'b';
  /** How many times the model has been called in this turn. */
  readonly stepCount: number;
  /** Whether `stop` was called in this turn. */
  readonly stopped: boolean;
  /**
   * The idempotency key of the tool call that the hook or tool is part of: one for each thread, turn, step and position in the
   * batch, the same when the call is made again after a crash. `undefined` outside of a call and where no turn is running.
   */
  readonly callKey?: string | undefined;
  /** Inside a hook: aborted at the hook's own timeout and when the thread is aborted. */
  readonly abortSignal: AbortSignal;
  /** Ends the turn after the current step. A write: refused once the hook has settled. */
  stop(): void;
}

/** A message that is not stored yet. The store gives it a sequence number, and an id if it has none. */
export interface NewMessage {
  id?: string;
  role: HookMessage['role'];
  content: string | null;
  [field: string]: unknown;
}

/** A user's message with texts and files in parts. The texts are joined, one in each line; the files become attachments. */
export interface NewMessageOfParts {
  id?: string;
  role: 'user';
  content: readonly UserPart[];
  /** Files besides those in `content`. */
  attachments?: readonly UserFile[];
  [field: string]: unknown;
}

/** Which messages of a thread to read: all of them, or the newest `last`. */
export interface MessageRange {
  last?: number;
}

/** The JSON value of a key, or `undefined` if there is none. */
export interface KeyedValue {
  /** The name under which the value is stored. */
  readonly key: string;
  /** The JSON value; `undefined` stands for none. */
  readonly value: unknown;
}

/** A file in a thread's file system, without its content. */
export type FileStat = AttachmentRef;

/**
 * What a hook may do with the thread it runs in.
 * Writes are refused with `late_write` once the hook has settled, timed out or been aborted.
 */
export interface ThreadState {
  /** The id of the thread. */
  readonly threadId: string;
  /** The name of the thread's agent. */
  readonly agentId: string;
  /** The id of the person that the thread belongs to, or `null` if it was opened without one. */
  readonly userId: string | null;
  /** The tokens that all model calls of the thread have used so far, as their providers counted them. */
  readonly usage: ModelUsage;
  /** Where the thread is in its turn, with the signal to stop on. */
  readonly execution: ExecutionState;

  /** Reads the stored messages, the oldest first. */
  getMessages(range?: MessageRange): Promise<HookMessage[]>;
  /** Reads one stored message, or `null` if there is none with this id. */
  getMessage(id: string): Promise<HookMessage | null>;
  /** Stores a message through the create chain: at once, or after the results of the tools that are running. */
  injectMessage(message: NewMessage | NewMessageOfParts): Promise<HookMessage>;
  /** Changes fields of a stored message, through the update chain. */
  updateMessage(id: string, updates: Record<string, unknown>): Promise<HookMessage>;
  /** Deletes a stored message. Returns whether there was one. */
  deleteMessage(id: string): Promise<boolean>;
  /** Queues a message for the start of the next step. It passes the create chain. */
  queueMessage(message: NewMessage | NewMessageOfParts): Promise<void>;

  /** The definition of an agent, such as its prompt and its hooks. */
  loadAgent(id: string): Promise<unknown>;
  /** The definition of a prompt. */
  loadPrompt(id: string): Promise<unknown>;
  /** The definition of a model. */
  loadModel(id: string): Promise<unknown>;
  /** The definition of a tool. */
  loadTool(id: string): Promise<unknown>;
  /** The names of all agents. */
  agentNames(): readonly string[];
  /** The names of all prompts. */
  promptNames(): readonly string[];
  /** The names of all models. */
  modelNames(): readonly string[];
  /** The names of all tools. */
  toolNames(): readonly string[];

  /** Runs a tool in the next step as if the model had called it. */
  queueTool(name: string, input: Record<string, unknown>): Promise<void>;
  /** Runs a tool now, through the same hooks as a call by the model. */
  invokeTool(name: string, input: Record<string, unknown>): Promise<HookToolResult>;

  /** Reads the JSON value stored with the thread under a key, or `undefined` if there is none. */
  getValue(key: string): Promise<unknown>;
  /** Stores a JSON value with the thread under a key. */
  setValue(key: string, value: unknown): Promise<void>;
  /**
   * Sets values, all or none of them, where the one of `expected.key` is still what `getValue` gave; `undefined` stands for none. It
   * needs no lease: what a hook keeps for a message that another process queues is written so. @returns whether they were set
   */
  setValuesIf(expected: KeyedValue, values: readonly KeyedValue[]): Promise<boolean>;

  /** Writes a file into the thread's file system, in place of the one that is there. */
  writeFile(path: string, data: string | Uint8Array, mimeType?: string): Promise<FileStat>;
  /** Reads a file, or `null` if there is none. */
  readFile(path: string): Promise<Uint8Array | null>;
  /** Tells type and size of a file, or `null` if there is none. */
  statFile(path: string): Promise<FileStat | null>;
  /** Lists the files whose paths begin with the prefix, or all. */
  listFiles(prefix?: string): Promise<FileStat[]>;
  /** Deletes a file. Returns whether there was one. */
  unlinkFile(path: string): Promise<boolean>;

  /** The ids of the threads that tool calls of this one have opened. */
  readonly children: readonly string[];
  /** The state of a child thread, or `null` if this thread has no such child. */
  getChildThread(threadId: string): Promise<ThreadState | null>;
  /** The state of the thread that opened this one, or `null`. */
  getParentThread(): Promise<ThreadState | null>;

  /** Sends an application-defined event to the thread's listeners. */
  emit(event: string, data?: unknown): void;
  /** Ends the thread permanently: it accepts no more messages. */
  terminate(reason?: string): Promisable<void>;
}
