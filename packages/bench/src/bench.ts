import { median, type Series } from './measure.ts';

/** One question of speed or size: figures that were taken in one run, and what they are held against. */
export interface Bench {
  readonly name: string;
  /** What is measured, in one sentence. */
  readonly about: string;
  readonly unit: 'ns' | 'bytes' | 'turns/s' | 'handles' | '%' | 'figure';
  /** Takes all figures in one run, so that their ratios hold on any machine. */
  run(): Promise<Series>;
  readonly comparisons: readonly Comparison[];
  /** It takes so long that it runs only where it is named. */
  readonly isNamedOnly?: boolean;
  /** What else a reader must know, such as what was left out. */
  readonly notes?: readonly string[];
}

/** One figure divided by another. */
export interface Comparison {
  readonly of: string;
  readonly against: string;
  /** The ratio that it should not exceed; without this and the next the ratio is reported only. */
  readonly atMost?: number;
  /** The ratio that it should reach. */
  readonly atLeast?: number;
}

export interface Ratio extends Comparison {
  /** The median of the rounds' ratios: what slows a round down slows both down. */
  readonly ratio: number;
}

export interface BenchResult {
  readonly name: string;
  readonly about: string;
  readonly unit: Bench['unit'];
  /** Medians over the rounds. */
  readonly figures: Readonly<Record<string, number>>;
  readonly ratios: readonly Ratio[];
  readonly notes: readonly string[];
}

export async function runBench(bench: Bench): Promise<BenchResult> {
  const series = await bench.run();
  const { name, about, unit, comparisons, notes = [] } = bench;
  const roundsOf = (figure: string): readonly number[] => {
    const rounds = series[figure];
    if (rounds === undefined) throw new Error(`the bench ${name} has no figure "${figure}"`);
    return rounds;
  };
  const figures = Object.fromEntries(
    Object.entries(series).map(([figure, rounds]) => [figure, median(rounds)]),
  );
  const ratios = comparisons.map((comparison) => {
    const against = roundsOf(comparison.against);
    const ratio = median(roundsOf(comparison.of).map((value, round) => value / (against[round] as number)));
    return { ...comparison, ratio };
  });
  return { name, about, unit, figures, ratios, notes };
}

export function isMissed({ ratio, atMost = Infinity, atLeast = 0 }: Ratio): boolean {
  return ratio > atMost || ratio < atLeast;
}
