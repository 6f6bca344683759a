import { onAbort, type PausableClock, RunError } from '@spec/hooks';
import { ToolClock } from './tool-clock.ts';

/** The right to write that a hook or a tool was given with its view of a thread; a hook's is the executor's. */
export interface WritePermit extends PausableClock {
  /** The hook's name; `tool` for a tool. */
  readonly hook: string;
  /** The hook's id, or the tool's name. */
  readonly id: string;
  readonly open: boolean;
  /** How many hooks are running around the writer, itself included (C8). */
  readonly depth: number;
  readonly signal: AbortSignal;
  /** @throws {RunError} `late_write` */
  assertOpen(write: string): void;
}

/** The chain or turn that a tool's call is part of. */
export interface ToolCallOrigin {
  readonly name: string;
  /** Aborted when the turn is, or the hook that invoked the tool. */
  readonly signal: AbortSignal;
  /** The permit of the hook that invoked the tool. */
  readonly within: WritePermit | undefined;
}

/**
 * A tool's right to write. It outlives the call, so that a tool may start something and report later; it ends when the
 * turn is stopped or the call's time is up, so that a tool which ignores that writes nothing into what comes after. Invoked by a
 * hook, it ends with the hook.
 */
export class ToolPermit implements WritePermit {
  readonly hook = 'tool';
  readonly id: string;
  readonly depth: number;
  /** How many tools are running around the call, itself included. */
  readonly nesting: number;
  readonly #place: ToolCallOrigin;
  #controller: AbortController | undefined;
  #clock: ToolClock | undefined;
  /** Why the call was left behind, once its time is up. */
  #late: RunError | undefined;

  constructor(place: ToolCallOrigin) {
    this.id = place.name;
    this.depth = place.within?.depth ?? 0;
    this.nesting = place.within instanceof ToolPermit ? place.within.nesting + 1 : 1;
    this.#place = place;
  }

  /** The call's own: tools that run side by side each listen to another one. */
  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    const { signal } = this.#place;
    onAbort(signal, () => controller.abort(signal.reason));
    if (this.#late !== undefined) controller.abort(this.#late);
    this.#controller = controller;
    return controller.signal;
  }

  /**
   * Limits the time of the call, which ends with what is returned.
   *
   * @param onUp called when the time is up, after the signal has fired
   */
  startClock(ms: number, onUp: () => void): () => void {
    const clock = new ToolClock(ms, () => {
      this.#late = new RunError('tool_timed_out', `The tool "${this.id}" did not end within ${ms} ms.`);
      this.#controller?.abort(this.#late);
      onUp();
    });
    this.#clock = clock;
    const stopListening = onAbort(this.#place.signal, () => clock.end());
    return () => {
      stopListening();
      clock.end();
    };
  }

  /** Also that of the hook or tool which invoked it. */
  pauseClock(): () => void {
    const resumes = [this.#clock?.pauseClock(), this.#place.within?.pauseClock()];
    return () => {
      for (const resume of resumes) resume?.();
    };
  }

  get open(): boolean {
    const { signal, within } = this.#place;
    return this.#late === undefined && !signal.aborted && within?.open !== false;
  }

  assertOpen(write: string): void {
    if (this.open) return;
    const message = `Tool "${this.id}" called ${write} after its call had ended; nothing was written.`;
    throw new RunError('late_write', message);
  }
}

/** The name of a hook or tool in the ids of its writes. No hook can have a tool's name, and each call has one tool. */
export function nameWriter(permit: WritePermit | undefined): string {
  if (permit === undefined) return 'the-turn';
  return permit instanceof ToolPermit ? 'the-tool' : permit.id;
}
