import type { EntryRun } from '@spec/hooks';
import type { CompiledEntry, Occasion } from '../normal-form.ts';
import { skipped } from './entry-run.ts';
import { mismatches } from './why-not.ts';

/** The entries of an event as far as a tool's name decides. */
export interface Candidates {
  readonly entries: readonly CompiledEntry[];
  /** The records of the others. */
  readonly skips: readonly EntryRun[];
}

/** Remembers which entries a tool's name rules out, so that a call that is none of theirs costs one look-up. */
export interface CandidatesByName {
  get(toolName: string): Candidates | undefined;
  /** @param occasion a call of the tool, on which the entries that go by names are asked */
  learn(toolName: string, occasion: Occasion): Candidates;
  /** Whether it is the first time that a tool is called in a thread, as far as threads are remembered. */
  isNew(threadId: string, toolName: string): boolean;
}

/** Names come from the model: no more of them are remembered. */
const MAX_NAMES = 200;

/** Of more threads the oldest is forgotten. */
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
