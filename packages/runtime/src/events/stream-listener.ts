import type { ThreadEvent } from './thread-event.ts';
import { WaitingEvents } from './waiting-events.ts';

type Read = IteratorResult<ThreadEvent, undefined>;

/** One reader's events, as an iterator. */
export class StreamListener implements AsyncIterableIterator<ThreadEvent> {
  readonly #waiting = new WaitingEvents();
  readonly #readers: Array<(read: Read) => void> = [];
  readonly #onEnd: () => void;
  #ended = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  receive(event: ThreadEvent): void {
    const reader = this.#readers.shift();
    if (reader !== undefined) reader({ done: false, value: event });
    else this.#waiting.add(event);
  }

  /** No more comes; what waits can still be read. */
  end(): void {
    this.#ended = true;
    this.#onEnd();
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  async next(): Promise<Read> {
    const value = this.#waiting.take();
    if (value !== undefined) return { done: false, value };
    if (this.#ended) return { done: true, value: undefined };
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  async return(): Promise<Read> {
    this.#waiting.clear();
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
