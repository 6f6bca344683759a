import type { HookToolCall } from '@spec/hooks';
import { makeErrorResult } from '@spec/hooks/host';
import type { ThreadView } from '../thread/core.ts';
import { refuseTaken } from '../writes/commit.ts';
import type { AnsweredCall } from './result-row.ts';

/**
 * Answers a call that its turn's abort cut off. Where the attempt was given up, another one goes on with the call: an answer of this one would
 * be found there, if it runs in the same process, and stand for what the call really did.
 *
 * @throws {RunError} `thread_busy` where the attempt was given up
 */
export async function answerStopped(view: ThreadView, call: HookToolCall): Promise<AnsweredCall> {
  if (view.flow.isGivenUp) await refuseTaken(view);
  return { call, result: makeErrorResult('The turn was stopped before this tool call was finished.') };
}
