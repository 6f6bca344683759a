import { onAbort } from '@spec/hooks';
import { endedEarly, type HandlerEnd } from './handler-end.ts';

/** How long a handler may run, and what ends it earlier. */
export interface Limits {
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs `work` until it settles, its deadline passes or it is aborted, even if it ignores its signal. Rejects only if `work` rejects. */
export async function withinLimits(
  { timeoutMs, signal }: Limits,
  work: (signal: AbortSignal) => Promise<HandlerEnd>,
): Promise<HandlerEnd> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let stopListening = (): void => {};
  const ended = new Promise<HandlerEnd>((resolve) => {
    const end = (): void => {
      resolve(endedEarly(signal, timeoutMs));
      controller.abort();
    };
    timer = setTimeout(end, timeoutMs);
    stopListening = onAbort(signal, end);
  });
  try {
    return await Promise.race([ended, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}
