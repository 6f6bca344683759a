import type { Outcome } from '@spec/hooks';
import type { LedgerEntry } from '../stores/store.ts';

/** What one hook did, over many runs. */
export interface HookStats {
  readonly hook: string;
  readonly id: string;
  readonly source: string;
  /** How many entries it has, those that were skipped included. */
  readonly runs: number;
  readonly changed: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Milliseconds that half of its runs took at most, without those that were skipped; 0 where it never ran. */
  readonly p50: number;
  /** Milliseconds that 99 of 100 of its runs took at most. */
  readonly p99: number;
}

/** Adds runs up by hook, id and source, in the order of their first run. */
export function summariseRuns(runs: readonly LedgerEntry[]): HookStats[] {
  const byHook = new Map<string, LedgerEntry[]>();
  for (const run of runs) {
    const key = JSON.stringify([run.hook, run.id, run.source]);
    const same = byHook.get(key);
    if (same === undefined) byHook.set(key, [run]);
    else same.push(run);
  }
  return [...byHook.values()].map(addUp);
}

function addUp(runs: LedgerEntry[]): HookStats {
  const { hook, id, source } = runs[0] as LedgerEntry;
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of runs) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const times = runs.filter(({ outcome }) => outcome !== 'skipped').map(({ ms }) => ms);
  times.sort((a, b) => a - b);
  const changed = runs.filter((run) => run.changed).length;
  return {
    hook,
    id,
    source,
    runs: runs.length,
    changed,
    outcomes,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

/** The smallest of the sorted times that the given share of them does not exceed. */
function percentile(times: readonly number[], share: number): number {
  return times[Math.ceil(times.length * share) - 1] ?? 0;
}
