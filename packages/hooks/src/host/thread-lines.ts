import type { ThreadStore } from './thread-store.ts';

/** The writes of this process stand in line for their thread: who comes first writes first, and no turn starves another. */
export class ThreadLines {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does a piece of work when what came before it for its thread is done, however that ended. */
  enter<Result>(threadId: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#last.get(threadId) ?? Promise.resolve()).then(work);
    const settled = done
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(threadId) === settled) this.#last.delete(threadId);
      });
    this.#last.set(threadId, settled);
    return done;
  }
}

const lines = new WeakMap<ThreadStore, ThreadLines>();

/** Hosts that share a store share its lines. */
export function findLines(store: ThreadStore): ThreadLines {
  const known = lines.get(store) ?? new ThreadLines();
  lines.set(store, known);
  return known;
}
