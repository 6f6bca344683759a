import type { HookMessage } from '../vocabulary/messages.ts';
import type { RecordedRun } from '../vocabulary/recorded-runs.ts';
import type { KeyedValue } from '../vocabulary/state.ts';

/** A thread as a store keeps it. Times are microseconds since the epoch. */
export interface ThreadRow {
  readonly id: string;
  readonly agentId: string;
  readonly userId: string | null;
  readonly parentId: string | null;
  readonly depth: number;
  readonly createdAt: number;
  readonly currentSide: 'a' | 'b';
  readonly terminated: null;
  readonly turn: null;
  readonly compaction: null;
  readonly metadata: Record<string, unknown>;
}

/** The right to write to a thread: a writer with a lower fence than the newest one is refused. */
export interface StoreLease {
  readonly threadId: string;
  readonly owner: string;
  readonly fence: number;
  readonly expiresAt: number;
  readonly ttlMs: number;
}

/** What is written in one commit. */
export interface StoreAppend {
  readonly messages?: readonly (HookMessage & Record<string, unknown>)[];
  /** Ids of these messages that must be new: refused with `invalid_message` where the thread has one of them. Then nothing is stored. */
  readonly newIds?: readonly string[];
  readonly runs?: readonly RecordedRun[];
  /** Values to set; `undefined` removes one. */
  readonly values?: readonly KeyedValue[];
}

/**
 * As much of a store as it takes to keep the threads of somebody else's loop: `memoryStore` and `sqliteStore` of `@spec/runtime` and
 * `postgresStore` of `@spec/postgres` are such stores.
 */
export interface ThreadStore {
  getThread(threadId: string): Promise<object | null>;
  /** Refused with `invalid_input` if there is such a thread. */
  createThread(thread: ThreadRow): Promise<void>;
  /** Refused with `thread_busy` while another owner has the thread. */
  acquireLease(request: {
    readonly threadId: string;
    readonly owner: string;
    readonly ttlMs: number;
  }): Promise<StoreLease>;
  releaseLease(lease: StoreLease): Promise<void>;
  /** Refused with `thread_busy` if the fence is an old one; then nothing is stored. What it answers is not looked at. */
  append(threadId: string, fence: number, append: StoreAppend): Promise<unknown>;
  listMessages(threadId: string): Promise<HookMessage[]>;
  /** A JSON value that is kept with the thread; `undefined` if there is none. */
  getValue(threadId: string, key: string): Promise<unknown>;
  /**
   * Sets values in one commit and without a fence, but only while `expected.key` still has the given value, whoever else writes.
   *
   * @returns whether the values were set
   */
  setValuesIf(threadId: string, expected: KeyedValue, values: readonly KeyedValue[]): Promise<boolean>;
}
