import { copyOut } from './message-fields.ts';
import type { MessageQuery, Store, StoredMessage, ThreadHead } from './store.ts';

/** How many messages are read beyond those that a step asks for, so that later looks back find them. */
const AHEAD = 32;
/** How many of a thread's first messages are looked at to find the system's. */
export const OPENING = 4;
/** The least number of messages that are kept. */
export const KEPT_AT_LEAST = 64;
/** The most text that one thread may keep, in UTF-16 code units. */
const MAX_TEXT = 256 * 1024;
/** The most threads of one runtime that may keep messages. */
const MAX_THREADS = 128;

/** The threads of a runtime that keep their newest messages: the ones used last. */
export class RecentThreads {
  readonly #used = new Set<RecentMessages>();

  note(recent: RecentMessages): void {
    this.#used.delete(recent);
    this.#used.add(recent);
    if (this.#used.size <= MAX_THREADS) return;
    const [longestUnused] = this.#used;
    longestUnused?.forget();
  }

  drop(recent: RecentMessages): void {
    this.#used.delete(recent);
  }
}

type MessageReader = Pick<Store, 'getMessage' | 'listMessages'>;

/**
 * Keeps a thread's newest messages in front of its store, so that no step reads again what the step before stored.
 * Callers must not change the messages that it returns.
 *
 * N1 It keeps every message from the oldest kept one on, in order.
 * N2 It adds a message when it is committed under the thread's lease. If another process may have written, or a message was
 *    changed or removed, it forgets everything.
 * N3 The text kept for a thread and the number of threads of a runtime are limited.
 */
export class RecentMessages implements MessageReader {
  readonly #store: MessageReader;
  readonly #threads: RecentThreads;
  #newest: StoredMessage[] | undefined;
  /** When twice as many are kept, the older half is dropped. */
  #size = KEPT_AT_LEAST;
  /** Whether no older messages exist. */
  #isWhole = false;
  #text = 0;
  /** The thread's first messages, once somebody asked for them. */
  #first: readonly StoredMessage[] | undefined;
  /** Grows with every change. A reading during which it grew is not kept. */
  #version = 0;

  constructor(store: MessageReader, threads: RecentThreads) {
    this.#store = store;
    this.#threads = threads;
  }

  getMessage(threadId: string, id: string): Promise<StoredMessage | null> {
    return this.#store.getMessage(threadId, id);
  }

  /** The thread's newest messages, where they are kept: a step need not wait for what is there. */
  listNewest(last: number): StoredMessage[] | undefined {
    return this.#has(last) ? this.#lastBefore(undefined, last) : undefined;
  }

  /** The thread's oldest messages, where they are kept. */
  listOldest(first: number): readonly StoredMessage[] | undefined {
    return this.#first !== undefined && this.#first.length >= first ? this.#first.slice(0, first) : undefined;
  }

  async listMessages(threadId: string, query: MessageQuery = {}): Promise<StoredMessage[]> {
    const { first, last, before, after } = query;
    const isBounded = after === undefined && before === undefined;
    if (isBounded && first !== undefined) return this.#oldest(threadId, first);
    if (isBounded && last !== undefined && !this.#has(last)) await this.#readNewest(threadId, last + AHEAD);
    const kept = after === undefined && last !== undefined ? this.#lastBefore(before, last) : undefined;
    return kept ?? this.#store.listMessages(threadId, query);
  }

  /** Takes messages that were just committed. */
  add(messages: readonly StoredMessage[]): void {
    this.#version++;
    const kept = this.#newest;
    if (kept === undefined) return;
    for (const message of messages) {
      if (!isAmongLast(kept, message.id)) this.#keep(kept, copyOut(message));
    }
    this.#bound();
  }

  /** Takes the ends of a thread as they were read under a new lease; {@link OPENING} and {@link KEPT_AT_LEAST} messages, if there are so many. */
  begin({ oldest, newest }: NonNullable<ThreadHead['ends']>): void {
    this.forget();
    this.#hold(newest, KEPT_AT_LEAST);
    if (this.#newest !== undefined && oldest.length === OPENING) this.#first = oldest;
  }

  /** Starts again from the store. */
  forget(): void {
    this.#version++;
    this.#newest = undefined;
    this.#first = undefined;
    this.#threads.drop(this);
  }

  #has(last: number): boolean {
    return this.#newest !== undefined && (this.#isWhole || this.#newest.length >= last);
  }

  async #readNewest(threadId: string, last: number): Promise<void> {
    const version = this.#version;
    const rows = await this.#store.listMessages(threadId, { last });
    if (version !== this.#version) return;
    this.#hold(rows, last);
  }

  /** @param last how many were asked for */
  #hold(rows: readonly StoredMessage[], last: number): void {
    this.#newest = [];
    this.#text = 0;
    this.#isWhole = rows.length < last;
    this.#size = Math.max(KEPT_AT_LEAST, last);
    for (const row of rows) this.#keep(this.#newest, row);
    this.#bound();
  }

  #lastBefore(before: string | undefined, last: number): StoredMessage[] | undefined {
    const kept = this.#newest;
    if (kept === undefined) return undefined;
    const end = before === undefined ? kept.length : kept.findIndex(({ id }) => id === before);
    if (end < 0 || (end < last && !this.#isWhole)) return undefined;
    return kept.slice(Math.max(0, end - last), end);
  }

  async #oldest(threadId: string, first: number): Promise<StoredMessage[]> {
    const kept = this.listOldest(first);
    if (kept !== undefined) return [...kept];
    const version = this.#version;
    const rows = await this.#store.listMessages(threadId, { first });
    if (this.#newest !== undefined && rows.length === first && version === this.#version) this.#first = rows;
    return [...rows];
  }

  /** Applies N3. */
  #bound(): void {
    if (this.#text > MAX_TEXT) this.forget();
    else this.#threads.note(this);
  }

  /** Drops many messages at a time, so that not every message moves the others. */
  #keep(kept: StoredMessage[], message: StoredMessage): void {
    this.#text += countText(message);
    kept.push(message);
    if (kept.length <= 2 * this.#size) return;
    for (const gone of kept.splice(0, this.#size)) this.#text -= countText(gone);
    this.#isWhole = false;
  }
}

/** Whether a reading already returned a message that was committed meanwhile: it would be among the last ones. */
function isAmongLast(kept: readonly StoredMessage[], id: string): boolean {
  for (let at = kept.length - 1; at >= 0 && at >= kept.length - AHEAD; at--)
    if (kept[at]?.id === id) return true;
  return false;
}

function countText({ content, tool_calls: calls }: StoredMessage): number {
  return (content?.length ?? 0) + (calls?.length ?? 0);
}
