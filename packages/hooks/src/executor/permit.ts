import { type ChainMember, hasTextRewriters, type Scope } from '../define/scope.ts';
import { RunError } from '../errors.ts';
import type { EntryRun } from '../vocabulary/record.ts';

/** The key under which a state view holds the permit of its hook. */
export const hookPermit: unique symbol = Symbol.for('@spec/hooks/permit');

/** The key under which a state says that what is written comes from hooks: contexts, and what else they have for the conversation. */
export const hookTexts: unique symbol = Symbol.for('@spec/hooks/hook-texts');

/** A refused write by a hook that had already ended. */
export interface LateWrite {
  readonly hook: string;
  readonly id: string;
  /** The name of the method that was called. */
  readonly write: string;
}

/** Hooks within hooks within hooks: a hook that writes messages runs the create chain again (C8). */
const MAX_DEPTH = 4;

/** The permit of the hook or tool that a chain on this state would run in. */
export function permitAround(state: object): HookPermit | undefined {
  return (state as { [hookPermit]?: HookPermit })[hookPermit];
}

/**
 * How many hooks are running around a chain that is about to start on a state.
 *
 * @throws {RunError} `depth_exceeded`
 */
export function depthAround(state: object, hook: string): number {
  const depth = permitAround(state)?.depth ?? 0;
  if (depth < MAX_DEPTH) return depth;
  const message = `Hooks that write messages ran each other's chains more than ${MAX_DEPTH} deep, last ${hook}. Make one of them stop.`;
  throw new RunError('depth_exceeded', message, { hook });
}

/**
 * Whether a hook runs because another hook or a tool writes something, not the application, the person or the model. A message that is
 * made of what hooks gave, such as a `context`, is written by them.
 *
 * @param state the state that the hook was given
 */
export function isForWriteOfAnother(state: object): boolean {
  return permitAround(state)?.isWithinAnother === true;
}

/**
 * Whether other hooks may still change a text that this hook gives: on its way into the store, to the model, or because it was shown a
 * call with values that they take out again. Who keeps a copy of the text, or cuts it, does it before them.
 *
 * @param state the state that the hook was given
 */
export function areTextsRewritten(state: object): boolean {
  return permitAround(state)?.areTextsRewritten === true;
}

/** The clock of a hook. It is paused while a person decides. */
export interface PausableClock {
  /** @returns a function that resumes the clock; only its first call counts. */
  pauseClock(): () => void;
}

/** What runs a hook. */
export interface HookRunner extends PausableClock {
  /** What its hooks are given, and who else there is. */
  readonly args: { readonly scope: Scope };
  /** The thread as the chain was given it. */
  readonly state: object;
  /** Records one of the things that the hook runs. */
  noteEntry(member: ChainMember, run: EntryRun): void;
}

interface PermitOptions {
  readonly hook: string;
  readonly id: string;
  readonly depth: number;
  readonly onLateWrite?: ((late: LateWrite) => void) | undefined;
  /** What runs the hook: its clock, and where what it runs itself is recorded. */
  readonly chain?: HookRunner;
  readonly member?: ChainMember;
  /** What runs around the hook, and waits for it. */
  readonly within?: PausableClock | undefined;
}

/** The permission of one running hook to write, with the hook's own abort signal. It ends with the hook. */
export class HookPermit {
  readonly hook: string;
  readonly id: string;
  /** How many hooks are running around this one, itself included. */
  readonly depth: number;
  #open = true;
  #aborted = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  readonly #onLateWrite: ((late: LateWrite) => void) | undefined;
  readonly #chain: HookRunner | undefined;
  readonly #member: ChainMember | undefined;
  readonly #within: PausableClock | undefined;

  constructor({ hook, id, depth, onLateWrite, chain, member, within }: PermitOptions) {
    this.hook = hook;
    this.id = id;
    this.depth = depth;
    this.#onLateWrite = onLateWrite;
    this.#chain = chain;
    this.#member = member;
    this.#within = within;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Whether the chain in which the hook runs is part of what another hook or a tool does, or for what hooks gave. */
  get isWithinAnother(): boolean {
    if (this.#within !== undefined) return true;
    return (this.#chain?.state as { [hookTexts]?: boolean } | undefined)?.[hookTexts] === true;
  }

  /** Whether other hooks change the texts that this one gives. */
  get areTextsRewritten(): boolean {
    return this.#chain !== undefined && hasTextRewriters(this.#chain.args.scope);
  }

  /** Aborted at the hook's own timeout and when the thread is aborted. Made when first asked for (bench `chain-of-four`). */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Call before a write, and again at the instant it takes effect. @throws {RunError} `late_write` */
  assertOpen(write: string): void {
    if (this.#open) return;
    this.#onLateWrite?.({ hook: this.hook, id: this.id, write });
    throw new RunError(
      'late_write',
      `Hook "${this.id}" (${this.hook}) called ${write} after it had ended; nothing was written.`,
      {
        hook: this.hook,
        id: this.id,
      },
    );
  }

  /** Stops this hook's clock and those of the hooks around it, while a person decides. @returns what lets them run again */
  pauseClock(): () => void {
    const resume = this.#open ? this.#chain?.pauseClock() : undefined;
    const resumeAround = this.#within?.pauseClock();
    return () => {
      resume?.();
      resumeAround?.();
    };
  }

  /** Records one of the things that the hook runs; also after it has settled, since recording is no write. */
  noteEntry(run: EntryRun): void {
    if (this.#member !== undefined) this.#chain?.noteEntry(this.#member, run);
  }

  /** The hook settled. */
  close(): void {
    this.#open = false;
  }

  /** The hook is ended from outside. */
  abort(reason: unknown): void {
    this.#open = false;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
