import type { HookMessage, HookToolResult } from '@spec/hooks';
import { RunError } from '@spec/hooks';
import { isAborted, unlessAborted } from '../aborted.ts';

/** A call of a tool whose result is stored. */
export interface FinishedCall {
  readonly id: string;
  readonly name: string;
  /** Also `error` if the call was denied and the tool never ran. */
  readonly status: HookToolResult['status'];
}

/** The argument of a stop condition: one step of a turn, with everything that it stored. */
export interface FinishedStep {
  /** The model's answer as it was stored. */
  readonly message: HookMessage;
  /** The text of the answer; `null` if it has none. */
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

/** Holds after a step in which one of these tools was called and succeeded. Failed and denied calls do not count. */
export function calledTool(...names: readonly string[]): StopCondition {
  return ({ toolCalls }) =>
    toolCalls.some(({ name, status }) => status === 'success' && names.includes(name));
}

/** Holds if the model's text contains a text (case-sensitive) or matches a regular expression. */
export function saidText(wanted: string | RegExp): StopCondition {
  if (typeof wanted === 'string') return ({ text }) => text?.includes(wanted) === true;
  // With the flag `g` or `y` an expression keeps its `lastIndex`, and so matches only every other time.
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
