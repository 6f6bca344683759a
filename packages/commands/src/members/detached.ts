import { onAbort } from '@spec/hooks';
import type { HandlerEnd } from '../handlers/handler-end.ts';

/** A command that went on in the background. */
export interface Detached {
  /** Waits for its end there; the signal ends it. */
  readonly rest: (signal: AbortSignal) => Promise<HandlerEnd>;
}

/** How to run a command that may send itself into the background. */
export interface DetachableRun {
  /** Aborts it while the hook waits for it. */
  readonly signal: AbortSignal;
  readonly background: (firstLine: string) => { readonly timeoutMs?: number } | undefined;
  readonly run: (signal: AbortSignal, onFirstLine: (line: string) => void) => Promise<HandlerEnd>;
}

/** Runs a command until it ends, or until its first line says that it continues in the background. */
export function runDetachable({ signal, background, run }: DetachableRun): Promise<HandlerEnd | Detached> {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const forget = onAbort(signal, end);
  return new Promise((resolve) => {
    const running = run(controller.signal, (line) => {
      const wish = background(line);
      if (wish === undefined) return;
      forget();
      resolve({ rest: (later) => inBackground({ running, end, later, ...wish }) });
    });
    void running.then((ended) => {
      forget();
      resolve(ended);
    });
  });
}

interface Rest {
  readonly running: Promise<HandlerEnd>;
  readonly end: () => void;
  readonly later: AbortSignal;
  readonly timeoutMs?: number;
}

async function inBackground({ running, end, later, timeoutMs }: Rest): Promise<HandlerEnd> {
  const forget = onAbort(later, end);
  let isLate = false;
  const endLate = (): void => {
    isLate = true;
    end();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(endLate, timeoutMs);
  const ended = await running;
  clearTimeout(timer);
  forget();
  if (!isLate) return ended;
  const why = `not done within the ${timeoutMs} ms of its asyncTimeout`;
  return { failure: { effect: 'onTimeout', why }, outcome: 'timed_out', code: 'hook_timed_out' };
}
