import type { AnyHook } from '../define/define.ts';
import { type RunCode, RunError } from '../errors.ts';
import { ShapeProblem } from '../shapes/index.ts';
import { whereThrown } from '../thrown.ts';
import type { Decision } from '../vocabulary/control.ts';
import type { Outcome } from '../vocabulary/record.ts';

/** How a hook failed. */
export interface Failure {
  readonly outcome: Extract<Outcome, 'failed' | 'timed_out' | 'aborted' | 'invalid_input' | 'invalid_result'>;
  readonly code: RunCode;
  /** The rule that was broken, or where something was thrown; never data. */
  readonly why: string | undefined;
  /** Whether `why` is the place where something was thrown: for the author, not for a model. */
  readonly isPlace?: true;
  /** What the hook threw: for value tracing only. */
  readonly error?: unknown;
}

/** Thrown when the schema or the matcher of a hook refuses the subject. */
export class InputProblem extends Error {
  override readonly name = 'InputProblem';
}

/** The failure that a thrown value stands for. */
export function toFailure(error: unknown): Failure {
  try {
    if (error instanceof InputProblem)
      return { outcome: 'invalid_input', code: 'invalid_input', why: error.message };
    if (error instanceof ShapeProblem) return invalidResult(error.message);
    if (error instanceof RunError) return { outcome: 'failed', ...describeRefusal(error), error };
    return {
      outcome: 'failed',
      code: 'hook_failed',
      why: whereThrown(error) ?? NO_ERROR,
      isPlace: true,
      error,
    };
  } catch {
    return { outcome: 'failed', code: 'hook_failed', why: 'it threw something that cannot be looked at' };
  }
}

const NO_ERROR = 'it threw a value that is not an Error, so its line is not known: throw an Error instead';

/** What a hook may say by throwing a RunError with this code, in our words; the failure has the code, too. */
const reasons: Partial<Record<RunCode, string>> = {
  regex_timeout: 'a regular expression did not finish in time',
  value_lost: 'the value behind a placeholder is no longer known',
  store_failed: 'the store did not store what the hook gave it',
  store_unreadable: 'the store cannot be read',
  value_withheld: 'this tool may not get the value behind a placeholder',
  wrong_key:
    'what is kept with the thread cannot be decrypted: it was encrypted under another key, or changed',
};

function describeRefusal({ code }: RunError): Pick<Failure, 'code' | 'why'> {
  const why = reasons[code];
  if (why !== undefined) return { code, why };
  const refused = 'it was refused something';
  return { code: 'hook_failed', why: /^[a-z_]{1,40}$/.test(code) ? `${refused}: ${code}` : refused };
}

/** The decision that stands for a failed decide hook. */
export function decideByPolicy(policy: 'block' | 'continue' | 'ask', reason: string): Decision | null {
  return policy === 'continue' ? null : { decision: policy === 'ask' ? 'ask' : 'deny', reason };
}

export function invalidResult(why: string): Failure {
  return { outcome: 'invalid_result', code: 'invalid_result', why };
}

/** Who writes a shorter timeout for a hook that has something to wait for probably thinks of seconds. */
const TINY_MS = 100;

export function timedOut(timeoutMs: number): Failure {
  const isTiny = timeoutMs < TINY_MS;
  const hint = isTiny ? ` (a timeout is in milliseconds; write "${timeoutMs}s" if seconds are meant)` : '';
  return { outcome: 'timed_out', code: 'hook_timed_out', why: `no answer within ${timeoutMs} ms${hint}` };
}

/** A hook that held the event loop past its deadline: nothing could end it, but what it answers does not count. */
export function tookTooLong(timeoutMs: number, ms: number): Failure {
  const why = `answered after ${Math.round(ms)} ms, past its ${timeoutMs} ms`;
  return { outcome: 'timed_out', code: 'hook_timed_out', why };
}

export const threadAborted: Failure = { outcome: 'aborted', code: 'aborted', why: 'the thread was aborted' };

const whatHappened: Partial<Record<RunCode, string>> = {
  hook_failed: 'failed',
  hook_timed_out: 'timed out',
  invalid_input: 'got an invalid input',
  invalid_result: 'returned an invalid result',
  store_failed: 'failed',
  store_unreadable: 'failed',
  value_lost: 'failed',
  value_withheld: 'failed',
  wrong_key: 'failed',
};

/** What the model may read of a failure: not in which file of ours it is. */
export function textForModel(hook: AnyHook, failure: Failure): string {
  return failureText(hook, failure.isPlace ? { ...failure, why: undefined } : failure);
}

/** One sentence about a failure: which hook, what happened, and why as far as it may be said. */
export function failureText({ id, hook }: AnyHook, { code, why }: Failure): string {
  const text = `Hook "${id}" (${hook}) ${whatHappened[code] ?? code}${why === undefined ? '' : `: ${why}`}`;
  return /[.?!]$/.test(text) ? text : `${text}.`; // A reason may end in a question: Did you mean …?
}
