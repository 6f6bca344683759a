// Handlers: what an entry may run besides a command: a request, a prompt, a tool. `members` calls them; they never decide what an answer means.

import type { Outcome, RunCode } from '@spec/hooks';
import type { EntryAnswer, HandlerAnswer } from '../normal-form.ts';

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
