/** What was measured, and its target: milliseconds, megabytes, pixels or numbers, as the name says. */
export interface Figure {
  readonly measured: number;
  readonly target: number;
}

export type Figures = Readonly<Record<string, Figure>>;

/** How long a call takes in milliseconds: of so many times the one that 95 of 100 do not exceed. */
export async function timeCall(call: () => Promise<unknown>, times = 15): Promise<number> {
  const all: number[] = [];
  for (let time = 0; time < times; time++) {
    const startedAt = performance.now();
    await call();
    all.push(performance.now() - startedAt);
  }
  return percentile(all, 0.95);
}

/** The smallest of the values that the given share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
