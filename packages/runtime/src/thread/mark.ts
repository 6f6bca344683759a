import type { TurnMark } from '@spec/hooks';
import { nowInMicros } from '../time.ts';
import type { ThreadView } from './core.ts';

/** A mark without its place. */
export type NewMark = TurnMark extends infer Mark
  ? Mark extends TurnMark
    ? Omit<Mark, 'threadId' | 'turnId' | 'step' | 'at'>
    : never
  : never;

/** Notes something of a turn that is over and is no run of a hook; it is written with the runs. What is given becomes the mark itself. */
export function mark({ core, flow }: Pick<ThreadView, 'core' | 'flow'>, what: NewMark): void {
  if (!core.runtime.ledger.keepsRuns) return;
  const ms = Math.round(what.ms * 1_000) / 1_000; // more digits are noise, and bytes on the disk
  const { turnId, stepCount: step } = flow;
  core.runs.noteMark(Object.assign(what, { ms, threadId: core.id, turnId, step, at: nowInMicros() }));
}
