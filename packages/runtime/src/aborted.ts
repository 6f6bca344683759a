import { RunError } from '@spec/hooks';

/** The error of what the thread's abort ended. */
export function aborted(what: string): RunError {
  return new RunError('aborted', `The thread was stopped while ${what}.`);
}

export function isAborted(error: unknown): boolean {
  return error instanceof RunError && error.code === 'aborted';
}

/**
 * Waits for something, but no longer than the signal is not aborted: who ignores the abort is left behind.
 *
 * @throws {RunError} `aborted`
 */
export async function unlessAborted<T>(
  signal: AbortSignal,
  what: string,
  run: () => Promise<T> | PromiseLike<T> | T,
): Promise<T> {
  if (signal.aborted) throw aborted(what);
  let abort: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    abort = () => reject(aborted(what));
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([run(), ended]);
  } finally {
    signal.removeEventListener('abort', abort as () => void);
  }
}
