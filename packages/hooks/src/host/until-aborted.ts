import { RunError } from '../errors.ts';
import { onAbort } from '../on-abort.ts';

/** What a promise comes to, unless a signal fires first: what does not react to a stop is not waited for. @throws {RunError} `aborted` */
export async function untilAborted<T>(work: Promise<T> | T, signal: AbortSignal, what: string): Promise<T> {
  let stopListening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () =>
      reject(new RunError('aborted', `The turn was stopped while ${what}.`)),
    );
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}
