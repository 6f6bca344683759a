/** What the host sends to a worker. */
export type ToWorker =
  | {
      readonly type: 'run';
      readonly code: string;
      /** JSON text of the variables. */
      readonly data: string;
      /** Milliseconds of its own running time. */
      readonly deadline: number;
      readonly maxCalls: number;
      /** Characters. */
      readonly maxLog: number;
    }
  | { readonly type: 'check'; readonly code: string }
  /** The JSON text of a tool's result, or why there is none. */
  | { readonly type: 'answer'; readonly id: number; readonly result?: string; readonly error?: string };

/** What the worker says to the host; nothing in it is believed without a check. */
export type FromWorker =
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly input: string }
  | { readonly type: 'log'; readonly line: string; readonly isCut: boolean }
  /** Nothing is left to do until a call is answered. */
  | { readonly type: 'waiting'; readonly remaining: number }
  | (Ended & ({ readonly type: 'done'; readonly json: string | undefined } | FailedMessage))
  | (Omit<Ended, 'isBroken'> & { readonly type: 'checked'; readonly problem: SyntaxProblem | undefined });

interface Ended {
  /** The worker cannot be used again. */
  readonly isBroken: boolean;
  /** Its memory, which never shrinks. */
  readonly bytes: number;
}

interface FailedMessage {
  readonly type: 'failed';
  readonly code: 'threw' | 'timed_out' | 'never_settles' | 'crashed';
  /** What the script threw; it may quote data. */
  readonly message?: string;
}

/** Where a script is not JavaScript; counted from 1, in the script. */
export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}
