import { anyHolds, type FinishedCall } from '../definitions/stop-conditions.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { listStopConditions } from '../thread/sides.ts';

/** A step that is over: the stored answer, and its calls with their stored results. */
export interface StepEnd {
  readonly message: StoredMessage;
  readonly calls: readonly FinishedCall[];
}

/**
 * Whether the turn is done: the model called no tool and no side is left to answer, or a stop condition holds.
 *
 * @throws {RunError} `invalid_result` if a condition fails; `aborted`
 */
export function isDone({ core, flow }: ThreadView, { message, calls }: StepEnd): boolean | Promise<boolean> {
  const { agent, id: threadId } = core;
  if (calls.length === 0 && agent.type !== 'dual_ai') return true;
  const { currentSide: side, stepCount } = flow;
  const conditions = listStopConditions(agent, side);
  if (conditions.length === 0) return false;
  const step = {
    message: structuredClone(message),
    text: message.content,
    toolCalls: calls,
    stepCount,
    side,
  };
  return anyHolds(conditions, step, { agent: agent.name, threadId, abortSignal: flow.abortSignal });
}
