import {
  emptyScope,
  type HookMessage,
  type MessageRange,
  type NewMessage,
  type NewMessageOfParts,
  RunError,
  readUserContent,
  type ThreadState,
} from '@spec/hooks';
import { placeError } from '../aborted.ts';
import type { CompactionResult, CompactOptions } from '../compaction/compact.ts';
import { compactThread } from '../compaction/compact.ts';
import { checkMode, type PermissionMode } from '../definitions/permission-mode.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import type { EventsOptions, FamilyEvent, ListenerOptions } from '../events/hub.ts';
import { checkFunction, checkName, checkNewId, checkOptions, checkRange, refusePromise } from '../given.ts';
import { type LedgerQuery, queryNames, toFilter } from '../ledger/ledger.ts';
import { chooseStreaming, type Streaming } from '../model/streaming.ts';
import { endSession, setMode } from '../session/lifecycle.ts';
import { startSkill } from '../session/skills.ts';
import { copyGiven } from '../stores/message-fields.ts';
import type { LedgerEntry } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import { newTurn } from '../thread/flow.ts';
import { stopId, TASK } from '../thread/ids.ts';
import { refuseBusyBelow } from '../thread/lease.ts';
import { hearOthers } from '../turn/signalled.ts';
import { flushRuns, underFence } from '../writes/commit.ts';
import { injectMessage, queueMessage } from '../writes/given-messages.ts';
import { deleteMessage, updateMessage } from '../writes/message-changes.ts';
import { notify } from '../writes/notifications.ts';
import type { QueueOptions, SendOptions, Thread, UserInput } from './thread.ts';

/** The public handle of an open thread. */
export function threadHandle(core: ThreadCore): Thread {
  core.isHandled = true;
  return new ThreadHandle(core);
}

/** Its methods stand on the prototype: a process may hold ten thousand threads, and a closure for each would be most of one. */
class ThreadHandle implements Thread {
  readonly #core: ThreadCore;

  constructor(core: ThreadCore) {
    this.#core = core;
  }

