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

async function raceWithAbort<T>(work: Promise<T>, signal: AbortSignal, what: string): Promise<T> {
  let stopListening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () => reject(makeStopped(what)));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}

export function makeStopped(what: string): RunError {
  return new RunError('aborted', `The turn was stopped while ${what}.`);
}
