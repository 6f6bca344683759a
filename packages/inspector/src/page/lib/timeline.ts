import type { TurnMark } from '@spec/hooks';
import type { NamedRun, TurnDetail } from '../../api.ts';

/** A bar of a turn: microseconds since the epoch, from its begin to its end. */
export interface Bar {
  readonly key: string;
  readonly kind: 'hook' | 'model' | 'tool' | 'ask';
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly ms: number;
  readonly run?: NamedRun;
}

/** A pause in which nothing ran but a person who was asked: it is drawn short. */
export interface Fold {
  readonly from: number;
  readonly to: number;
}

/** A turn as it is drawn. */
export interface Timeline {
  readonly bars: readonly Bar[];
  readonly folds: readonly Fold[];
  readonly ms: number;
  /** How far from the left a moment is drawn, from 0 to 1. */
  place(at: number): number;
}

const pauseMicros = 2_000_000;
/** The part of the width that all pauses have at most, and each of them. */
const pausesWidth = 0.4;
const pauseWidth = 0.04;

/** Lays a turn out. What was skipped took no time and has no bar. @param isUnfolded draws pauses as long as they were */
export function layOutTurn({ runs, marks }: TurnDetail, isUnfolded: boolean): Timeline {
  const ran = runs.filter(({ outcome }) => outcome !== 'skipped');
  const bars = [...ran.map(makeRunBar), ...marks.flatMap(makeMarkBar)];
  bars.sort((a, b) => a.from - b.from || a.to - b.to);
  const from = Math.min(...bars.map((bar) => bar.from));
  const to = Math.max(...bars.map((bar) => bar.to));
  const folds = isUnfolded ? [] : findPauses(bars);
  const paused = folds.reduce((sum, fold) => sum + fold.to - fold.from, 0);
  const width = Math.min(pauseWidth, pausesWidth / Math.max(1, folds.length));
  const scale = (1 - folds.length * width) / Math.max(1, to - from - paused);
  const place = (at: number): number => {
    let x = (at - from) * scale;
    for (const fold of folds) {
      const inside = Math.min(Math.max(at - fold.from, 0), fold.to - fold.from);
      x += (inside / (fold.to - fold.from)) * width - inside * scale;
    }
    return Math.min(1, Math.max(0, x));
  };
  return { bars, folds, ms: bars.length === 0 ? 0 : (to - from) / 1_000, place };
}

function makeRunBar(run: NamedRun): Bar {
  const { at, ms, id } = run;
  return { key: run.run, kind: 'hook', name: id, from: at - ms * 1_000, to: at, ms, run };
}

function makeMarkBar(mark: TurnMark): Bar[] {
  if (mark.kind === 'end') return [];
  const { kind, at, ms, step } = mark;
  const name = mark.kind === 'model' ? mark.model : mark.kind === 'tool' ? mark.tool : 'a person';
  return [{ key: `${kind} ${step} ${at} ${name}`, kind, name, from: at - ms * 1_000, to: at, ms }];
}

/** The longer times in which no hook, model or tool ran. */
function findPauses(bars: readonly Bar[]): Fold[] {
  const busy = bars.filter(({ kind }) => kind !== 'ask');
  const folds: Fold[] = [];
  let end = busy[0]?.to ?? 0;
  for (const { from, to } of busy) {
    if (from - end > pauseMicros) folds.push({ from: end, to: from });
    end = Math.max(end, to);
  }
  return folds;
}

/** How much of a turn each kind took, as parts of what all took; people apart. */
export function shareTimes(bars: readonly Bar[]): readonly (readonly [kind: Bar['kind'], share: number])[] {
  const sums = { hook: 0, model: 0, tool: 0, ask: 0 };
  for (const { kind, ms } of bars) sums[kind] += ms;
  const total = sums.hook + sums.model + sums.tool;
  return total === 0 ? [] : (['hook', 'model', 'tool'] as const).map((kind) => [kind, sums[kind] / total]);
}
