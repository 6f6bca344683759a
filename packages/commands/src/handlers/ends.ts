import type { Cut } from '../run/collect-output.ts';
import type { HandlerAnswered, HandlerFailed } from './handler-end.ts';

const utf8 = new TextEncoder();

/** The answer of a handler that has no exit codes or streams. */
export function answeredWith(said: string | Uint8Array, cut?: Cut): HandlerAnswered {
  const stdout = typeof said === 'string' ? utf8.encode(said) : said;
  return {
    answer: { exitCode: 0, stdout, stderr: new Uint8Array(), ...(cut === undefined ? {} : { cut }) },
  };
}

/** The handler could not be called, or its answer is unusable. @param why never data */
export function notAnswered(why: string): HandlerFailed {
  return { failure: { effect: 'onLaunchError', why }, outcome: 'failed', code: 'hook_failed' };
}

/** The handler timed out, or the thread was aborted. */
export function endedEarly(signal: AbortSignal, timeoutMs: number): HandlerFailed {
  if (signal.aborted)
    return {
      failure: { effect: 'onExit', why: 'it was ended from outside' },
      outcome: 'aborted',
      code: 'aborted',
    };
  return {
    failure: { effect: 'onTimeout', why: `no answer within ${timeoutMs} ms` },
    outcome: 'timed_out',
    code: 'hook_timed_out',
  };
}
