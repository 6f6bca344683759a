import { RunError } from '../errors.ts';
import { onAbort } from '../on-abort.ts';
import { isThenable } from '../values.ts';

/**
 * What a promise comes to, unless a signal fires first: what does not react to a stop is not waited for.
 *
 * @param signal nothing where none can fire
 * @throws {RunError} `aborted`
 */
export function untilAborted<T>(
  work: Promise<T> | T,
  signal: AbortSignal | undefined,
  what: string,
): Promise<T> | T {
  if (!isThenable(work) || signal === undefined) return work;
  return raceWithAbort(work as Promise<T>, signal, what);
}

/** What is there already wins over a signal that has fired already. */
function raceWithAbort<T>(work: Promise<T>, signal: AbortSignal, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    let stopListening = (): void => {};
    Promise.resolve(work).then(
      (value) => {
        stopListening();
        resolve(value);
      },
      (error: unknown) => {
        stopListening();
        reject(error);
      },
    );
    const stop = (): void => reject(makeStopped(what));
    if (signal.aborted) queueMicrotask(stop);
    else stopListening = onAbort(signal, stop);
  });
}

export function makeStopped(what: string): RunError {
  return new RunError('aborted', `The turn was stopped while ${what}.`);
}

/**
 * Stops a turn by any of the signals that its loop has: some give each part of a run a signal of its own, which tells of nothing any more
 * when that part has ended.
 */
export function followSignal(aborts: AbortController, signal: AbortSignal | undefined): void {
  const known = followed.get(aborts) ?? new WeakSet();
  followed.set(aborts, known);
  if (signal === undefined || known.has(signal)) return;
  known.add(signal);
  onAbort(signal, () => aborts.abort(signal.reason));
}

const followed = new WeakMap<AbortController, WeakSet<AbortSignal>>();
