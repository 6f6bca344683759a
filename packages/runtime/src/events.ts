import type { HookMessage, LateWrite, RunRecord } from '@spec/hooks';

/** What happens on a thread, as its listeners hear it. */
export type ThreadEvent =
  /** Text of the answer, as far as no hook in scope could still change it. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'message'; readonly message: HookMessage }
  | { readonly type: 'message_updated'; readonly message: HookMessage }
  | { readonly type: 'tool_started'; readonly toolCallId: string; readonly name: string }
  | { readonly type: 'tool_ended'; readonly toolCallId: string; readonly name: string; readonly status: 'success' | 'error' }
  | { readonly type: 'hook_run'; readonly run: RunRecord }
  | { readonly type: 'late_write'; readonly late: LateWrite }
  | { readonly type: 'turn_ended'; readonly turnId: string; readonly status: string }
  /** Sent by a hook or a tool with `state.emit`. */
  | { readonly type: 'custom'; readonly name: string; readonly data: unknown };

/** The listeners of one thread. A listener that throws or is slow holds nothing up. */
export class EventHub {
  readonly #listeners = new Set<(event: ThreadEvent) => void>();

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  emit(event: ThreadEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Every event from now on, until the reader stops or the thread is closed. Read slowly, they wait in memory. */
  stream(): AsyncIterableIterator<ThreadEvent> {
    const waiting: ThreadEvent[] = [];
    let wake: (() => void) | undefined;
    let ended = false;
    const listener = (event: ThreadEvent): void => {
      waiting.push(event);
      wake?.();
    };
    const end = (): void => {
      ended = true;
      this.#listeners.delete(listener);
      this.#ends.delete(end);
      wake?.();
    };
    this.#listeners.add(listener);
    this.#ends.add(end);
    return {
      async next() {
        while (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
        const event = waiting.shift();
        return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
      },
      async return() {
        end();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  readonly #ends = new Set<() => void>();

  close(): void {
    for (const end of this.#ends) end();
  }
}
