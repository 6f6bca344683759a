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
  /** How long each contender runs before the first round: what takes much code takes long until it is compiled. Default: ten turns. */
  readonly warmUp?: WarmUp;
}

/** Until so many calls were made, or so many milliseconds are over. */
export interface WarmUp {
  readonly calls: number;
  readonly ms: number;
}

/** As in the benches of a turn: until the compiler has seen enough of it, a turn takes several times as long. */
export const warmTurns: WarmUp = { calls: 4_000, ms: 8_000 };

/** Values by name, one for each round. */
export type Series<Name extends string = string> = Readonly<Record<Name, readonly number[]>>;

/**
 * Times contenders against each other in one process.
 *
 * @returns nanoseconds per call: for each contender and round the median of its samples.
 */
export async function measure<Name extends string>(
  contenders: Readonly<Record<Name, TimedCall>>,
  { batch = 200, rounds = 25, time = 30, warmUp }: MeasureOptions = {},
): Promise<Series<Name>> {
  const names = Object.keys(contenders) as Name[];
  const series = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (const name of names)
    if (warmUp === undefined) await sample(contenders[name], { batch, time: 10 * time });
    else await warm(contenders[name], warmUp);
  for (let round = 0; round < rounds; round++) {
    for (const name of rotated(names, round)) {
      series[name].push(await sample(contenders[name], { batch, time }));
    }
  }
  return series;
}

async function warm(contender: TimedCall, { calls, ms }: WarmUp): Promise<void> {
  const end = performance.now() + ms;
  for (let call = 0; call < calls && performance.now() < end; call++) await contender();
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
