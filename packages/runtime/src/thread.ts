import { type HookMessage, type MessageRange, type NewMessage, RunError, type ThreadState } from '@spec/hooks';
import type { ThreadEvent } from './events.ts';
import type { LedgerEntry, LedgerFilter } from './store.ts';
import type { ThreadCore } from './thread-core.ts';
import { runTurn, type TurnResult } from './turn.ts';
import { deleteMessage, injectMessage, queueMessage, updateMessage } from './writes.ts';

/** What a person sends: a text, or a message with fields of its own. */
export type UserInput = string | (Partial<NewMessage> & { content: string });

/** One conversation, open for reading and writing (design §7). */
export interface Thread {
  readonly id: string;
  readonly agentId: string;
  /** The state as hooks get it, without an end. */
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
  /** What happens from now on, until the reader stops or the thread is closed. */
  events(): AsyncIterableIterator<ThreadEvent>;
  /** Ends the running turn at once: the model, tools and hooks are aborted, and calls that were under way are answered with an error. */
  stop(reason?: unknown): void;
  /** Removes the thread and all that belongs to it. */
  delete(): Promise<void>;
  /** Waits for the running turn and gives the thread free for another writer. */
  close(): Promise<void>;
}

/** The public handle of an open thread. */
export function threadHandle(core: ThreadCore): Thread {
  const { state, store, id } = core;
  return {
    id,
    agentId: core.record.agentId,
    state,
    send: (input) => inTurn(core, () => runTurn(core, userMessage(input))),
    inject: (message) => thenFlush(core, injectMessage(state, message)),
    queue: (message) => thenFlush(core, queueMessage(state, message)),
    update: (messageId, updates) => thenFlush(core, updateMessage(state, messageId, updates)),
    deleteMessage: (messageId) => deleteMessage(state, messageId),
    messages: (range = {}) => store.listMessages(id, range),
    runs: (filter = {}) => store.listRuns({ ...filter, threadId: id }),
    events: () => core.events.stream(),
    stop: (reason) => core.flow.abort(reason),
    delete: () => inTurn(core, () => deleteThread(core)),
    close: () => closeThread(core),
  };
}

/** Ends everything that is open on a thread. */
export async function closeThread(core: ThreadCore): Promise<void> {
  await core.turn;
  await core.flushRuns();
  await core.release();
  core.events.close();
}

/** Runs one thing after the turn before it, whether or not that failed. */
function inTurn<T>(core: ThreadCore, run: () => Promise<T>): Promise<T> {
  const running = core.turn.then(run);
  core.turn = running.catch(() => {});
  return running;
}

/** Writes the runs of `after_*` hooks, which come after the commit they tell of. */
async function thenFlush<T>(core: ThreadCore, writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } finally {
    if (core.hasRuns) await core.flushRuns();
  }
}

function userMessage(input: UserInput): NewMessage {
  const message = typeof input === 'string' ? { content: input } : input;
  if (typeof message?.content !== 'string') {
    throw new RunError('invalid_message', 'A user message needs a text: send("…") or send({ content: "…" }).');
  }
  return { ...message, role: 'user' };
}

async function deleteThread(core: ThreadCore): Promise<void> {
  await core.store.deleteThread(core.id, await core.fence());
  core.forget();
}
