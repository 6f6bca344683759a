/** So many threads are remembered. */
const MAX_THREADS = 1_000;

/** What is remembered of threads in memory: of those that had a turn last. */
export class LastThreads<Kept extends object> {
  readonly #threads = new Map<string, Kept>();
  readonly #make: () => Kept;

  /** @param make what is remembered of a thread at first */
  constructor(make: () => Kept) {
    this.#make = make;
  }

  /** What is remembered of a thread, which has a turn now. */
  find(threadId: string): Kept {
    const found = this.#threads.get(threadId) ?? this.#make();
    this.#threads.delete(threadId);
    this.#threads.set(threadId, found);
    const [longestUnused] = this.#threads.keys();
    if (this.#threads.size > MAX_THREADS && longestUnused !== undefined) this.#threads.delete(longestUnused);
    return found;
  }
}
