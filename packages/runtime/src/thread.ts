import {
  emptyScope,
  type HookMessage,
  type MessageRange,
  type NewMessage,
  RunError,
  type ThreadState,
} from '@spec/hooks';
import type { ThreadEvent } from './events.ts';
import type { LedgerEntry, LedgerFilter } from './store.ts';
import type { ThreadCore } from './thread-core.ts';
import type { TurnResult } from './turn.ts';
import {
  deleteMessage,
  flushRuns,
  injectMessage,
  queueMessage,
  underFence,
  updateMessage,
} from './writes.ts';

/** What a person sends: a text, or a message with fields of its own. */
export type UserInput = string | (Partial<NewMessage> & { content: string });

/** One conversation, open for reading and writing (design §7). */
export interface Thread {
  readonly id: string;
  readonly agentId: string;
  /** The state as hooks get it, without an end: it is where the thread is, and its writes belong to the turn that is running. */
  readonly state: ThreadState;
  /** Sends a user message and runs a turn. Turns of a thread run one after another. @throws {RunError} as the turn's hooks and model do */
  send(input: UserInput): Promise<TurnResult>;
  /** Stores a message without running a turn. While tools run, it is stored when all their results are. */
  inject(message: NewMessage): Promise<HookMessage>;
  /** Keeps a message for the start of the next step. */
  queue(message: NewMessage): Promise<void>;
  /** Changes fields of a stored message. @throws {RunError} `not_found`, `invalid_message` */
  update(messageId: string, updates: Record<string, unknown>): Promise<HookMessage>;
  deleteMessage(messageId: string): Promise<boolean>;
  messages(range?: MessageRange): Promise<HookMessage[]>;
  /** The runs of hooks on this thread, oldest first. */
  runs(filter?: Omit<LedgerFilter, 'threadId'>): Promise<LedgerEntry[]>;
  /** What happens from now on, until the reader stops or the thread is closed. For a slow reader 10,000 events wait. */
  events(): AsyncIterableIterator<ThreadEvent>;
  /**
   * Ends the turn that is running or about to begin at once: the model, tools and hooks are aborted, and calls that were
   * under way are answered with an error. Turns that wait behind it go on. Where nothing runs, nothing happens.
   */
  stop(reason?: unknown): void;
  /** Stops all turns, then removes the thread, its children, and all that belongs to them. */
  delete(): Promise<void>;
  /** Waits for the turns that were sent, and gives the thread free for another writer. Twice is once. */
  close(): Promise<void>;
}

/** The public handle of an open thread. */
export function threadHandle(core: ThreadCore): Thread {
  const { state, store, id } = core;
  core.isHandled = true;
  return {
    id,
    agentId: core.record.agentId,
    state,
    send: (input) => send(core, input),
    inject: (message) => write(core, () => injectMessage(core.outside, message)),
    queue: (message) => write(core, () => queueMessage(core.outside, message)),
    update: (messageId, updates) => write(core, () => updateMessage(core.outside, messageId, updates)),
    deleteMessage: (messageId) => write(core, () => deleteMessage(core.outside, messageId)),
    messages: (range = {}) => store.listMessages(id, range),
    runs: (filter = {}) => store.listRuns({ ...filter, threadId: id }),
    events: () => core.events.stream(),
    stop: (reason) => core.stop(reason),
    delete: () => remove(core),
    close: () => core.close(),
  };
}

async function send(core: ThreadCore, input: UserInput): Promise<TurnResult> {
  if (!core.isOpen) throw core.closedError();
  return core.send(userMessage(input));
}

/** A write of the application's own; without a hook in scope it costs nothing besides (C11). */
function write<T>(core: ThreadCore, run: () => Promise<T>): Promise<T> {
  if (!core.isOpen) return Promise.reject(core.closedError());
  return core.scope === emptyScope ? run() : thenFlush(core, run());
}

/** Writes the runs of `after_*` hooks, which come after the commit they tell of. */
async function thenFlush<T>(core: ThreadCore, writing: Promise<T>): Promise<T> {
  try {
    const written = await writing;
    await flushRuns(core);
    return written;
  } catch (error) {
    await flushRuns(core).catch(() => {}); // They wait for the next commit.
    throw error;
  }
}

async function remove(core: ThreadCore): Promise<void> {
  if (!core.isOpen) throw core.closedError();
  core.stopAll();
  await core.enter(async () => {
    await underFence(core.state, 'delete', (fence) => core.store.deleteThread(core.id, fence));
    core.runtime.forgetFamily(core);
  });
}

function userMessage(input: UserInput): NewMessage {
  const message = typeof input === 'string' ? { content: input } : input;
  if (typeof message?.content === 'string') return { ...message, role: 'user' };
  throw new RunError('invalid_message', 'A user message needs a text: send("…") or send({ content: "…" }).');
}
