import { durationInMs } from '@spec/hooks';
import { aborted } from '../aborted.ts';
import type { RetryOptions } from '../definitions/retry.ts';
import type { Failure } from '../model/failure.ts';

/** As the AI SDK waits: 2 s, 4 s, 8 s, … */
const FIRST_DELAY_MS = 2_000;
const FACTOR = 2;
const DEFAULT_ATTEMPTS = 2;
const DEFAULT_MAX_DELAY_MS = 60_000;

/**
 * How long to wait before a call is made again; `undefined` where it is not.
 *
 * @param made how many times the call was made again already
 */
export function findDelay(
  { mayPass, retryAfterMs }: Failure,
  made: number,
  { attempts = DEFAULT_ATTEMPTS, maxDelay }: RetryOptions = {},
): number | undefined {
  if (!mayPass || made >= attempts) return undefined;
  const longest = maxDelay === undefined ? DEFAULT_MAX_DELAY_MS : (durationInMs(maxDelay) as number);
  if (retryAfterMs !== undefined) return retryAfterMs > longest ? undefined : retryAfterMs;
  return Math.min(longest, FIRST_DELAY_MS * FACTOR ** made);
}

/** @throws {RunError} `aborted` */
export async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw aborted('a model call was to be made again');
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
  if (signal.aborted) throw aborted('a model call was to be made again');
}
