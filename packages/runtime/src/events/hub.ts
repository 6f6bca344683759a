// Events: tells listeners what happens in a thread and its children. Threads and the application call it; it never waits for a listener.

import { onAbort } from '@spec/hooks';
import { CallbackListener, type ListenerOptions, type OnEvent } from './callback-listener.ts';
import { StreamListener } from './stream-listener.ts';
import type { EventOf, FamilyEvent, ThreadEvent } from './thread-event.ts';

export type { ListenerOptions, OnEvent } from './callback-listener.ts';
export type { FamilyEvent, ThreadEvent, TokenUsage } from './thread-event.ts';

/** Which events are listened to, and until when. */
export interface EventsOptions {
  /** Those of child threads too; each event then names its thread in `threadId`. Default: no. */
  readonly children?: boolean;
  /** Ends the listening, once what has happened until then is read. */
  readonly signal?: AbortSignal;
}

/** What of an answer has left so far. */
export interface WrittenText {
  readonly messageId: string;
  soFar(): string;
}

type Asked = EventOf<'permission_asked'>;

interface Listener {
  receive(event: ThreadEvent): void;
  /** No more comes; what waits is still told. */
  end(): void;
}

/**
 * The listeners of one thread.
 *
 * L1 Nobody waits for a listener: what it has not taken yet waits for it, bounded.
 * L2 What a listener throws reaches no other listener and no turn; it is told to its `onError`, else as a warning.
 * L3 Who begins to read while an answer is being written gets what has left of it first, in one piece.
 * L4 Every listener gets a message of its own: changing it changes nothing elsewhere.
 * L5 Who begins to read while a person is asked is told the question: whoever listened before knew of it already.
 */
export class EventHub {
  readonly #threadId: string;
  readonly #findParent: (() => EventHub | undefined) | undefined;
  /** With whether they hear the child threads too. */
  readonly #listeners = new Map<Listener, boolean>();
  /** The answer that a model is writing. */
  #beingWritten: WrittenText | undefined;
  /** What persons are asked here and below, not answered yet, by the ids of the questions. */
  readonly #asks = new Map<string, Asked & { readonly threadId: string }>();
  #isClosed = false;
  #onClosed: (() => void) | undefined;

  /** @param findParent finds the listeners of the thread above, where there is one and it is open */
  constructor(threadId: string = '', findParent?: () => EventHub | undefined) {
    this.#threadId = threadId;
    this.#findParent = findParent;
  }

  get #parent(): EventHub | undefined {
    return this.#findParent?.();
  }

  /** Whether anybody would hear an event. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0 || (this.#parent?.isHeardWithChildren ?? false);
  }

  /** Whether somebody hears this thread and those below it. */
  get isHeardWithChildren(): boolean {
    for (const children of this.#listeners.values()) if (children) return true;
    return this.#parent?.isHeardWithChildren ?? false;
  }

  emit(event: ThreadEvent): void {
    if (!this.hasListeners) return;
    for (const [listener, children] of [...this.#listeners])
      listener.receive(copyEvent(children ? { ...event, threadId: this.#threadId } : event));
    this.#parent?.forwardFromChild({ ...event, threadId: this.#threadId });
  }

  /** Tells an event of a thread below this one. */
  forwardFromChild(event: FamilyEvent): void {
    for (const [listener, children] of [...this.#listeners]) if (children) listener.receive(copyEvent(event));
    this.#parent?.forwardFromChild(event);
  }

  /** Tells an event of another process, of this thread or of one below it. */
  hear(event: FamilyEvent): void {
    if (event.type === 'permission_asked') this.#asks.set(event.askId, event);
    if (event.type === 'permission_answered') this.#asks.delete(event.askId);
    const isOwn = event.threadId === this.#threadId;
    for (const [listener, children] of [...this.#listeners])
      if (children) listener.receive(event);
      else if (isOwn) listener.receive(withoutThread(event));
  }

  /** Tells that a person is asked. */
  ask(event: Asked): void {
    for (const hub of this.#upwards()) hub.#asks.set(event.askId, { ...event, threadId: this.#threadId });
    this.emit(event);
  }

  /** Tells that a question was answered. */
  answer(event: EventOf<'permission_answered'>): void {
    for (const hub of this.#upwards()) hub.#asks.delete(event.askId);
    this.emit(event);
  }

  /** Those of this thread and of the threads above. */
  *#upwards(): Generator<EventHub, void> {
    yield this;
    const parent = this.#parent;
    if (parent !== undefined) yield* parent.#upwards();
  }

  /** An answer is being written from now on; `undefined`: it is stored, or nothing will come of it. */
  write(text: WrittenText | undefined): void {
    this.#beingWritten = text;
  }

  /** Every event from now on, until the reader stops, the signal is aborted or the thread is closed. */
  stream(options: EventsOptions = {}): AsyncIterableIterator<ThreadEvent> {
    const listener = this.#listen((onEnd) => new StreamListener(onEnd), options);
    for (const event of this.#underWay())
      if (options.children) listener.receive(event);
      else if (event.threadId === this.#threadId) listener.receive(withoutThread(event));
    return listener;
  }

  /** What has begun and not ended. */
  *#underWay(): Generator<FamilyEvent, void> {
    const { messageId, soFar = () => '' } = this.#beingWritten ?? {};
    const text = soFar();
    if (messageId !== undefined && text !== '')
      yield { type: 'text', text, messageId, threadId: this.#threadId };
    yield* this.#asks.values();
  }

  /** Does something once, the first time: `begin` gives what ends it when the hub is closed. */
  whileOpen(begin: () => () => void): void {
    if (!this.#isClosed) this.#onClosed ??= begin();
  }

  /** Calls a function with every event from now on. @returns what takes the listener away again */
  on(onEvent: OnEvent, { onError, ...options }: EventsOptions & ListenerOptions = {}): () => void {
    const teller = { threadId: this.#threadId, onError };
    const listener = this.#listen((onEnd) => new CallbackListener(onEvent, teller, onEnd), options);
    return () => listener.stop();
  }

  #listen<L extends Listener>(
    create: (onEnd: () => void) => L,
    { children = false, signal }: EventsOptions,
  ): L {
    let forgetSignal = (): void => {};
    const listener = create(() => {
      this.#listeners.delete(listener);
      forgetSignal();
    });
    if (this.#isClosed || signal?.aborted) {
      listener.end();
      return listener;
    }
    this.#listeners.set(listener, children);
    if (signal !== undefined) forgetSignal = onAbort(signal, () => listener.end());
    return listener;
  }

  /** Ends all listening, once what waits is read. */
  close(): void {
    this.#isClosed = true;
    this.#onClosed?.();
    for (const listener of [...this.#listeners.keys()]) listener.end();
  }
}

function withoutThread({ threadId: _, ...event }: FamilyEvent): ThreadEvent {
  return event;
}

function copyEvent<Event extends ThreadEvent>(event: Event): Event {
  return event.type === 'message' || event.type === 'message_updated' ? structuredClone(event) : event;
}
