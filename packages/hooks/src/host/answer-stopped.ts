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
 * Gives the calls of a turn that was stopped a result in the store, where they have none: no model takes a history in which a call has none.
 *
 * @param error what ended the work
 */
export async function answerStopped(turn: StoppedTurn, error: unknown): Promise<void> {
  const { called, state, isStored } = turn;
  const isStopped = error instanceof RunError && error.code === 'aborted';
  if (!isStored || !isStopped || !state.execution.abortSignal.aborted) return;
  for (const {
    id,
    function: { name },
  } of called.listOpen()) {
    if (!called.takeRow(id)) continue;
    const row = { role: 'tool', content: STOPPED, tool_call_id: id, name } as const;
    await turn.storeDespiteAbort({ id: crypto.randomUUID(), created_at: Date.now() * 1000, ...row });
  }
}
