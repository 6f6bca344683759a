import type { HookMessage, LateWrite, RunRecord } from '@spec/hooks';

/** What happens on a thread, as its listeners hear it. */
export type ThreadEvent =
  /** Text of the answer, as far as no hook in scope could still change it. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'message'; readonly message: HookMessage }
  | { readonly type: 'message_updated'; readonly message: HookMessage }
  | { readonly type: 'tool_started'; readonly toolCallId: string; readonly name: string }
  | {
      readonly type: 'tool_ended';
      readonly toolCallId: string;
      readonly name: string;
      readonly status: 'success' | 'error';
    }
  | { readonly type: 'hook_run'; readonly run: RunRecord }
  /** A hook or a tool (`hook: 'tool'`, with its name as id) that had ended tried to write. */
  | { readonly type: 'late_write'; readonly late: LateWrite }
  /** Every turn that began ends with one of these: with the status of its result, or with `failed` where it has none. */
  | { readonly type: 'turn_ended'; readonly turnId: string; readonly status: string }
  /** Sent by a hook or a tool with `state.emit`. */
  | { readonly type: 'custom'; readonly name: string; readonly data: unknown }
  /** The listener was too slow: so many events before this one were dropped for it. */
  | { readonly type: 'events_dropped'; readonly count: number };

/** So many events wait for a slow listener; then the oldest are dropped. */
const MAX_WAITING = 10_000;

/** The listeners of one thread. A slow one holds nothing up. */
export class EventHub {
  readonly #listeners = new Set<Listener>();

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  emit(event: ThreadEvent): void {
    for (const listener of this.#listeners) listener.hear(event);
  }

  /** Every event from now on, until the reader stops or the thread is closed. */
  stream(): AsyncIterableIterator<ThreadEvent> {
    const listener = new Listener((ended) => this.#listeners.delete(ended));
    this.#listeners.add(listener);
    return listener;
  }

  /** Ends all streams, once their readers have read what waits for them. */
  close(): void {
    for (const listener of this.#listeners) listener.end();
  }
}

type Read = IteratorResult<ThreadEvent, undefined>;

/** One reader's events. */
class Listener implements AsyncIterableIterator<ThreadEvent> {
  #waiting: ThreadEvent[] = [];
  #dropped = 0;
  readonly #readers: Array<(read: Read) => void> = [];
  #ended = false;
  readonly #onEnd: (listener: Listener) => void;

  constructor(onEnd: (listener: Listener) => void) {
    this.#onEnd = onEnd;
  }

  hear(event: ThreadEvent): void {
    const reader = this.#readers.shift();
    if (reader !== undefined) reader({ done: false, value: event });
    else this.#keep(event);
  }

  #keep(event: ThreadEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length <= MAX_WAITING) return;
    this.#waiting.shift();
    this.#dropped++;
  }

  end(): void {
    this.#ended = true;
    this.#onEnd(this);
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  async next(): Promise<Read> {
    const value = this.#takeDropped() ?? this.#waiting.shift();
    if (value !== undefined) return { done: false, value };
    if (this.#ended) return { done: true, value: undefined };
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  #takeDropped(): ThreadEvent | undefined {
    if (this.#dropped === 0) return undefined;
    const count = this.#dropped;
    this.#dropped = 0;
    return { type: 'events_dropped', count };
  }

  async return(): Promise<Read> {
    this.#waiting = [];
    this.#dropped = 0;
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
