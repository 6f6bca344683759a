import { DefinitionError, type Duration, describeWrongDuration, durationInMs } from '@spec/hooks';
import { findRunCode } from '../aborted.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import { checkFunction, checkOptions } from '../given.ts';
import type { ThreadCore } from '../thread/core.ts';
import { unref } from '../time.ts';
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
  /**
   * Looks again each time that so much has passed, until the runtime is closed: so living processes finish what one that dies later leaves behind.
   * A turn is taken once the lease of its process has run out. Default: looks once.
   */
  readonly every?: Duration;
  /** Told of each thread that a later look has resumed. */
  readonly onResumed?: (resumed: ResumedThread) => void;
}

/** Resumes every top-level thread of the store that has an unfinished turn. */
export async function resumeAll(threads: OpenThreads, options: ResumeOptions = {}): Promise<ResumedThread[]> {
  checkOptions('resumeAll', options, { concurrency: true, every: true, onResumed: true });
  const { concurrency = 8, every, onResumed } = options;
  if (onResumed !== undefined) checkFunction('onResumed of resumeAll', onResumed);
  const ms = every === undefined ? undefined : durationInMs(every);
  if (every !== undefined && ms === undefined)
    throw new DefinitionError('bad_option', describeWrongDuration('every of resumeAll', every));
  const records = await threads.store.listThreads({ parentId: null, interrupted: true });
  const resumed = await resumeEach(threads, { ids: records.map(({ id }) => id), concurrency });
  if (ms !== undefined) lookAgain(threads, { ms, concurrency, onResumed });
  return resumed;
}

interface Wanted {
  readonly ids: readonly string[];
  readonly concurrency: number;
}

async function resumeEach(threads: OpenThreads, { ids, concurrency }: Wanted): Promise<ResumedThread[]> {
  const resumed: ResumedThread[] = [];
  const waiting = ids.entries();
  const resumeNext = async (): Promise<void> => {
    for (const [at, id] of waiting) resumed[at] = await resumeOne(threads, id);
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, resumeNext));
  return resumed;
}

async function resumeOne(threads: OpenThreads, threadId: string): Promise<ResumedThread> {
  try {
    const core = await threads.open(threadId);
    return { threadId, result: await resumeOpen(threads, core) };
  } catch (error) {
    return { threadId, error };
  }
}

/** Where the application closes the thread meanwhile, it is opened again. */
async function resumeOpen(threads: OpenThreads, core: ThreadCore): Promise<TurnResult | null> {
  try {
    return await core.turns.resume();
  } catch (error) {
    if (core.isOpen || threads.isClosing || findRunCode(error) !== 'closed') throw error;
    return resumeOpen(threads, await threads.open(core.id));
  }
}

interface Looks {
  readonly ms: number;
  readonly concurrency: number;
  readonly onResumed: ((resumed: ResumedThread) => void) | undefined;
}

/** Each look begins when the one before has ended; of several processes the lease lets one have a thread. */
function lookAgain(threads: OpenThreads, looks: Looks): void {
  const later = (): unknown => unref(setTimeout(() => void look(), looks.ms));
  const look = async (): Promise<void> => {
    if (threads.isClosing) return;
    await resumeForsaken(threads, looks).catch(() => {}); // The store is away: the next look may find it.
    later();
  };
  later();
}

async function resumeForsaken(threads: OpenThreads, { concurrency, onResumed }: Looks): Promise<void> {
  const ids = await findForsaken(threads);
  for (const resumed of await resumeEach(threads, { ids, concurrency })) onResumed?.(resumed);
}

/** Threads with a turn that nobody runs: no lease of theirs is live. */
async function findForsaken({ store }: OpenThreads): Promise<string[]> {
  const records = await store.listThreads({ parentId: null, interrupted: true });
  const leases = await Promise.all(records.map(({ id }) => store.getLease(id)));
  return records.flatMap(({ id }, at) => (leases[at] === null ? [id] : []));
}
