import { onAbort } from '../on-abort.ts';
import type { ExecutionState } from '../vocabulary/state.ts';

/** An execution that makes its signal when it is asked for it, where nothing fires that. */
export interface SignalledExecution extends ExecutionState {
  /** Its signal, where that can fire. */
  readonly firingSignal: AbortSignal | undefined;
}

/** The signal that may end an execution, if any: who listens to no other spares its making. */
export function findFiringSignal(
  execution: ExecutionState | SignalledExecution | undefined,
): AbortSignal | undefined {
  if (execution === undefined) return undefined;
  return 'firingSignal' in execution ? execution.firingSignal : execution.abortSignal;
}

/** Something that ends when its thread is aborted. */
export interface Abortable {
  /** Called synchronously on abort. */
  expire(): void;
}

/** Everything that waits for the abort of one signal. */
export interface AbortWatch {
  readonly aborted: boolean;
  readonly reason: unknown;
  add(abortable: Abortable): void;
  remove(abortable: Abortable): void;
}

/**
 * One listener per signal for any number of chains: adding one to the signal itself costs more than the rest of a run.
 * Most often the chains of a thread run one at a time; the one that does needs no set.
 */
class SignalWatch implements AbortWatch {
  aborted: boolean;
  reason: unknown;
  #only: Abortable | undefined;
  #others: Set<Abortable> | undefined;

  constructor(signal: AbortSignal) {
    this.aborted = signal.aborted;
    this.reason = signal.aborted ? signal.reason : undefined;
    if (!signal.aborted) onAbort(signal, () => this.#expire(signal.reason));
  }

  add(abortable: Abortable): void {
    if (this.#only === undefined) this.#only = abortable;
    else {
      this.#others ??= new Set();
      this.#others.add(abortable);
    }
  }

  remove(abortable: Abortable): void {
    if (this.#only === abortable) this.#only = undefined;
    else this.#others?.delete(abortable);
  }

  #expire(reason: unknown): void {
    this.aborted = true;
    this.reason = reason;
    this.#only?.expire();
    for (const abortable of this.#others ?? []) abortable.expire();
  }
}

/** Finds a signal's watch; a state without a signal has none. */
export type Aborts = (signal: AbortSignal | undefined) => AbortWatch | undefined;

export function createAborts(): Aborts {
  const watches = new WeakMap<AbortSignal, AbortWatch>();
  return (signal) => {
    if (signal === undefined) return undefined;
    const known = watches.get(signal);
    if (known !== undefined) return known;
    const watch = new SignalWatch(signal);
    watches.set(signal, watch);
    return watch;
  };
}
