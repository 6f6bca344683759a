import type { KnownThread } from '../../derive/settle.ts';
import type { Writes } from '../../driver.ts';
import { noSuchMessage } from '../../refusals.ts';
import type { QueueItem, StoredMessage, ToolCallRecord } from '../../store.ts';
import { decodeMessage, encodeMessage, losesText, type MessageRow } from '../tables/message-row.ts';
import { encodeRuns } from '../tables/run-row.ts';
import type { Tables } from '../tables/tables.ts';
import { encodeChanges } from '../tables/thread-row.ts';

/** The rows of one thread, in one transaction: looked at, then written. A message is looked for once, however many calls it has. */
export class ThreadRows implements KnownThread {
  readonly key: number;
  readonly id: string;
  readonly fence: number;
  readonly #tables: Tables;
  /** Of the messages that were met. */
  readonly #keys = new Map<string, number>();
  /** The message that an update found. */
  #before: MessageRow | undefined;

  constructor(tables: Tables, { key, id, fence }: Pick<ThreadRows, 'key' | 'id' | 'fence'>) {
    this.#tables = tables;
    this.key = key;
    this.id = id;
    this.fence = fence;
  }

  insert(message: StoredMessage): boolean {
    const key = this.#tables.messages.insert(this.key, encodeMessage(message));
    if (key !== undefined) this.#keys.set(message.id, key);
    else if (this.roleOf(message.id) === undefined) this.#tables.messages.checkOrder(this.key, this.id); // There is no place for it.
    return key !== undefined;
  }

  roleOf(id: string): string | undefined {
    const place = this.#tables.messages.placeOf(this.key, id);
    if (place === undefined) return undefined;
    const [key, , role] = place;
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

  /** Writes what is not written yet: `insert` stored the messages. Says whether all that was there of a message stays. */
  write(writes: Writes): { keepsText: boolean } {
    const { key } = this;
    const { messages, queue, ledger, values, files, threads } = this.#tables;
    for (const id of writes.remove ?? none) messages.remove(key, id);
    for (const call of writes.toolCalls ?? none) this.#put(call);
    for (const id of writes.dequeue ?? none) queue.remove(key, id);
    if (writes.runs) for (const row of encodeRuns(writes.runs)) ledger.add(key, row);
    for (const item of writes.enqueue ?? none) queue.add(key, item);
    for (const value of writes.values ?? none) values.put(key, value);
    for (const file of writes.files ?? none) files.put(key, file);
    for (const path of writes.removeFiles ?? none) files.remove(key, path);
    if (writes.thread) threads.update(key, encodeChanges(writes.thread));
    return { keepsText: writes.replace !== undefined && this.#replace(writes.replace) };
  }

  #put(call: ToolCallRecord): void {
    const message = this.#keys.get(call.messageId);
    if (message === undefined) throw noSuchMessage(this.id, call.messageId);
    this.#tables.calls.put(message, call);
  }

  #replace(message: StoredMessage): boolean {
    const row = encodeMessage(message);
    this.#tables.messages.replace(this.key, row);
    return this.#before !== undefined && !losesText(this.#before, row);
  }
}

const none: readonly never[] = [];
