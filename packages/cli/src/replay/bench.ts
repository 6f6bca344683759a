import type { RunRecord } from '@spec/hooks';
import { pc } from '../colours.ts';
import { type Column, formatCount, formatMs, renderTable } from '../table.ts';

/** How long the runs of one hook took, in milliseconds; those that were skipped are not among them. */
export interface HookTimes {
  readonly hook: string;
  readonly id: string;
  readonly count: number;
  /** What half of the runs took at most. */
  readonly p50: number;
  /** What 99 of 100 runs took at most. */
  readonly p99: number;
  readonly total: number;
}

/** Gathers the times of runs by hook, in the order of their first run. */
export class Bench {
  readonly #byHook = new Map<string, { hook: string; id: string; times: number[] }>();

  add(runs: readonly RunRecord[]): void {
    for (const { hook, id, outcome, ms } of runs) {
      if (outcome === 'skipped') continue;
      const key = `${hook} ${id}`;
      const one = this.#byHook.get(key) ?? { hook, id, times: [] };
      this.#byHook.set(key, one);
      one.times.push(ms);
    }
  }

  get all(): HookTimes[] {
    return [...this.#byHook.values()].map(({ hook, id, times }) => {
      const sorted = times.toSorted((a, b) => a - b);
      const total = times.reduce((sum, ms) => sum + ms, 0);
      return { hook, id, count: times.length, p50: atShare(sorted, 0.5), p99: atShare(sorted, 0.99), total };
    });
  }
}

/** The smallest of the sorted times that the given share of them does not exceed. */
function atShare(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}

const columns: readonly Column[] = [
  { title: 'hook' },
  { title: 'id' },
  { title: 'count', align: 'right' },
  { title: 'p50', align: 'right' },
  { title: 'p99', align: 'right' },
  { title: 'total', align: 'right' },
];

/** The table "how long each hook took", the slowest in total first. */
export function benchTable(times: readonly HookTimes[]): string {
  if (times.length === 0) return pc.dim('No hook ran.');
  const rows = times
    .toSorted((a, b) => b.total - a.total)
    .map(({ hook, id, count, p50, p99, total }) => [
      pc.dim(hook),
      id,
      formatCount(count),
      formatMs(p50),
      formatMs(p99),
      formatMs(total),
    ]);
  return renderTable(columns, rows);
}
