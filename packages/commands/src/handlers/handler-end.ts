// Handlers: what an entry may run besides a command: a request, a prompt, a tool. `members` calls them; they never decide what an answer means.

import type { Outcome, RunCode } from '@spec/hooks';
import type { EntryAnswer, HandlerAnswer } from '../normal-form.ts';

/** How the handler of an entry ended. */
export type HandlerEnd = HandlerAnswered | HandlerFailed;

/** It ran, and what it answered is for its dialect to read. */
export interface HandlerAnswered {
  readonly answer: HandlerAnswer;
}

/** It gave no answer. */
export interface HandlerFailed {
  readonly failure: NonNullable<EntryAnswer['failure']>;
  readonly outcome: Extract<Outcome, 'failed' | 'timed_out' | 'aborted' | 'invalid_input'>;
  readonly code: RunCode;
  /** It guards something, and could not see all of it: what it guards does not happen, whatever its settings say. */
  readonly mustBlock?: true;
  /** What a shell says of a command that it could not start: an exit code like others where the command is a condition. */
  readonly exitCode?: 126 | 127;
}
