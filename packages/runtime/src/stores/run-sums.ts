import type { HookSums, Outcome, RecentRuns, RecordedRun, RunBucket, SeriesQuery } from '@spec/hooks';

/** What one hook did, over many runs. */
export type HookStats = HookSums;

/** What sums are made of. */
export type CountedRun = Pick<RecordedRun, 'hook' | 'id' | 'source' | 'outcome' | 'changed' | 'ms' | 'at'>;

/** Adds runs up by hook, id and source, in the order of their first run. */
export function summariseRuns(runs: Iterable<CountedRun>): HookStats[] {
  const sums = new RunSums();
  for (const run of runs) sums.add(run);
  return sums.list();
}

/** Counts how runs ended, the newest first, until there are so many. */
export function countRecent(runs: Iterable<Pick<CountedRun, 'outcome'>>, size: number): RecentRuns {
  const outcomes: Partial<Record<Outcome, number>> = {};
  let counted = 0;
  for (const { outcome } of runs) {
    if (counted === size) return { runs: counted, hasMore: true, outcomes };
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    counted++;
  }
  return { runs: counted, hasMore: false, outcomes };
}

type Names = Pick<HookStats, 'hook' | 'id' | 'source'>;

interface HookSum extends Names {
  readonly tally: RunTally;
  lastAt: number;
}

/** Sums of runs that come one by one: exact, and no run is kept. */
export class RunSums {
  readonly #all: HookSum[] = [];
  /** By id, then by hook and source: a text made of all three would cost more than the sum. */
  readonly #byId = new Map<string, HookSum[]>();

  add(run: CountedRun): void {
    const sum = this.#find(run);
    sum.tally.add(run);
    if (run.at > sum.lastAt) sum.lastAt = run.at;
  }

  #find({ hook, id, source }: Names): HookSum {
    const sums = this.#byId.get(id) ?? [];
    for (const sum of sums) if (sum.hook === hook && sum.source === source) return sum;
    const sum = { hook, id, source, tally: new RunTally(), lastAt: 0 };
    this.#byId.set(id, [...sums, sum]);
    this.#all.push(sum);
    return sum;
  }

  list(): HookStats[] {
    return this.#all.map(({ tally, lastAt, ...names }) => ({ ...names, ...tally.sum(), lastAt }));
  }
}

/** One sum over runs. */
class RunTally {
  #runs = 0;
  #changed = 0;
  readonly #outcomes: Partial<Record<Outcome, number>> = {};
  /** How many runs took so many microseconds: times are rounded to them, so they are few, and small whole numbers are found faster. */
  readonly #times = new Map<number, number>();
  /** The same of times that are not: of other hosts. */
  readonly #oddTimes = new Map<number, number>();

  add({ outcome, changed, ms }: Pick<CountedRun, 'outcome' | 'changed' | 'ms'>): void {
    this.#runs++;
    if (changed) this.#changed++;
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
    if (outcome !== 'skipped') this.#addTime(ms);
  }

  #addTime(ms: number): void {
    const micros = Math.round(ms * 1_000);
    if (micros / 1_000 === ms) this.#times.set(micros, (this.#times.get(micros) ?? 0) + 1);
    else this.#oddTimes.set(ms, (this.#oddTimes.get(ms) ?? 0) + 1);
  }

  sum(): Omit<HookStats, 'hook' | 'id' | 'source' | 'lastAt'> {
    const times = Array.from(this.#times, ([micros, runs]) => [micros / 1_000, runs] as const);
    const sorted = [...times, ...this.#oddTimes].sort(([a], [b]) => a - b);
    const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
    return { runs: this.#runs, changed: this.#changed, outcomes: { ...this.#outcomes }, p50, p99 };
  }
}

/** Sums over the parts of a time. */
export class RunSeries {
  readonly #since: number;
  readonly #length: number;
  readonly #tallies: readonly RunTally[];

  constructor({ since, until, buckets }: Pick<SeriesQuery, 'since' | 'until' | 'buckets'>) {
    this.#since = since;
    this.#length = (until - since) / buckets;
    this.#tallies = Array.from({ length: buckets }, () => new RunTally());
  }

  add(run: CountedRun): void {
    this.#tallies[Math.floor((run.at - this.#since) / this.#length)]?.add(run);
  }

  list(): RunBucket[] {
    return this.#tallies.map((tally, i) => ({ from: this.#since + i * this.#length, ...tally.sum() }));
  }
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
