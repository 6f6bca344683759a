import type { RunRecord, TurnMark } from '@spec/hooks';
import type { LedgerEntry } from '../stores/store.ts';
import { type RunData, tracedValues } from './traced-values.ts';

/** Where a run of a hook took place. */
type RunOrigin = Pick<LedgerEntry, 'threadId' | 'turnId' | 'step' | 'at'>;

/** Runs of hooks, and marks of turns, that no commit has taken along yet. */
export class NotedRuns {
  #runs: LedgerEntry[] = [];
  #marks: TurnMark[] = [];

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  /** @param data what the run had, where the ledger keeps it */
  note(run: RunRecord, place: RunOrigin, data: RunData | undefined): void {
    const entry = makeEntry(run, place);
    this.#runs.push(data === undefined ? entry : { ...entry, values: tracedValues(data) });
  }

  /** Takes the runs, for a commit. */
  take(): LedgerEntry[] | undefined {
    if (this.isEmpty) return undefined;
    const runs = this.#runs;
    this.#runs = [];
    return runs;
  }

  /** A turn has one end: the newest that is noted. */
  noteMark(mark: TurnMark): void {
    if (mark.kind === 'end') this.#marks = this.#marks.filter(({ kind }) => kind !== 'end');
    this.#marks.push(mark);
  }

  /** Takes the marks, for a commit. */
  takeMarks(): TurnMark[] | undefined {
    if (this.#marks.length === 0) return undefined;
    const marks = this.#marks;
    this.#marks = [];
    return marks;
  }

  /** Takes marks back whose commit failed. */
  takeMarksBack(marks: readonly TurnMark[]): void {
    this.#marks.unshift(...marks);
  }

  /** Takes runs back whose commit failed. */
  takeBack(runs: readonly LedgerEntry[]): void {
    this.#runs.unshift(...runs);
  }
}

/** A run with its place, field by field: spread, it costs more than the hook. */
function makeEntry(run: RunRecord, place: RunOrigin): LedgerEntry {
  const ms = Math.round(run.ms * 1_000) / 1_000; // more digits are noise, and bytes on the disk
  if (run.code !== undefined || run.why !== undefined) return { ...run, ms, ...place };
  const { hook, id, source, outcome, changed, sizeBefore, sizeAfter } = run;
  const { threadId, turnId, step, at } = place;
  const own = { hook, id, source, outcome, changed, ms, sizeBefore, sizeAfter, threadId, turnId, step, at };
  const entry: { -readonly [Field in keyof LedgerEntry]: LedgerEntry[Field] } = own;
  if (run.about !== undefined) entry.about = run.about;
  return entry;
}
