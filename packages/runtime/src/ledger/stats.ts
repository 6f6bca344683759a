import type { HookSums, Outcome, RunRecord } from '@spec/hooks';

/** What one hook did, over many runs. */
export type HookStats = HookSums;

/** Adds runs up by hook, id and source, in the order of their first run. */
export function summariseRuns(runs: Iterable<RunRecord>): HookStats[] {
  const sums = new RunSums();
  for (const run of runs) sums.add(run);
  return sums.list();
}

/** Sums of runs that come one by one: exact, and no run is kept. */
export class RunSums {
  readonly #byHook = new Map<string, OneSum>();

  add(run: RunRecord): void {
    const { hook, id, source, outcome, changed, ms } = run;
    const key = JSON.stringify([hook, id, source]);
    let sum = this.#byHook.get(key);
    if (sum === undefined) {
      sum = { hook, id, source, runs: 0, changed: 0, outcomes: {}, times: new Map() };
      this.#byHook.set(key, sum);
    }
    sum.runs++;
    if (changed) sum.changed++;
    sum.outcomes[outcome] = (sum.outcomes[outcome] ?? 0) + 1;
    if (outcome !== 'skipped') sum.times.set(ms, (sum.times.get(ms) ?? 0) + 1);
  }

  list(): HookStats[] {
    return [...this.#byHook.values()].map(({ times, ...sum }) => {
      const sorted = [...times].sort(([a], [b]) => a - b);
      return { ...sum, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
    });
  }
}

interface OneSum extends Pick<HookStats, 'hook' | 'id' | 'source'> {
  runs: number;
  changed: number;
  readonly outcomes: Partial<Record<Outcome, number>>;
  /** How many runs took so many milliseconds: times are rounded to microseconds, so they are few. */
  readonly times: Map<number, number>;
}

/** The smallest of the sorted times that the given share of them does not exceed. */
function percentile(times: readonly (readonly [ms: number, runs: number])[], share: number): number {
  const wanted = Math.ceil(times.reduce((sum, [, runs]) => sum + runs, 0) * share);
  let passed = 0;
  for (const [ms, runs] of times) {
    passed += runs;
    if (passed >= wanted) return ms;
  }
  return 0;
}
