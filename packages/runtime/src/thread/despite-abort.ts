import { isAborted } from '../aborted.ts';
import type { ThreadView } from './core.ts';

/** Runs something in the turn, or after an abort in its live copy; runs it again if the abort comes meanwhile. */
export async function despiteAbort<T>(view: ThreadView, run: (live: ThreadView) => Promise<T>): Promise<T> {
  try {
    return await run(view.afterAbort());
  } catch (error) {
    if (!view.flow.isAborted || !isAborted(error)) throw error;
    return run(view.afterAbort());
  }
}
