import { Bench } from 'tinybench';

/** One thing to time. It is called over and over, and awaited where it returns a promise. */
export type TimedCall = () => unknown;

export interface MeasureOptions {
  /** Calls in one sample. Many for what takes nanoseconds, 1 for what waits for a disk. Default 200. */
  readonly batch?: number;
  /** In every round each contender has its turn, so that a slow spell of the machine hits all of them. Default 25. */
  readonly rounds?: number;
  /** Milliseconds for each turn. Default 30. */
  readonly time?: number;
}

/** Values by name, one for each round. */
export type Series<Name extends string = string> = Readonly<Record<Name, readonly number[]>>;

/**
 * Times contenders against each other in one process.
 *
 * @returns nanoseconds per call: for each contender and round the median of its samples.
 */
export async function measure<Name extends string>(
  contenders: Readonly<Record<Name, TimedCall>>,
  { batch = 200, rounds = 25, time = 30 }: MeasureOptions = {},
): Promise<Series<Name>> {
  const names = Object.keys(contenders) as Name[];
  const series = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (const name of names) await sample(contenders[name], { batch, time: 10 * time });
  for (let round = 0; round < rounds; round++) {
    for (const name of rotated(names, round)) {
      series[name].push(await sample(contenders[name], { batch, time }));
    }
  }
  return series;
}

/** The median of one contender's samples in nanoseconds per call. */
async function sample(
  contender: TimedCall,
  { batch, time }: { batch: number; time: number },
): Promise<number> {
  globalThis.gc?.();
  const bench = new Bench({ time, iterations: 5, warmup: false, throws: true });
  bench.add('contender', async () => {
    const startedAt = bench.now();
    for (let call = 0; call < batch; call++) await contender();
    const took = bench.now() - startedAt;
    return { overriddenDuration: took / batch, overriddenIterationCost: took };
  });
  const [task] = await bench.run();
  const result = task?.result;
  if (result?.state !== 'completed') throw new Error(`the benchmark ended as ${result?.state ?? 'nothing'}`);
  return result.latency.p50 * 1e6;
}

/** Each round begins with another contender, so that none always runs behind the same one. */
export function rotated<T>(items: readonly T[], by: number): T[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
