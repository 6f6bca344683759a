import type { Context } from '@opentelemetry/api';
import type { ExecutionState } from '@spec/hooks';
import type { SideName } from '../definitions/agent.ts';
import { direct, type TurnContext } from '../engine/engine.ts';
import type { TellingContexts, Told } from './contexts.ts';
import { idPart, newId } from './ids.ts';
import { Place } from './place.ts';
import { newTalk, type Talk } from './sides.ts';

/** A turn that is about to run. */
export interface NewTurn {
  readonly id: string;
  /** Whether the caller chose the id. */
  readonly isNamed: boolean;
}

/** Makes a turn with an id of the runtime. */
export function newTurn(): NewTurn {
  return { id: newId(), isNamed: false };
}

/** What listeners have heard of a turn, also of attempts at it that were given up. */
export interface Heard {
  start: boolean;
  end: boolean;
  /** That it began in the process that it was sent to. */
  startElsewhere?: boolean;
}

const NONE: readonly never[] = Object.freeze([]);

/** Where a thread is: one turn, or the rest between two turns (C12). */
export class Flow implements ExecutionState {
  readonly turnId: string | null;
  readonly isNamed: boolean;
  /** Whose go it is. */
  readonly talk: Talk;
  stepCount = 0;
  /** When this attempt at the turn began, by the clock of the process. */
  begunAt: number = performance.now();
  /** How often hooks have kept the turn going. */
  keptGoing = 0;
  stopped = false;
  /** Whether the step that runs may have been begun by a process that died. */
  isRepeating = false;
  /** The texts that hooks have given the turn. */
  told: (Told & { add(text: string): unknown }) | undefined;
  /** The texts in the turn's first messages, until these are stored. */
  telling: TellingContexts | undefined;
  /** Texts of hooks outside a batch, until a message holds them; `null` when the turn is over. */
  contexts: readonly string[] | null = NONE;
  /** What the hook said that denied the turn's model call: it stands in the row that tells of the turn's end. */
  refusal: string | undefined;
  /** The id of the hook whose failure ended the turn. */
  failedBy: string | undefined;
  heard: Heard = { start: false, end: false };
  /** Whether a tool has run whose call has no stored result: the turn stays open, so that it gets one. One for the turn and its copies. */
  unanswered: { isLeft: boolean } = { isLeft: false };
  /** Whether the caller looks for the turn again after another process took the thread, and then announces its end. */
  isAskedAnew = false;
  /** Whether the last commit of the turn has been made. */
  isConcluded = false;
  /** The context that the engine gives the turn. */
  context: TurnContext = direct;
  /** The span that the turn runs in. */
  trace: Context | undefined;
  #flowId: string | undefined;
  #isOfOlderForm = false;
  #prefix: string | undefined;
  #controller: AbortController | undefined;
  #fence: number | undefined;
  /** The last commit of the turn said that nothing waits in the queue, and nothing was queued here since. */
  isQueueEmpty = false;
  #isGivenUp = false;

  constructor(turn: NewTurn | null, currentSide: SideName = 'a') {
    this.turnId = turn?.id ?? null;
    this.isNamed = turn?.isNamed ?? false;
    this.#flowId = turn?.id;
    this.talk = newTalk(currentSide);
  }

  /** That of the turn. A rest between two turns has one too, once somebody asks for it. */
  get flowId(): string {
    this.#flowId ??= newId();
    return this.#flowId;
  }

  /** Whether an older release began the turn: its ids are those of that release. */
  get isOfOlderForm(): boolean {
    return this.#isOfOlderForm;
  }
  set isOfOlderForm(isOlder: boolean) {
    this.#isOfOlderForm = isOlder;
    this.#prefix = undefined;
  }

  get currentSide(): SideName {
    return this.talk.side;
  }

  /** Admits the turn under a fence, before anything of it runs: it does nothing under another one. */
  pin(fence: number): void {
    this.#fence ??= fence;
  }

  /** Whether it is admitted; a thread at rest never is. */
  get isPinned(): boolean {
    return this.#fence !== undefined;
  }

  /** Whether it may go on under this fence. */
  keepsFence(fence: number): boolean {
    return !this.#isGivenUp && (this.#fence === undefined || this.#fence === fence);
  }

  /** Ends this attempt at the turn: another one goes on with it, and nothing more of this one is stored. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.abort();
  }

  /** Whether another attempt goes on with the turn. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** The prefix of the ids of the turn's messages. */
  get prefix(): string {
    this.#prefix ??= `${this.partOf(this.flowId)}.`;
    return this.#prefix;
  }

  /** A text from outside in an id of the turn. */
  partOf(text: string): string {
    return this.isOfOlderForm ? text : idPart(text);
  }

  /** The id of what belongs to a place in the current step, such as `answer`. */
  idOf(name: string): string {
    return `${this.prefix}${this.stepCount}.${name}`;
  }

  /** A place in the current step. */
  identifyPlace(name: string, mayRepeat: boolean = this.isRepeating): Place {
    return Place.of(this.idOf(name), { mayRepeat, sharesCounter: this.isOfOlderForm });
  }

  /** Made when first asked for: a thread at rest has none (bench `idle-threads`). */
  get abortSignal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  /** Ends the turn after the current step. */
  stop(): void {
    this.stopped = true;
  }

  /** Ends the turn now. */
  abort(reason: unknown = new DOMException('the thread was stopped', 'AbortError')): void {
    this.stopped = true;
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /** The same place in the same turn with a live signal, in which the rest is stored after an abort. */
  afterAbort(): Flow {
    const { turnId: id, isNamed } = this;
    const flow = new Flow(id === null ? null : { id, isNamed }, this.currentSide);
    flow.stepCount = this.stepCount;
    flow.begunAt = this.begunAt;
    flow.context = this.context;
    flow.trace = this.trace;
    flow.isRepeating = this.isRepeating;
    flow.isOfOlderForm = this.isOfOlderForm;
    flow.stopped = true;
    flow.heard = this.heard;
    flow.unanswered = this.unanswered;
    flow.isAskedAnew = this.isAskedAnew;
    flow.#fence = this.#fence;
    flow.#isGivenUp = this.#isGivenUp;
    return flow;
  }
}
