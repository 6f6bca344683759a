import { globalId, idPart } from './ids.ts';

/** The state that the places of one effect share. */
interface Effect {
  /** Takes what hooks have for the conversation, where the results of a batch are waited for. */
  contexts: string[] | undefined;
  /** The number of writes of each writer, by the prefix of its ids. Made when first needed, as the next two: most effects have none. */
  counts: Map<string, number> | undefined;
  /** What was given to something that is written again. */
  claimed: Set<string> | undefined;
  /** The highest stored number of each writer, by the thread and the prefix of its ids. */
  reached: Map<string, number> | undefined;
  readonly options: EffectOptions;
}

function newEffect(options: EffectOptions): Effect {
  return { contexts: undefined, counts: undefined, claimed: undefined, reached: undefined, options };
}

export interface EffectOptions {
  /** Whether it may have been begun before, by a process that died. */
  readonly mayRepeat: boolean;
  /** Whether its turn was begun by a release in which all that is written in a place shared one counter. */
  readonly sharesCounter: boolean;
}

interface PlaceOptions {
  readonly effect: Effect;
  readonly callKey: string | undefined;
  /** The thread that is written to, if it is not the turn's. */
  readonly abroad?: string;
}

/** A place in a turn. What is written there gets its id from the place (design §13). */
export class Place {
  /** The id of the message that belongs to this place, such as `<turn>.2.answer`. */
  readonly id: string;
  /** The key of the tool call that this is part of. */
  readonly callKey: string | undefined;
  readonly #options: PlaceOptions;

  constructor(id: string, options: PlaceOptions) {
    this.id = id;
    this.callKey = options.callKey;
    this.#options = options;
  }

  /** The place of an effect of a turn. */
  static of(id: string, options: EffectOptions): Place {
    return new Place(id, { effect: newEffect(options), callKey: undefined });
  }

  get contexts(): string[] | undefined {
    return this.#options.abroad === undefined ? this.#options.effect.contexts : undefined;
  }

  get mayRepeat(): boolean {
    return this.#options.effect.options.mayRepeat;
  }

  get sharesCounter(): boolean {
    return this.#options.effect.options.sharesCounter;
  }

  /** The id of a writer's next write of a kind at this place. Only this writer's writes count. */
  nextId(writer: string, kind: string): string {
    if (this.sharesCounter) return `${this.id}.i${this.#count(this.id)}`;
    const start = this.startOf(writer, kind);
    return `${start}${this.#count(`${this.#options.abroad ?? ''} ${start}`)}`;
  }

  /** The prefix of a writer's ids at this place. */
  startOf(writer: string, kind: string): string {
    return `${this.id}.${idPart(writer)}.${kind}`;
  }

  /** Takes an id for a repeated write; `false` if it is taken. */
  claim(threadId: string, id: string): boolean {
    const { effect } = this.#options;
    effect.claimed ??= new Set();
    const key = globalId(threadId, id);
    return !effect.claimed.has(key) && effect.claimed.add(key) !== undefined;
  }

  /** The highest number of a writer that this process has stored; 0 for none. */
  reached(threadId: string, start: string): number {
    return this.#options.effect.reached?.get(globalId(threadId, start)) ?? 0;
  }

  /** Notes that a writer's message with a number is stored. */
  reach(threadId: string, start: string, number: number): void {
    if (number <= this.reached(threadId, start)) return;
    const { effect } = this.#options;
    effect.reached ??= new Map();
    effect.reached.set(globalId(threadId, start), number);
  }

  #count(key: string): number {
    const { effect } = this.#options;
    effect.counts ??= new Map();
    const count = (effect.counts.get(key) ?? 0) + 1;
    effect.counts.set(key, count);
    return count;
  }

  /** The place of a writer's write, for the hooks that see it. */
  about(writer: string, id: string): Place {
    if (this.sharesCounter) return this;
    const isFromHere = id.startsWith(`${this.id}.`);
    return new Place(isFromHere ? id : `${this.startOf(writer, 'm-')}${idPart(id)}`, this.#options);
  }

  /** The place of a call whose answer takes along what hooks have for the conversation. */
  ofAnswer(threadId: string): Place {
    const { effect } = this.#options;
    effect.contexts = [];
    return new Place(this.id, { effect, callKey: globalId(threadId, this.id) });
  }

  /** The place of a call that a writer makes here. */
  ofCall(threadId: string, callId: string): Place {
    const id = callId.replace(/^call_/, '');
    const callKey = this.globalId(threadId, id);
    return new Place(this.sharesCounter ? this.id : id, { ...this.#options, callKey });
  }

  /** This place among all threads. */
  globalId(threadId: string, id: string = this.id): string {
    return globalId(threadId, this.#options.abroad === undefined ? id : idPart(id));
  }

  /** What is written from here into another thread; older releases gave that no ids of the place. */
  into(threadId: string, from: string): Place | undefined {
    if (this.sharesCounter) return undefined;
    const { effect, abroad } = this.#options;
    const id = abroad === undefined ? globalId(from, this.id) : this.id;
    return new Place(id, { effect, callKey: undefined, abroad: threadId });
  }
}
