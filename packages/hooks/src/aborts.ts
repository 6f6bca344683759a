/** What wants to hear of an abort. */
export type AbortListener = () => void;

export interface Aborts {
  add(signal: AbortSignal, listener: AbortListener): void;
  remove(signal: AbortSignal, listener: AbortListener): void;
}

/** One listener per signal for any number of chains: adding one to the signal itself costs more than the rest of a run. */
export function createAborts(): Aborts {
  const listenersOf = new WeakMap<AbortSignal, Set<AbortListener>>();

  function listen(signal: AbortSignal): Set<AbortListener> {
    const listeners = new Set<AbortListener>();
    listenersOf.set(signal, listeners);
    signal.addEventListener('abort', () => listeners.forEach((listener) => listener()), { once: true });
    return listeners;
  }

  return {
    add: (signal, listener) => (listenersOf.get(signal) ?? listen(signal)).add(listener),
    remove: (signal, listener) => listenersOf.get(signal)?.delete(listener),
  };
}
