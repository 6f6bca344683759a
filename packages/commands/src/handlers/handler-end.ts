// Handlers: what an entry may run besides a command: a request, a prompt, a tool. `members` calls them; they never decide what an answer means.

import type { Outcome, RunCode } from '@spec/hooks';
import type { EntryAnswer, HandlerAnswer } from '../normal-form.ts';
import type { Cut } from '../run/collect-output.ts';

/** How the handler of an entry ended. */
export type HandlerEnd = HandlerAnswered | HandlerFailed;

/** It ran. Its dialect reads its answer. */
export interface HandlerAnswered {
  readonly answer: HandlerAnswer;
}

/** It gave no answer. */
export interface HandlerFailed {
  /** What it had printed until then. What that forbids counts: who is judged may choose how long a guard takes. */
  readonly printed?: Pick<HandlerAnswer, 'stdout' | 'stderr' | 'cut'>;
  readonly failure: NonNullable<EntryAnswer['failure']>;
  readonly outcome: Extract<Outcome, 'failed' | 'timed_out' | 'aborted' | 'invalid_input'>;
  readonly code: RunCode;
  /** It is a guard and could not see its whole input, so what it guards is denied, whatever its settings say. */
  readonly mustBlock?: true;
  /** The exit code of a shell that could not start a command. For a condition it is an exit code like any other. */
  readonly exitCode?: 126 | 127;
}

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
