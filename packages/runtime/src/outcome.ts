import { RunError } from '@spec/hooks';
import type { TurnResult } from './turn-result.ts';

/** How a turn ended, in the form that is kept with the thread for those who ask again. */
export type TurnOutcome = { readonly result: TurnResult } | { readonly error: OutcomeError };

interface OutcomeError {
  readonly code: string;
  readonly message: string;
}

/** The key of the thread's value that keeps it. */
export function outcomeKey(turnId: string): string {
  return `runtime/turns/${turnId}`;
}

/** @throws {RunError} the error that the turn ended with */
export function readOutcome(kept: unknown): TurnResult | null {
  if (kept === undefined) return null;
  const outcome = kept as TurnOutcome;
  if ('result' in outcome) return outcome.result;
  const { code, message } = outcome.error;
  throw new RunError(code as RunError['code'], message);
}

/** An error of the runtime's own; any other is told by nothing but that it was unexpected, for it may hold data (C9). */
export function outcomeOf(error: unknown): TurnOutcome {
  if (error instanceof RunError) return { error: { code: error.code, message: error.message } };
  return { error: { code: 'unexpected', message: 'The turn ended with an unexpected error.' } };
}
