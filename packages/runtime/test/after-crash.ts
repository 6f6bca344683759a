import type { Thread } from '../src/index.ts';
import { type Kit, never } from './kit.ts';
import { Mortality } from './mortal-store.ts';
import { type Setup, startRuntime } from './start-runtime.ts';

/** A process that dies in the turn that it runs. */
export interface Dying extends Setup {
  /** When it dies. */
  readonly reached: Promise<void>;
  /** The ids of its thread and its turn. */
  readonly threadId?: string;
  readonly turnId?: string;
}

/** Runs a turn in a process that dies when `reached` opens; gives the thread as the next process has it. */
export async function afterCrash(kit: Kit, dying: Dying, next: Setup): Promise<Thread> {
  const { reached, threadId = 't', turnId, ...setup } = dying;
  const mortality = new Mortality();
  const { runtime } = startRuntime(mortality.storeOf(kit.store), { lease: 20, ...setup });
  const thread = await runtime.createThread({ agent: 'agent', id: threadId });
  void thread.send('Go', turnId === undefined ? {} : { id: turnId });
  await reached;
  mortality.die();
  await new Promise((resolve) => setTimeout(resolve, 30)); // Its lease runs out.
  return kit.start({ lease: 20, ...next }).runtime.openThread(threadId);
}

/** Says that it was reached, and never comes back. */
export function hangAt(reached: () => void): () => Promise<never> {
  return () => {
    reached();
    return never();
  };
}
