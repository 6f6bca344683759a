import type { KeyedValue } from '../vocabulary/state.ts';

/** The values of one thread, as JSON. */
export class KeptValues {
  readonly #values = new Map<string, string>();

  get(key: string): unknown {
    const text = this.#values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** All of them, or none where one is no JSON value. */
  setAll(values: readonly KeyedValue[]): void {
    const texts = values.map(({ key, value }) => [key, JSON.stringify(value) as string | undefined] as const);
    for (const [key, text] of texts) {
      if (text === undefined) this.#values.delete(key);
      else this.#values.set(key, text);
    }
  }

  /** @returns whether the expected value was there, and the others are set */
  setIf({ key, value }: KeyedValue, next: readonly KeyedValue[]): boolean {
    if (this.#values.get(key) !== JSON.stringify(value)) return false;
    this.setAll(next);
    return true;
  }
}

/** How many threads a host keeps values for: those it used last. */
const MAX_THREADS = 1_000;

/** The values of the threads that a host has seen last. */
export class ValuesOfThreads {
  readonly #threads = new Map<string, KeptValues>();

  find(threadId: string): KeptValues {
    const kept = this.#threads.get(threadId) ?? new KeptValues();
    this.#threads.delete(threadId);
    this.#threads.set(threadId, kept);
    if (this.#threads.size > MAX_THREADS) this.#threads.delete(this.#threads.keys().next().value as string);
    return kept;
  }
}
