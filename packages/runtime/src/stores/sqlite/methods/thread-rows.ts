import type { KnownThread } from '../../derive/settle.ts';
import type { Writes } from '../../driver.ts';
import { noSuchMessage } from '../../refusals.ts';
import { encodeRuns } from '../../rows/run-row.ts';
import type { QueueItem, StoredMessage, ToolCallRecord } from '../../store.ts';
import { mergeCalls } from '../tables/call-states.ts';
import {
  decodeMessage,
  encodeMessage,
  losesText,
  nameMessage,
  type SqliteMessageRow,
} from '../tables/message-row.ts';
import type { Tables } from '../tables/tables.ts';
import { encodeChanges } from '../tables/thread-row.ts';

/** The rows of one thread in one transaction: first read, then written. A message is looked up once, however many calls it has. */
export class ThreadRows implements KnownThread {
  readonly key: number;
  readonly id: string;
  readonly fence: number;
  readonly #tables: Tables;
  /** Calls of the commit. Those of a new message are stored with it. */
  readonly #calls: readonly ToolCallRecord[];
  /** The messages that were looked up so far. */
  readonly #keys = new Map<string, number>();
  readonly #inserted = new Set<string>();
  /** The key of the last inserted message. */
  #last: number | undefined;
  /** The message that an update found. */
  #before: SqliteMessageRow | undefined;

  constructor(
    tables: Tables,
    { key, id, fence }: Pick<ThreadRows, 'key' | 'id' | 'fence'>,
    calls: readonly ToolCallRecord[] = none,
  ) {
    this.#tables = tables;
    this.#calls = calls;
    this.key = key;
    this.id = id;
    this.fence = fence;
  }

  insert(message: StoredMessage): boolean {
    const calls = this.#calls.filter(({ messageId }) => messageId === message.id);
    const states = calls.length > 0 ? mergeCalls(null, calls, () => '') : null;
    const key = this.#tables.messages.insert(this.key, encodeMessage(message), states);
    if (key === undefined) return false;
    this.#keys.set(message.id, key);
    this.#inserted.add(message.id);
    this.#last = key;
    return true;
  }

  roleOf(id: string): string | undefined {
    const place = this.#tables.messages.identifyPlace(this.key, id);
    if (place === undefined) return undefined;
    const [key, role] = place;
    this.#keys.set(id, key);
    return role;
  }

  findMessage(id: string): StoredMessage | null {
    this.#before = this.#tables.messages.find(this.key, id);
    return this.#before ? decodeMessage(this.#before, this.id) : null;
  }

  queued(id: string): QueueItem | undefined {
    return this.#tables.queue.find(this, id);
  }

  valueOf(key: string): unknown {
    return this.#tables.values.get(this, key);
  }

  hasFile(path: string): boolean {
    return this.#tables.files.has(this.key, path);
  }

  /** Makes the remaining writes: `insert` already stored the messages. Returns whether a replaced message lost no text. */
  write(writes: Writes): { keepsText: boolean } {
    const { key } = this;
    const { queue, ledger, values, files, threads } = this.#tables;
    for (const id of writes.remove ?? none) this.#remove(id);
    if (writes.toolCalls) this.#put(writes.toolCalls);
    for (const id of writes.dequeue ?? none) queue.remove(key, id);
    if (writes.runs || writes.marks)
      ledger.add(key, encodeRuns(writes.runs ?? none, writes.marks), this.#last);
    for (const item of writes.enqueue ?? none) queue.add(key, item);
    for (const value of writes.values ?? none) values.put(key, value);
    for (const file of writes.files ?? none) files.put(key, file);
    for (const path of writes.removeFiles ?? none) files.remove(key, path);
    if (writes.thread) threads.update(key, encodeChanges(writes.thread));
    return { keepsText: writes.replace !== undefined && this.#replace(writes.replace) };
  }

  #remove(id: string): void {
    const { messages, ledger } = this.#tables;
    const key = this.#keys.get(id);
    if (key !== undefined) ledger.keepWithout(key);
    messages.remove(this.key, id);
  }

  #put(calls: readonly ToolCallRecord[]): void {
    const others = calls.filter(({ messageId }) => !this.#inserted.has(messageId));
    for (const id of new Set(others.map(({ messageId }) => messageId))) {
      const message = this.#keys.get(id);
      if (message === undefined) throw noSuchMessage(this.id, id);
      const own = others.filter(({ messageId }) => messageId === id);
      this.#tables.calls.put(message, own, () => nameMessage(id, this.id));
    }
  }

  #replace(message: StoredMessage): boolean {
    const row = encodeMessage(message);
    this.#tables.messages.replace(this.key, row);
    return this.#before !== undefined && !losesText(this.#before, row);
  }
}

const none: readonly never[] = [];
