import { onAbort, type RunCode, RunError, type RunErrorPlace, withPlace } from '@spec/hooks';

/** The error of what the thread's abort ended. */
export function aborted(what: string): RunError {
  return new RunError('aborted', `The thread was stopped while ${what}.`);
}

export function isAborted(error: unknown): boolean {
  return findRunCode(error) === 'aborted';
}

/** The code of an error of ours. Anything may be thrown, also what throws when it is looked at. */
export function findRunCode(error: unknown): RunCode | undefined {
  try {
    return error instanceof RunError ? error.code : undefined;
  } catch {
    return undefined;
  }
}

/** Fills in where an error of ours happened, if it does not say so. Gives back what was thrown. */
export function placeError(error: unknown, place: Pick<RunErrorPlace, 'threadId' | 'turnId'>): unknown {
  return findRunCode(error) === undefined ? error : withPlace(error as RunError, place);
}

/**
 * Waits until `run` settles or the signal aborts, whichever is first. What ignores the abort is left behind.
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

/** The promise of `run` itself where it gives one: an async function would wait for it three ticks longer. */
function begin<T>(run: () => Promise<T> | PromiseLike<T> | T): Promise<T> {
  try {
    return Promise.resolve(run());
  } catch (error) {
    return Promise.reject(error);
  }
}
