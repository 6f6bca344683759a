import type { RunRecord } from '@spec/hooks';
import { type SpooledRun, spoolEvent } from './spool.ts';

/** Keeps the runs of hooks in a process that goes on. */
export interface RunSpool {
  note(run: RunRecord, session: string): void;
  /** Writes what has been noted, for the end of the process. */
  write(): void;
}

/** Writes all runs of one turn of the event loop at once, after what waits for the hooks has its answer. */
export function openRunSpool(folder: string, agent: string): RunSpool {
  const waiting = new Map<string, SpooledRun[]>();
  const write = (): void => {
    for (const [session, runs] of waiting) spoolEvent(folder, { agent, session, runs });
    waiting.clear();
  };
  return {
    note(run, session) {
      if (waiting.size === 0) setImmediate(write);
      const runs = waiting.get(session) ?? [];
      waiting.set(session, runs);
      runs.push({ ...run, at: Date.now() * 1000 + runs.length });
    },
    write,
  };
}
