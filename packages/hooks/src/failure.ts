import { type RunCode, RunError } from './errors.ts';
import type { Outcome } from './record.ts';
import { ShapeProblem } from './shapes/index.ts';
import { whereThrown } from './thrown.ts';

/** How a hook did not succeed. */
export interface Failure {
  readonly outcome: Extract<Outcome, 'failed' | 'timed_out' | 'aborted' | 'invalid_input' | 'invalid_result'>;
  readonly code: RunCode;
  /** The rule that was broken, or where something was thrown; never data. */
  readonly why: string | undefined;
  /** What the hook threw: for value tracing only. */
  readonly error?: unknown;
}

/** The subject was not fit for the hook: its schema or its matcher refused it. */
export class InputProblem extends Error {
  override readonly name = 'InputProblem';
}

/** The failure that a thrown value stands for. */
export function failureOf(error: unknown): Failure {
  if (error instanceof InputProblem) return { outcome: 'invalid_input', code: 'invalid_input', why: error.message };
  if (error instanceof ShapeProblem) return invalidResult(error.message);
  const why = error instanceof RunError ? `it was refused something: ${error.code}` : whereThrown(error);
  return { outcome: 'failed', code: 'hook_failed', why, error };
}

export function invalidResult(why: string): Failure {
  return { outcome: 'invalid_result', code: 'invalid_result', why };
}

export function timedOut(timeoutMs: number): Failure {
  return { outcome: 'timed_out', code: 'hook_timed_out', why: `no answer within ${timeoutMs} ms` };
}

/** A hook that held the event loop past its deadline: nothing could end it, but what it answers does not count. */
export function tookTooLong(timeoutMs: number, ms: number): Failure {
  const why = `answered after ${Math.round(ms)} ms, past its ${timeoutMs} ms`;
  return { outcome: 'timed_out', code: 'hook_timed_out', why };
}

export const threadAborted: Failure = { outcome: 'aborted', code: 'aborted', why: 'the thread was aborted' };
