/** Makes calls take effect in the order in which they were made, awaited or not. A pool of connections alone would not. */
export class CallOrder {
  /** The last unfinished call on each thread. */
  readonly #tails = new Map<string, Promise<unknown>>();
  /** The last call that all later calls wait for. */
  #barrier: Promise<unknown> | undefined;

  /** Runs something after the earlier calls on the same thread. */
  onThread<T>(threadId: string, run: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(threadId) ?? this.#barrier;
    const done = before === undefined ? run() : before.then(run, run);
    this.#tails.set(threadId, done);
    const forget = () => {
      if (this.#tails.get(threadId) === done) this.#tails.delete(threadId);
    };
    done.then(forget, forget);
    return done;
  }

  /** Runs something that looks at many threads, after all earlier calls. Later calls need not wait for it. */
  async afterAll<T>(run: () => Promise<T>): Promise<T> {
    await this.#settle();
    return run();
  }

  /** Runs something that changes many threads, after all earlier calls and before all later ones. */
  alone<T>(run: () => Promise<T>): Promise<T> {
    const before = this.#settle();
    const done = before.then(run);
    this.#tails.clear();
    this.#barrier = done;
    const forget = () => {
      if (this.#barrier === done) this.#barrier = undefined;
    };
    done.then(forget, forget);
    return done;
  }

  async #settle(): Promise<void> {
    await Promise.allSettled([...this.#tails.values(), this.#barrier]);
  }
}
