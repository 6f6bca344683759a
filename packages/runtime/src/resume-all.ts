import type { OpenThreads } from './open-threads.ts';
import type { TurnResult } from './turn-result.ts';

/** What came of a thread with a turn that a dead process had left behind. */
export interface ResumedThread {
  readonly threadId: string;
  /** `null` where somebody else had finished it meanwhile. */
  readonly result?: TurnResult | null;
  /** What its turn threw; `thread_busy` where the process that runs it is alive after all. */
  readonly error?: unknown;
}

/** Resumes every thread of the store that has a turn left behind and no parent. */
export async function resumeAll(threads: OpenThreads): Promise<ResumedThread[]> {
  const records = await threads.store.listThreads({ parentId: null, interrupted: true });
  return Promise.all(
    records.map(async ({ id: threadId }) => {
      try {
        const core = await threads.open(threadId);
        return { threadId, result: await core.turns.resume() };
      } catch (error) {
        return { threadId, error };
      }
    }),
  );
}
