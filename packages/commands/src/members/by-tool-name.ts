import type { EntryRun } from '@spec/hooks';
import type { CompiledEntry, Occasion } from '../normal-form.ts';
import { skipped } from './entry-run.ts';
import { mismatches } from './why-not.ts';

/** The entries of an event that a tool's name does not rule out. */
export interface Candidates {
  readonly entries: readonly CompiledEntry[];
  /** The records of the others. */
  readonly skips: readonly EntryRun[];
}

/** Remembers which entries a tool's name rules out, so that a call without entries costs one look-up. */
export interface CandidatesByName {
  get(toolName: string): Candidates | undefined;
  /** @param occasion a call of the tool, on which entries that match by name are tested */
  learn(toolName: string, occasion: Occasion): Candidates;
  /** Whether a tool is called for the first time in a thread. Only the latest threads are remembered. */
  isNew(threadId: string, toolName: string): boolean;
}

/** The most names that are remembered, because the model chooses them. */
const MAX_NAMES = 200;

/** The most threads that are remembered. The oldest is forgotten first. */
const MAX_THREADS = 1_000;

export function candidatesByName(entries: readonly CompiledEntry[]): CandidatesByName {
  const known = new Map<string, Candidates>();
  const called = new Map<string, Set<string>>();
  return {
    get: (toolName) => known.get(toolName),
    isNew(threadId, toolName) {
      const names = called.get(threadId) ?? remember(threadId);
      if (names.has(toolName)) return false;
      if (names.size < MAX_NAMES) names.add(toolName);
      return true;
    },
    learn(toolName, occasion) {
      const skips: EntryRun[] = [];
      const byName = entries.filter(({ isByToolName }) => isByToolName === true);
      const verdicts = mismatches(byName, occasion);
      const rest = entries.filter((compiled) => {
        const why = verdicts.get(compiled);
        if (typeof why !== 'string') return true;
        skips.push(skipped(compiled.entry, why).run);
        return false;
      });
      const candidates: Candidates = { entries: rest, skips };
      if (known.size < MAX_NAMES) known.set(toolName, candidates);
      return candidates;
    },
  };

  function remember(threadId: string): Set<string> {
    const [oldest] = called.keys();
    if (oldest !== undefined && called.size >= MAX_THREADS) called.delete(oldest);
    const names = new Set<string>();
    called.set(threadId, names);
    return names;
  }
}
