import type { RunCode } from '../errors.ts';

/** How a run of a hook ended: exactly one of these, always (C10). */
export type Outcome =
  | 'ok'
  | 'changed'
  | 'denied'
  | 'asked'
  | 'failed'
  | 'timed_out'
  | 'aborted'
  | 'invalid_input'
  | 'invalid_result'
  | 'skipped';

/** The record of one execution of one hook (design §10). Ids, codes, sizes and times; never data (C9). */
export interface RunRecord {
  readonly hook: string;
  readonly id: string;
  /** Where the hook was named: `policy`, `prompt:<name>` or `agent:<name>`, followed by ` (file:line)` where that is known. */
  readonly source: string;
  readonly outcome: Outcome;
  readonly changed: boolean;
  /** Milliseconds. */
  readonly ms: number;
  /** Characters of a text, items of a list, characters of a record's texts. */
  readonly sizeBefore: number;
  readonly sizeAfter: number;
  /** The error's code, for the outcomes that are failures. */
  readonly code?: RunCode;
  /** Which clause decided that a hook did not run or what it broke: field names and rules, never values. */
  readonly why?: string;
}

/** What goes with a record, for those who may see data: the application itself, with value tracing on (C9). */
export interface RunDetails<State> {
  readonly state: State;
  /** The subject before and after the run. Not copies: do not change them. */
  readonly before: unknown;
  readonly after: unknown;
  /** What the hook threw, where it threw. */
  readonly error?: unknown;
}

/** The run of one of several entries that a hook runs for a chain, such as one command of a settings file (C1). */
export interface EntryRun extends Omit<RunRecord, 'hook' | 'source'> {
  /** Where the entry is written, such as `settings.json:12`. */
  readonly place?: string;
}
