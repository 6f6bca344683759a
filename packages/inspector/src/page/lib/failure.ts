import { useEffect, useRef } from 'preact/hooks';

/** Why there is no answer. */
export interface AskFailure {
  readonly code: string;
  readonly message: string;
}

/** Milliseconds until what could not be read is asked for again: at first, and at most. Each time it is twice as long. */
const firstMs = 1_000;
const mostMs = 30_000;

/** What stays as it is until somebody stores something, or does something about it. */
const lasting: readonly string[] = [
  ...['not_found', 'invalid_input', 'changed', 'no_token'],
  ...['store_older', 'store_newer'],
];

/** Whether it may be over by itself, such as a lock or a server that is away. */
export function isPassing({ code }: AskFailure): boolean {
  return !lasting.includes(code);
}

/** Asks again after a while, for as long as something that may pass keeps it from being read. */
export function useRetry(failure: AskFailure | undefined, again: () => void): void {
  const times = useRef(0);
  useEffect(() => {
    if (failure === undefined) times.current = 0;
    if (failure === undefined || !isPassing(failure)) return;
    const timer = setTimeout(again, Math.min(mostMs, firstMs * 2 ** times.current++));
    return () => clearTimeout(timer);
  }, [failure]);
}
