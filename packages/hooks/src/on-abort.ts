const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a listener when a signal is aborted, or at once if it already is. All listeners share one on the signal itself:
 * Node warns about signals with more than ten.
 *
 * @returns a function that removes the listener
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  const tellAll = (): void => {
    for (const listener of listeners) listener();
    listeners.clear();
  };
  signal.addEventListener('abort', tellAll, { once: true });
  return listeners;
}
