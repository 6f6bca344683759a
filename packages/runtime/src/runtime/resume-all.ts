import type { TurnResult } from '../engine/turn-result.ts';
import { checkOptions } from '../given.ts';
import type { OpenThreads } from './open-threads.ts';

/** The result for one thread whose turn a dead process had left unfinished. */
export interface ResumedThread {
  readonly threadId: string;
  /** The turn's result; `null` if another process has finished the turn meanwhile. */
  readonly result?: TurnResult | null;
  /** The error that the turn threw; `thread_busy` if the process that runs it is alive after all. */
  readonly error?: unknown;
}

export interface ResumeOptions {
  /** How many threads are resumed at a time. Default 8. */
  readonly concurrency?: number;
}

/** Resumes every top-level thread of the store that has an unfinished turn. */
export async function resumeAll(threads: OpenThreads, options: ResumeOptions = {}): Promise<ResumedThread[]> {
  checkOptions('resumeAll', options, { concurrency: true });
  const { concurrency = 8 } = options;
  const records = await threads.store.listThreads({ parentId: null, interrupted: true });
  const resumed: ResumedThread[] = [];
  const waiting = records.entries();
  const resumeNext = async (): Promise<void> => {
    for (const [at, { id }] of waiting) resumed[at] = await resumeOne(threads, id);
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, resumeNext));
  return resumed;
}

async function resumeOne(threads: OpenThreads, threadId: string): Promise<ResumedThread> {
  try {
    const core = await threads.open(threadId);
    return { threadId, result: await core.turns.resume() };
  } catch (error) {
    return { threadId, error };
  }
}
