import type { RunCode } from '../errors.ts';
import type { Decision } from './control.ts';

/** How a run of a hook ended. Every run has exactly one outcome. */
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

/** The one message or tool call that a run was about, by its id. */
export type RunSubject =
  | { readonly message: string; readonly call?: never }
  | { readonly call: string; readonly message?: never };

/** The record of one execution of one hook. Ids, codes, sizes and times; never data. */
export interface RunRecord {
  readonly hook: string;
  readonly id: string;
  /** Where the hook was named: `policy`, `prompt:<name>` or `agent:<name>`, followed by ` (file:line)` if known. */
  readonly source: string;
  /** Absent where the hook was given no message and no call, or more than one. */
  readonly about?: RunSubject;
  readonly outcome: Outcome;
  readonly changed: boolean;
  /** In milliseconds. */
  readonly ms: number;
  /** Size of the subject: the characters of a text, the items of a list, or the characters of a record's texts. */
  readonly sizeBefore: number;
  readonly sizeAfter: number;
  /** The error's code, for the outcomes that are failures. */
  readonly code?: RunCode;
  /** Which clause decided that a hook did not run or what it broke: field names and rules, never values. */
  readonly why?: string;
}

/** The data that goes with a record. Only those who may see data get it: the application, with value tracing on. */
export interface RunDetails<State> {
  readonly state: State;
  /** The subject before and after the run. Not copies: do not change them. */
  readonly before: unknown;
  readonly after: unknown;
  /** The value that the hook threw, if it threw. */
  readonly error?: unknown;
  /** What the hook decided, if it did. Absent where it could hold values that were put back. */
  readonly decision?: Decision;
  /** Of an entry: the subject of the hook that ran it. */
  readonly entryOf?: unknown;
}

/** One run of an entry inside a hook, such as one shell command of a settings file. */
export interface EntryRun extends Omit<RunRecord, 'hook' | 'source' | 'about'> {
  /** Where the entry is written, such as `settings.json:12`. */
  readonly position?: string;
}
