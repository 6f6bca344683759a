import { isThenable, whereThrown } from '@spec/hooks';
import { warn } from '../warn.ts';
import type { ThreadEvent } from './thread-event.ts';
import { WaitingEvents } from './waiting-events.ts';

/** Hears an event. While the promise it may return is pending, further events wait for it; nothing else does. */
export type OnEvent = (event: never) => unknown;

export interface ListenerOptions {
  /**
   * Told of what the listener threw, or rejected with, and of the event it was called with. Default: the first failure of
   * a listener becomes a process warning that names the thread, the event's type and the place, never data.
   */
  readonly onError?: ((error: unknown, event: ThreadEvent) => void) | undefined;
}

interface Options extends ListenerOptions {
  readonly threadId: string;
}

/** A function that is called with one event after the other: at once where it is idle. */
export class CallbackListener {
  readonly #waiting = new WaitingEvents();
  readonly #onEvent: OnEvent;
  readonly #options: Options;
  readonly #onEnd: () => void;
  #isBusy = false;
  #hasWarned = false;

  constructor(onEvent: OnEvent, options: Options, onEnd: () => void) {
    this.#onEvent = onEvent;
    this.#options = options;
    this.#onEnd = onEnd;
  }

  receive(event: ThreadEvent): void {
    this.#waiting.add(event);
    if (!this.#isBusy) this.#callWithAll();
  }

  /** No more comes; what waits is still told. */
  end(): void {
    this.#onEnd();
  }

  /** Is not called again. */
  stop(): void {
    this.#waiting.clear();
    this.#onEnd();
  }

  /** A listener that makes something happen while it is called hears of it when it is done. */
  #callWithAll(): void {
    this.#isBusy = true;
    for (let event = this.#waiting.take(); event !== undefined; event = this.#waiting.take()) {
      const pending = this.#call(event);
      if (pending === undefined) continue;
      void pending.then(() => this.#callWithAll());
      return;
    }
    this.#isBusy = false;
  }

  #call(event: ThreadEvent): Promise<void> | undefined {
    try {
      const returned = (this.#onEvent as (event: ThreadEvent) => unknown)(event);
      if (!isThenable(returned)) return undefined;
      return Promise.resolve(returned).then(
        () => {},
        (error: unknown) => this.#tell(error, event),
      );
    } catch (error) {
      this.#tell(error, event);
      return undefined;
    }
  }

  #tell(error: unknown, event: ThreadEvent): void {
    const { onError } = this.#options;
    if (onError === undefined) {
      this.#warn(error, event);
      return;
    }
    try {
      onError(error, event);
    } catch (ofHandler) {
      this.#warn(ofHandler, event);
    }
  }

  #warn(error: unknown, { type }: ThreadEvent): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const where = whereThrown(error) ?? 'a value that is no error';
    const text = `A listener of thread ${this.#options.threadId} failed at the event "${type}": ${where}.`;
    warn(text, { type: 'ThreadListenerWarning', code: 'LISTENER_FAILED' });
  }
}
