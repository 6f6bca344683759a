import type { HookMessage, HookToolResult } from '@spec/hooks';
import { RunError } from '@spec/hooks';
import { isAborted, unlessAborted } from '../aborted.ts';

/** A call of a tool whose result is stored. */
export interface FinishedCall {
  readonly id: string;
  readonly name: string;
  /** `error` also where the call was denied and the tool never ran. */
  readonly status: HookToolResult['status'];
}

/** What a stop condition is asked about: one step of a turn, with all that it stored. */
export interface FinishedStep {
  /** The model's answer as it was stored. */
  readonly message: HookMessage;
  /** The text of the answer; `null` where it has none. */
  readonly text: string | null;
  readonly toolCalls: readonly FinishedCall[];
  /** How many times the model was called in this turn, this step included. */
  readonly stepCount: number;
  /** Whose step it was; always `a` for an `ai_human` agent. */
  readonly side: 'a' | 'b';
}

/**
 * Ends a turn after the step for which it holds. It may be asked again about the same step after a crash, so it should
 * depend on nothing else.
 */
export type StopCondition = (step: FinishedStep) => boolean | Promise<boolean>;

/** Holds where one of these tools was called and did what it was called for: a call that failed or was denied does not count. */
export function calledTool(...names: readonly string[]): StopCondition {
  return ({ toolCalls }) =>
    toolCalls.some(({ name, status }) => status === 'success' && names.includes(name));
}

/** Holds where the model's text contains a text (upper and lower case differ) or fits a regular expression. */
export function saidText(wanted: string | RegExp): StopCondition {
  if (typeof wanted === 'string') return ({ text }) => text?.includes(wanted) === true;
  // With `g` or `y` an expression remembers where it ended, and fits only every other time.
  const expression = new RegExp(wanted.source, wanted.flags.replace(/[gy]/g, ''));
  return ({ text }) => text !== null && expression.test(text);
}

/** Where conditions are asked: whose they are, and the signal that ends the asking. */
export interface StopContext {
  readonly agent: string;
  readonly threadId: string;
  readonly abortSignal: AbortSignal;
}

/**
 * Whether one of the conditions holds, asked in their order.
 *
 * @throws {RunError} `invalid_result` where one throws or gives no boolean: a turn that its author wanted to end must not run on
 * unseen. `aborted`
 */
export async function anyHolds(
  conditions: readonly StopCondition[],
  step: FinishedStep,
  { agent, threadId, abortSignal }: StopContext,
): Promise<boolean> {
  const broken = (why: string): RunError =>
    new RunError('invalid_result', `A stop condition of the agent "${agent}" ${why}.`, { threadId });
  for (const condition of conditions) {
    const answer: unknown = await unlessAborted(abortSignal, 'a stop condition was asked', () =>
      condition(step),
    ).catch((error) => {
      throw isAborted(error) ? error : broken('failed');
    });
    if (typeof answer !== 'boolean') throw broken('gave neither true nor false');
    if (answer) return true;
  }
  return false;
}
