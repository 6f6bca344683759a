import { findFiringSignal } from '../executor/aborts.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import { answerStopped } from './answer-stopped.ts';
import { makeErrorResult } from './answers.ts';
import type { CallDecision } from './decide-call.ts';
import { type PassedRow, passResultRow } from './pass-messages.ts';
import type { CallOutcome, RunCallOptions, Tool } from './run-call.ts';
import type { HostTurn } from './turn.ts';
import { makeStopped, untilAborted } from './until-aborted.ts';

/** What came of a call, and the row of its result when it has passed its chain. */
export interface PassedCall extends CallOutcome {
  readonly row: PassedRow;
}

export interface PassCallOptions extends RunCallOptions {
  readonly tool: Tool;
  /** Decides on the call, where the place asks people in its own way. What it throws goes up. */
  readonly decide?: () => Promise<CallDecision>;
}

/**
 * Takes one call from its request to the row of its result: `runCall`, and then the chains of a message, in the order of the calls. Where
 * the turn was stopped, calls that a store has without a result get one that says so.
 */
export async function passCall(
  turn: HostTurn,
  requested: HookToolCall,
  { tool, decide, ...options }: PassCallOptions,
): Promise<PassedCall> {
  const { called } = turn;
  const end = called.beginCall(requested.id);
  try {
    const decided = decide === undefined ? options.decided : await decide();
    const outcome = await turn.runCall(requested, tool, { ...options, decided });
    await waitForEarlier(turn, requested.id);
    const row = await passResultRow(turn, outcome);
    const { outcome: way, call, result, returned } = outcome;
    return { outcome: way, call, result, row, returned };
  } catch (error) {
    await answerStopped(turn, error);
    throw error;
  } finally {
    end();
  }
}

/** Its row comes behind those of the calls before it. @throws {RunError} `aborted` */
async function waitForEarlier({ called, state }: HostTurn, callId: string): Promise<void> {
  const signal = findFiringSignal(state.execution);
  const earlier = called.waitForEarlier(callId);
  if (earlier !== undefined) await untilAborted(earlier, signal, TOOLS_RAN);
  else if (signal?.aborted === true) throw makeStopped(TOOLS_RAN);
}

const TOOLS_RAN = 'its tools ran';

/** Whether anything is to be done with a call that the loop has answered by itself. */
export function takesRefusals(turn: HostTurn): boolean {
  return (
    turn.takesMessages || turn.has('after_tool_call_failure', 'before_store_tool_result', 'after_tool_batch')
  );
}

/** Sends what the loop has answered by itself through the hooks: a call of a tool that is not there, or whose arguments do not fit. */
export async function passRefusal(turn: HostTurn, call: HookToolCall, error: string): Promise<PassedCall> {
  const result = await turn.passResult(call, makeErrorResult(error));
  const outcome: CallOutcome = { outcome: 'answered', call, result };
  return { ...outcome, row: await passResultRow(turn, outcome) };
}
