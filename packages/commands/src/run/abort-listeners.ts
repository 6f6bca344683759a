const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` once when the signal fires. Many listeners share one on the signal itself, which
 * would otherwise warn of a leak from the eleventh on.
 *
 * @returns takes the listener away again.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  const waiting = listeners.get(signal) ?? listenTo(signal);
  waiting.add(listener);
  return () => void waiting.delete(listener);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  listeners.set(signal, waiting);
  signal.addEventListener(
    'abort',
    () => {
      for (const listener of waiting) listener();
      waiting.clear();
    },
    { once: true },
  );
  return waiting;
}
