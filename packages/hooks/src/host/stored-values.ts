import { RunError } from '../errors.ts';
import type { KeyedValue } from '../vocabulary/state.ts';
import type { ThreadValues } from './kept-values.ts';
import type { ThreadRecorder } from './thread-recorder.ts';
import type { ThreadStore } from './thread-store.ts';

/** What the runtime keeps with its threads, which a store may hold too. */
const RESERVED = 'runtime/';

/** The values of one thread, in the store that keeps its messages: what one process sets, all others find, also after a restart. */
export class StoredValues implements ThreadValues {
  readonly #store: ThreadStore;
  readonly #threadId: string;
  readonly #recorder: Pick<ThreadRecorder, 'makeThread' | 'setValue'>;

  constructor(store: ThreadStore, threadId: string, recorder: ThreadRecorder) {
    this.#store = store;
    this.#threadId = threadId;
    this.#recorder = recorder;
  }

  getValue(key: string): Promise<unknown> {
    return this.#store.getValue(this.#threadId, key);
  }

  async setValue(key: string, value: unknown): Promise<void> {
    checkKey(key);
    await this.#recorder.setValue({ key, value });
  }

  async setValuesIf(expected: KeyedValue, values: readonly KeyedValue[]): Promise<boolean> {
    for (const { key } of [expected, ...values]) checkKey(key);
    await this.#recorder.makeThread();
    return this.#store.setValuesIf(this.#threadId, expected, values);
  }
}

/** @throws {RunError} `invalid_input` */
function checkKey(key: unknown): void {
  if (typeof key !== 'string' || key === '')
    throw new RunError('invalid_input', 'The key of a value must be a text that is not empty.');
  if (!key.startsWith(RESERVED)) return;
  const message = `Keys that begin with "${RESERVED}" are the runtime's own: choose another one.`;
  throw new RunError('invalid_input', message);
}
