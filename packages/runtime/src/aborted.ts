import { type RunCode, RunError } from '@spec/hooks';

/** The error of what the thread's abort ended. */
export function aborted(what: string): RunError {
  return new RunError('aborted', `The thread was stopped while ${what}.`);
}

export function isAborted(error: unknown): boolean {
  return runCodeOf(error) === 'aborted';
}

/** The code of an error of ours. Anything may be thrown, also what throws when it is looked at. */
export function runCodeOf(error: unknown): RunCode | undefined {
  try {
    return error instanceof RunError ? error.code : undefined;
  } catch {
    return undefined;
  }
}

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a listener when a signal is aborted, at once where it is. However many there are, the signal itself has one:
 * Node warns of signals with more than ten.
 *
 * @returns what takes the listener away again
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  const tellAll = (): void => {
    for (const listener of listeners) listener();
  };
  signal.addEventListener('abort', tellAll, { once: true });
  return listeners;
}

/**
 * Waits for something, but no longer than the signal is not aborted: who ignores the abort is left behind.
 *
 * @throws {RunError} `aborted`
 */
export function unlessAborted<T>(
  signal: AbortSignal,
  what: string,
  run: () => Promise<T> | PromiseLike<T> | T,
): Promise<T> {
  if (signal.aborted) return Promise.reject(aborted(what));
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(aborted(what)));
    begin(run).then(
      (value) => {
        stopListening();
        resolve(value);
      },
      (error) => {
        stopListening();
        reject(error);
      },
    );
  });
}

async function begin<T>(run: () => Promise<T> | PromiseLike<T> | T): Promise<T> {
  return run();
}
