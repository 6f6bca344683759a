import { RunError } from '../errors.ts';
import type { NewMessage, ThreadState } from '../vocabulary/state.ts';
import type { CalledTools } from './called-tools.ts';

const STOPPED = 'The turn was stopped before this tool call was finished.';

/** A turn, as much of it as is needed here. */
interface StoppedTurn {
  readonly called: CalledTools;
  readonly state: ThreadState;
  readonly isStored: boolean;
  storeDespiteAbort(message: NewMessage): Promise<void>;
}

/**
 * The same as {@link answerOpen}, where a stop of the turn is what ended the work.
 *
 * @param error what ended it
 */
export async function answerStopped(turn: StoppedTurn, error: unknown): Promise<void> {
  if (error instanceof RunError && error.code === 'aborted') await answerOpen(turn);
}

/**
 * Gives the calls of a turn that was stopped a result in the store, where they have none: no model takes a history in which a call has none.
 * Nothing is done where the turn was not stopped.
 */
export async function answerOpen(turn: StoppedTurn): Promise<void> {
  const { called, state, isStored } = turn;
  if (!isStored || !state.execution.abortSignal.aborted) return;
  for (const {
    id,
    function: { name },
  } of called.listOpen()) {
    if (!called.takeRow(id)) continue;
    const row = { role: 'tool', content: STOPPED, tool_call_id: id, name } as const;
    await turn.storeDespiteAbort({ id: crypto.randomUUID(), created_at: Date.now() * 1000, ...row });
  }
}
