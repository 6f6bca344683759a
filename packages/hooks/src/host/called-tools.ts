import type { HookToolCall } from '../vocabulary/messages.ts';

interface Begun {
  readonly ended: Promise<void>;
  end(): void;
}

/**
 * The calls of a model's last answer, and how far each has come.
 *
 * T1 The rows of their results are stored in the order of the calls, whichever ends first. Only a call that has begun is waited for: the
 *    loop may answer one by itself.
 * T2 Each call has one row, whoever answers it.
 * T3 Where the turn is stopped while a call is open, the loop may come to nothing any more: that is told.
 */
export class CalledTools {
  readonly #signal: AbortSignal | undefined;
  readonly #onStopped: () => void;
  #calls: readonly HookToolCall[] = [];
  readonly #begun = new Map<string, Begun>();
  readonly #answered = new Set<string>();

  /** @param onStopped called where the signal fires while calls are open */
  constructor(signal: AbortSignal | undefined, onStopped: () => void) {
    this.#signal = signal;
    this.#onStopped = onStopped;
  }

  /** The model has answered. */
  begin(calls: readonly HookToolCall[]): void {
    this.#calls = calls;
    this.#begun.clear();
    this.#answered.clear();
    this.#follow();
  }

  /** The signal may be one of the whole application, and live longer than any turn. */
  #follow(): void {
    if (this.listOpen().length === 0) this.#signal?.removeEventListener('abort', this.#onStopped);
    else this.#signal?.addEventListener('abort', this.#onStopped, { once: true });
  }

  /** Whether a call has come to its hooks. */
  hasBegun(id: string): boolean {
    return this.#begun.has(id);
  }

  /** A call comes to its hooks. @returns what tells that it has its row, or none */
  beginCall(id: string): () => void {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    if (!this.#begun.has(id)) this.#begun.set(id, { ended, end });
    return end;
  }

  /** Settles when the calls before this one have their rows; nothing where there are none. A call of a tool by another one waits for nothing. */
  waitForEarlier(id: string): Promise<unknown> | undefined {
    const at = this.#calls.findIndex((call) => call.id === id);
    if (at <= 0) return undefined;
    const earlier = this.#calls.slice(0, at).flatMap((call) => this.#begun.get(call.id)?.ended ?? []);
    return earlier.length === 0 ? undefined : Promise.all(earlier);
  }

  /** Takes the right to store the row of a call. @returns whether nobody has it */
  takeRow(id: string): boolean {
    const isFirst = !this.#answered.has(id);
    this.#answered.add(id);
    this.#follow();
    return isFirst;
  }

  /** The calls without a row. */
  listOpen(): readonly HookToolCall[] {
    return this.#calls.filter(({ id }) => !this.#answered.has(id));
  }
}
