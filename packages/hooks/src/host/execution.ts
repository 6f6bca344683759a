import type { SignalledExecution } from '../executor/aborts.ts';

/** How the execution of a turn begins. */
interface ExecutionStart {
  readonly turnId?: string | undefined;
  /** Ends the turn. Without one, nothing does. */
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * The execution of a turn, whose steps are counted and which may be stopped. A class: a literal with accessors makes a hidden class for each
 * turn. A signal that nothing can fire is made when somebody asks for it: with all that would listen to it, it takes a twentieth of what a
 * bridge takes of a turn (bench `bridge-ai-sdk`).
 */
export class TurnExecution implements SignalledExecution {
  readonly currentSide = 'a';
  stepCount = 0;
  stopped = false;
  #flowId: string | undefined;
  readonly #given: AbortSignal | undefined;
  #silent: AbortSignal | undefined;

  constructor({ turnId, abortSignal }: ExecutionStart) {
    this.#flowId = turnId;
    this.#given = abortSignal;
  }

  /** A new one is made when somebody asks for it, as a signal is. */
  get flowId(): string {
    this.#flowId ??= crypto.randomUUID();
    return this.#flowId;
  }

  get abortSignal(): AbortSignal {
    if (this.#given !== undefined) return this.#given;
    this.#silent ??= new AbortController().signal;
    return this.#silent;
  }

  get firingSignal(): AbortSignal | undefined {
    return this.#given;
  }

  stop(): void {
    this.stopped = true;
  }
}

/** The same execution, on a signal that does not fire. */
export class UnstoppedExecution implements SignalledExecution {
  readonly currentSide = 'a';
  readonly #turn: TurnExecution;
  #silent: AbortSignal | undefined;

  constructor(turn: TurnExecution) {
    this.#turn = turn;
  }

  get flowId(): string {
    return this.#turn.flowId;
  }

  get stepCount(): number {
    return this.#turn.stepCount;
  }

  get stopped(): boolean {
    return this.#turn.stopped;
  }

  get abortSignal(): AbortSignal {
    this.#silent ??= new AbortController().signal;
    return this.#silent;
  }

  get firingSignal(): undefined {
    return undefined;
  }

  stop(): void {
    this.#turn.stop();
  }
}
