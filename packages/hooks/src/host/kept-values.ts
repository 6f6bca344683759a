import type { KeyedValue, ThreadState } from '../vocabulary/state.ts';

/** How hooks keep values with a thread. */
export type ThreadValues = Pick<ThreadState, 'getValue' | 'setValue' | 'setValuesIf'>;

/** The values of one thread, as JSON in memory. */
export class KeptValues implements ThreadValues {
  readonly #values = new Map<string, string>();

  async getValue(key: string): Promise<unknown> {
    const text = this.#values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async setValue(key: string, value: unknown): Promise<void> {
    this.#setAll([{ key, value }]);
  }

  async setValuesIf({ key, value }: KeyedValue, next: readonly KeyedValue[]): Promise<boolean> {
    if (this.#values.get(key) !== JSON.stringify(value)) return false;
    this.#setAll(next);
    return true;
  }

  /** All of them, or none where one is no JSON value. */
  #setAll(values: readonly KeyedValue[]): void {
    const texts = values.map(({ key, value }) => [key, JSON.stringify(value) as string | undefined] as const);
    for (const [key, text] of texts) {
      if (text === undefined) this.#values.delete(key);
      else this.#values.set(key, text);
    }
  }
}
