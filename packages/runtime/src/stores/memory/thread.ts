import type { KeyedValue } from '@spec/hooks';
import { pickMessages } from '../derive/lists.ts';
import type { KnownThread } from '../derive/settle.ts';
import type { MessageRange, StoredLease, Writes } from '../driver.ts';
import type { QueueItem, StoredFile, StoredMessage, ThreadRecord, ToolCallRecord } from '../store.ts';

/** A message with its sequence number and its calls by position. */
interface MemoryEntry {
  seq: number;
  message: StoredMessage;
  calls: ToolCallRecord[];
}

/** One thread and everything of its own except its runs. */
export class MemoryThread {
  readonly record: ThreadRecord;
  readonly queue: Map<string, QueueItem> = new Map();
  readonly values: Map<string, unknown> = new Map();
  readonly files: Map<string, StoredFile> = new Map();
  lease: StoredLease | null = null;
  /** Ascending by `seq`. */
  readonly #entries: MemoryEntry[] = [];
  readonly #byId = new Map<string, MemoryEntry>();
  #lastSeq = 0;

  constructor(record: ThreadRecord) {
    this.record = record;
  }

  get count(): number {
    return this.#entries.length;
  }

  find(id: string): StoredMessage | null {
    return this.#byId.get(id)?.message ?? null;
  }

  list(range: MessageRange): StoredMessage[] {
    const entries = pickMessages(this.#entries, range, (id) => this.#identifyPlace(id));
    return entries.map(({ message }) => message);
  }

  calls(messageId: string | undefined): ToolCallRecord[] {
    const entries = messageId === undefined ? this.#entries : [this.#byId.get(messageId)];
    return entries.flatMap((entry) => entry?.calls.filter((call) => call !== undefined) ?? []);
  }

  /** What the rules of a commit need to know. */
  known(): KnownThread {
    return {
      fence: this.lease?.fence ?? 0,
      roleOf: (id) => this.#byId.get(id)?.message.role,
      findMessage: (id) => this.find(id),
      queued: (id) => this.queue.get(id),
      valueOf: (key) => this.values.get(key),
      hasFile: (path) => this.files.has(path),
    };
  }

  write(writes: Writes): void {
    for (const message of writes.messages ?? []) this.#append(message);
    if (writes.replace) this.#replace(writes.replace);
    for (const id of writes.remove ?? []) this.#remove(id);
    for (const call of writes.toolCalls ?? []) this.#put(call);
    for (const id of writes.dequeue ?? []) this.queue.delete(id);
    for (const item of writes.enqueue ?? []) this.queue.set(item.id, item);
    for (const value of writes.values ?? []) this.#set(value);
    for (const file of writes.files ?? []) this.files.set(file.path, file);
    for (const path of writes.removeFiles ?? []) this.files.delete(path);
    if (writes.thread) Object.assign(this.record, writes.thread);
  }

  #append(message: StoredMessage): void {
    const entry = { seq: ++this.#lastSeq, message, calls: [] };
    this.#entries.push(entry);
    this.#byId.set(message.id, entry);
  }

  #replace(message: StoredMessage): void {
    const entry = this.#byId.get(message.id);
    if (entry) entry.message = message;
  }

  #remove(id: string): void {
    this.#entries.splice(this.#identifyPlace(id), 1);
    this.#byId.delete(id);
  }

  #put(call: ToolCallRecord): void {
    const entry = this.#byId.get(call.messageId);
    if (entry) entry.calls[call.position] = call;
  }

  #set({ key, value }: KeyedValue): void {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
  }

  /** The index of a message among the entries, by binary search; -1 if it is not there. */
  #identifyPlace(id: string): number {
    const seq = this.#byId.get(id)?.seq;
    if (seq === undefined) return -1;
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.seq ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
