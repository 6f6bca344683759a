/** What a worker is started with. */
export interface WorkerLimits {
  /** Of its WebAssembly memory, 64 KiB each. */
  readonly memoryPages: number;
  /** Characters of JSON that a script may return, and that all inputs of its tools may have together. */
  readonly maxJson: number;
  /** Tools that one run may call. */
  readonly maxCalls: number;
  /** Characters that one run may log. */
  readonly maxLog: number;
  /** Lines that one run may log. */
  readonly maxLines: number;
}

/** What the host sends to a worker. */
export type ToWorker =
  | {
      readonly type: 'run';
      readonly code: string;
      /** JSON text of the variables. */
      readonly data: string;
      /** Milliseconds of its own running time. */
      readonly deadline: number;
    }
  | { readonly type: 'check'; readonly code: string }
  /** The JSON text of a tool's result, or why there is none. */
  | { readonly type: 'answer'; readonly id: number; readonly result?: string; readonly error?: string };

/** What the worker says to the host. */
export type FromWorker =
  /** It has started. */
  | { readonly type: 'ready' }
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly input: string }
  | { readonly type: 'log'; readonly line: string; readonly isCut: boolean }
  /** Nothing is left to do until a call is answered, of the answers that it has got. */
  | { readonly type: 'waiting'; readonly remaining: number; readonly answered: number }
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
  readonly message?: string | undefined;
  /** Where it threw, from 1. */
  readonly line?: number | undefined;
}

/** Where a script is not JavaScript; counted from 1, in the script. */
export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}