  get id(): string {
    return this.#core.id;
  }
  get agentId(): string {
    return this.#core.record.agentId;
  }
  get state(): ThreadState {
    return this.#core.state;
  }
  get permissionMode(): PermissionMode {
    return this.#core.session.mode;
  }
  setPermissionMode(mode: PermissionMode): Promise<void> {
    return whileOpen(this.#core, () => setMode(this.#core, checkMode(mode)));
  }
  startSkill(path: string): Promise<string> {
    return whileOpen(this.#core, () => {
      if (this.#core.engine.isRemote) throw noSkillElsewhere(this.#core);
      return startSkill(this.#core, path);
    });
  }
  notify(kind: string, message: string): Promise<void> {
    return write(this.#core, () => notify(this.#core.outside, { kind, message }));
  }
  send(input: UserInput, options?: SendOptions): Promise<TurnResult> {
    return send(this.#core, input, options);
  }
  resume(): Promise<TurnResult | null> {
    return whileOpen(this.#core, () => this.#core.turns.resume());
  }
  compact(options?: CompactOptions): Promise<CompactionResult> {
    return whileOpen(this.#core, () => compactThread(this.#core, options));
  }
  idle(): Promise<void> {
    return this.#core.turns.idle();
  }

  inject(message: NewMessage | NewMessageOfParts): Promise<HookMessage> {
    return write(this.#core, () => injectMessage(this.#core.outside, message));
  }
  queue(message: NewMessage | NewMessageOfParts, options?: QueueOptions): Promise<void> {
    return write(this.#core, () => queueMessage(this.#core.outside, message, options));
  }
  update(messageId: string, updates: Record<string, unknown>): Promise<HookMessage> {
    return write(this.#core, () => updateMessage(this.#core.outside, messageId, updates));
  }
  deleteMessage(messageId: string): Promise<boolean> {
    return write(this.#core, () => deleteMessage(this.#core.outside, messageId));
  }
  async messages(range: MessageRange = {}): Promise<HookMessage[]> {
    checkRange(range);
    return this.#core.store.listMessages(this.id, range);
  }
  async runs(query?: Omit<LedgerQuery, 'threadId'>): Promise<LedgerEntry[]> {
    const { threadId: _, ...names } = queryNames;
    checkOptions('a request for runs', query, names);
    return this.#core.store.listRuns(toFilter({ ...query, threadId: this.id }));
  }

  events(options?: EventsOptions): AsyncIterableIterator<FamilyEvent> {
    checkOptions('a stream of events', options, { children: true, signal: true });
    hearOthers(this.#core);
    return this.#core.events.stream(options) as AsyncIterableIterator<FamilyEvent>;
  }
  on(listener: (event: FamilyEvent) => unknown, options?: EventsOptions & ListenerOptions): () => void {
    checkFunction('listener of a thread', listener);
    checkOptions('a listener', options, { children: true, signal: true, onError: true });
    hearOthers(this.#core);
    return this.#core.events.on(listener, options);
  }
  streaming(): Streaming {
    return chooseStreaming(this.#core.scope, this.#core.runtime.streamsRaw);
  }
  stop(reason?: unknown): Promise<void> {
    return stop(this.#core, reason);
  }
  delete(): Promise<void> {
    return remove(this.#core);
  }
  close(): Promise<void> {
    return this.#core.close();
  }
}

async function whileOpen<T>(core: ThreadCore, run: () => Promise<T>): Promise<T> {
  if (!core.isOpen) throw core.closedError();
  try {
    return await run();
  } catch (error) {
    throw placeError(error, { threadId: core.id });
  }
}

function send(core: ThreadCore, input: UserInput, options: SendOptions = {}): Promise<TurnResult> {
  return whileOpen(core, async () => {
    checkOptions('a turn', options, { id: true });
    const { id } = options;
    if (id === TASK && core.record.parentId !== null) throw takenTurnId(core);
    return core.turns.send(copyGiven(userMessage(input), core.id), turnId(id));
  });
}

function takenTurnId({ id: threadId }: ThreadCore): RunError {
  const message = `The turn "${TASK}" of thread ${threadId} is the one that its parent began: give another id.`;
  return new RunError('invalid_input', message, { threadId });
}

function noSkillElsewhere({ id: threadId }: ThreadCore): RunError {
  const message = `The skill cannot be started here: turns of thread ${threadId} run in other processes, which would not have its hooks. Give them to the prompt or as policies.`;
  return new RunError('unsupported', message, { threadId });
}

async function stop({ turns, store, id, engine, runtime }: ThreadCore, reason: unknown): Promise<void> {
  if (turns.running !== undefined || engine.isRemote) turns.stop(reason);
  if (turns.running !== undefined) return;
  const turnId = (await store.getThread(id))?.turn?.id;
  if (turnId === undefined) return;
  await store.post(id, { id: stopId(turnId), kind: 'stop', payload: { turnId } });
  runtime.signals?.publish(id, { type: 'stop', threadId: id, turnId, from: runtime.owner });
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
    await flushRuns(core)?.catch(() => {}); // They wait for the next commit.
    throw placeError(error, { threadId: core.id });
  }
}

async function remove(core: ThreadCore): Promise<void> {
  if (!core.isOpen) throw core.closedError();
  core.turns.stopAll();
  await core.turns.enter(newTurn(), async (flow) => {
    flow.pin(await core.lease.held()); // Before it is known to succeed, no session ends.
    await refuseBusyBelow(core.store, core.id, core.runtime.owner);
    for (const open of core.runtime.familyOf(core)) await endSession(open);
    await underFence(core.state, 'delete', (fence) => core.store.deleteThread(core.id, fence));
    core.runtime.forgetFamily(core);
  });
}

/** @throws {RunError} `invalid_input` */
function turnId(id: unknown): string | undefined {
  if (id === undefined) return undefined;
  checkNewId('turn', id);
  return id;
}

function userMessage(input: UserInput): NewMessage {
  if (typeof input === 'string') return { role: 'user', content: input };
  const message = input;
  refusePromise('A user message', message);
  if (message?.id !== undefined) checkName('id of a message', message.id, 'invalid_message');
  const { content } = message ?? {};
  if (typeof content === 'string' && message.attachments == null)
    return { ...message, content, role: 'user' };
  if (typeof content === 'string' || Array.isArray(content))
    return { ...message, role: 'user', ...readUserContent(message) };
  throw new RunError(
    'invalid_message',
    'A user message needs a text or parts: send("…"), send({ content: "…" }) or send({ content: [{ type: "text", text: "…" }] }).',
  );
}
