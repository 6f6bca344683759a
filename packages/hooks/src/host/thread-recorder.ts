import type { HookMessage } from '../vocabulary/messages.ts';
import type { RunRecord } from '../vocabulary/record.ts';
import type { RecordedRun } from '../vocabulary/recorded-runs.ts';
import type { KeyedValue, NewMessage, ThreadState } from '../vocabulary/state.ts';
import type { StoreAppend, ThreadStore } from './thread-store.ts';

/** How long a write waits for another process that writes to its thread, in milliseconds. */
const PATIENCE = 5_000;
const LEASE_MS = 5_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 160;

type RecordedThread = Pick<ThreadState, 'threadId' | 'agentId' | 'userId' | 'execution'>;

/**
 * Writes the messages of one turn, and the runs of its hooks, to a store. A run is stored in the commit of the message that it was about, else by
 * the end of its chain: what the loop goes on with is stored.
 *
 * A foreign loop does not say when a turn has ended, so no lease is held between two writes: the fence of one that was released is good
 * until somebody else takes the thread. Then a new one is taken, and held until the write is through.
 */
export class ThreadRecorder {
  readonly #store: ThreadStore;
  readonly #thread: RecordedThread;
  readonly #owner = crypto.randomUUID();
  readonly #lines: ThreadLines;
  #runs: RecordedRun[] = [];
  #fence: number | undefined;

  constructor(store: ThreadStore, thread: RecordedThread) {
    this.#store = store;
    this.#thread = thread;
    this.#lines = findLines(store);
  }

  /** A hook has run: that is stored with what comes next. */
  note(record: RunRecord): void {
    const { threadId, execution } = this.#thread;
    const { flowId: turnId, stepCount: step } = execution;
    this.#runs.push({ ...record, threadId, turnId, step, at: Date.now() * 1000 });
  }

  /**
   * Stores a message that has passed its chain. A framework, its client or its provider may give the id of another message: the thread has both
   * then, the newer one under an id of its own. One that says the same was sent again, and is there once.
   *
   * @returns the message as the thread has it, and whether it had it before
   * @throws {RunError} `thread_busy` where another writer keeps the thread
   */
  async keep(message: HookMessage): Promise<KeptMessage> {
    const runs = this.#takeRuns();
    const along = runs.length === 0 ? {} : { runs };
    try {
      await this.#write({ ...newMessage(message), ...along });
      return { message, isKnown: false };
    } catch (error) {
      const known = hasCode(error, 'invalid_message') ? await this.#find(message.id) : undefined;
      if (known === undefined) throw error;
      if (!saysTheSame(known, message)) {
        const renamed = { ...message, id: crypto.randomUUID() };
        await this.#write({ ...newMessage(renamed), ...along });
        return { message: renamed, isKnown: false };
      }
      if (runs.length > 0) await this.#write(along);
      return { message: known, isKnown: true };
    }
  }

  async #find(id: string): Promise<HookMessage | undefined> {
    const messages = await this.#store.listMessages(this.#thread.threadId).catch(() => []);
    return messages.find((message) => message.id === id);
  }

  /** Stores the runs that no message took along. */
  async flush(): Promise<void> {
    const runs = this.#takeRuns();
    if (runs.length > 0) await this.#write({ runs });
  }

  /** Stores a value. @throws {RunError} `thread_busy` where another writer keeps the thread */
  setValue(value: KeyedValue): Promise<void> {
    return this.#write({ values: [value] });
  }

  #takeRuns(): RecordedRun[] {
    const runs = this.#runs;
    this.#runs = [];
    return runs;
  }

  #write(append: StoreAppend): Promise<void> {
    return this.#lines.enter(this.#thread.threadId, () => this.#append(append));
  }

  async #append(append: StoreAppend): Promise<void> {
    const deadline = Date.now() + PATIENCE;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await this.#tryAppend(append);
      } catch (error) {
        if (!hasCode(error, 'thread_busy') || Date.now() > deadline) throw error;
        // Those who wait for the same thread must not come back in step.
        const pauseMs = pause * (0.5 + Math.random());
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  async #tryAppend(append: StoreAppend): Promise<void> {
    const { threadId } = this.#thread;
    if (this.#fence !== undefined) {
      try {
        await this.#store.append(threadId, this.#fence, append);
        return;
      } catch (error) {
        if (!hasCode(error, 'thread_busy')) throw error;
        this.#fence = undefined;
      }
    }
    await this.makeThread();
    const lease = await this.#store.acquireLease({ threadId, owner: this.#owner, ttlMs: LEASE_MS });
    try {
      await this.#store.append(threadId, lease.fence, append);
      this.#fence = lease.fence;
    } finally {
      await this.#store.releaseLease(lease).catch(() => undefined); // What is written is written; the lease ends by itself.
    }
  }

  /** The store has the thread afterwards. */
  async makeThread(): Promise<void> {
    const { threadId: id, agentId, userId } = this.#thread;
    if ((await this.#store.getThread(id)) !== null) return;
    const row = { id, agentId, userId, parentId: null, depth: 0, createdAt: Date.now() * 1000 } as const;
    const fresh = { currentSide: 'a', terminated: null, turn: null, compaction: null, metadata: {} } as const;
    try {
      await this.#store.createThread({ ...row, ...fresh });
    } catch (error) {
      const isThere = hasCode(error, 'invalid_input') && (await this.#store.getThread(id)) !== null;
      if (!isThere) throw error; // Else another turn of this thread was first.
    }
  }
}

/** A message in its thread. */
export interface KeptMessage {
  readonly message: HookMessage;
  /** Whether the thread had it already. */
  readonly isKnown: boolean;
}

function newMessage(message: HookMessage): StoreAppend {
  return { messages: [{ ...message }], newIds: [message.id] };
}

function saysTheSame(one: HookMessage, other: HookMessage): boolean {
  const [said, again] = [one, other].map(({ role, content, tool_calls, tool_call_id }) =>
    JSON.stringify([role, content ?? null, tool_calls ?? null, tool_call_id ?? null]),
  );
  return said === again;
}

/** A message with the fields that every stored message has. */
export function completeMessage(message: NewMessage): HookMessage {
  return { ...message, id: message.id ?? crypto.randomUUID(), created_at: readTime(message) };
}

function readTime({ created_at }: NewMessage): number {
  return typeof created_at === 'number' ? created_at : Date.now() * 1000;
}

function hasCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown } | null)?.code === code;
}

/** The writes of this process stand in line for their thread: who comes first writes first, and no turn starves another. */
class ThreadLines {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does a piece of work when what came before it for its thread is done, however that ended. */
  enter<Result>(threadId: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#last.get(threadId) ?? Promise.resolve()).then(work);
    const settled = done
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(threadId) === settled) this.#last.delete(threadId);
      });
    this.#last.set(threadId, settled);
    return done;
  }
}

const lines = new WeakMap<ThreadStore, ThreadLines>();

/** Hosts that share a store share its lines. */
function findLines(store: ThreadStore): ThreadLines {
  const known = lines.get(store) ?? new ThreadLines();
  lines.set(store, known);
  return known;
}
