import type { AnyHook, Hook } from '../define/define.ts';
import type { Scope } from '../define/scope.ts';

/** A hook whose changes to a text can be told while the text grows. */
export type StreamingHook = Hook<'before_create_message'> &
  Required<Pick<Hook<'before_create_message'>, 'holdBack' | 'stream'>>;

/** The hooks that may change the text of an answer before it is stored. */
export function hooksOnContent({ before_create_message: chain = [] }: Scope): AnyHook[] {
  return chain
    .map(({ hook }) => hook)
    .filter(({ changes }) => mayChangeContent(changes as readonly string[] | undefined));
}

function mayChangeContent(changes: readonly string[] | undefined): boolean {
  return changes === undefined || changes.includes('content');
}

export function hasStream(hook: AnyHook): hook is StreamingHook {
  return hook.stream !== undefined;
}

/** So much of what has left is seen again at least, so that what began there is known. */
const CONTEXT = 2048;
/** The hooks look again when a text has grown by this part of what they see, so that the work grows with the text's length only. */
const GROWTH = 16;
const LEAST_GROWTH = 8;
/** Where more than this waits, no hook looks again before the end: a look takes no more than some milliseconds. */
const LONGEST_WAIT = 16_384;

/** What of a text has left, and what waits. */
interface Begun {
  /** At least the end of it. */
  readonly released: string;
  readonly waiting: string;
}

/**
 * Lets out a growing text as far as hooks would not change it.
 *
 * W1 It leaves up to the first change that a hook would make, and at least `holdBack` characters behind its end.
 * W2 Each hook sees the text as those before it have left it; what one of them has not settled is not settled for the next.
 * W3 The hooks see the text that waits, and some of what has left. What has left stays: a change there lets nothing more leave.
 */
export class TextWindow {
  readonly #hooks: readonly StreamingHook[];
  readonly #context: number;
  /** What waits, behind some of what has left. */
  #text: string;
  /** Where in it the text begins that waits. */
  #from: number;
  #pieces: string[] = [];
  #length: number;
  /** How long the text is when the hooks look again. */
  #next = 0;

  constructor(hooks: readonly StreamingHook[], { released, waiting }: Begun = { released: '', waiting: '' }) {
    this.#hooks = hooks;
    this.#context = hooks.reduce((sum, { holdBack }) => sum + holdBack, CONTEXT);
    const context = released.slice(atCharacter(released, Math.max(0, released.length - this.#context)));
    this.#text = context + waiting;
    this.#from = context.length;
    this.#length = this.#text.length;
  }

  /** What has not left. */
  get waiting(): string {
    return this.#joined().slice(this.#from);
  }

  add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /**
   * Takes out what may leave now.
   *
   * @throws {StreamError} where a hook's function fails
   */
  take(): string {
    if (this.#length < this.#next || this.#length - this.#from > LONGEST_WAIT) return '';
    const text = this.#joined();
    this.#next = text.length + Math.max(LEAST_GROWTH, Math.floor(text.length / GROWTH));
    const end = atCharacter(text, this.#settled(text));
    if (end <= this.#from) return '';
    const taken = text.slice(this.#from, end);
    this.#forget(atCharacter(text, Math.max(0, end - this.#context)), end);
    return taken;
  }

  #joined(): string {
    this.#text += this.#pieces.join('');
    this.#pieces = [];
    return this.#text;
  }

  /** Keeps of what has left what the hooks are to see again. */
  #forget(start: number, end: number): void {
    this.#text = this.#text.slice(start);
    this.#from = end - start;
    this.#length -= start;
    this.#next -= start;
  }

  /** How much of a text no hook changes, whatever follows. */
  #settled(text: string): number {
    let settled = text.length;
    let seen = text;
    for (const hook of this.#hooks) {
      const changed = runStream(hook, seen);
      settled = Math.min(settled - hook.holdBack, countEqual(seen, changed));
      seen = changed;
    }
    return Math.max(0, settled);
  }
}

/** A hook's `stream` threw, or gave no text. */
export class StreamError extends Error {
  readonly hookId: string;

  constructor(hookId: string, cause: unknown) {
    super('', { cause });
    this.hookId = hookId;
  }
}

function runStream({ id, stream }: StreamingHook, text: string): string {
  let changed: unknown;
  try {
    changed = stream(text);
  } catch (error) {
    throw new StreamError(id, error);
  }
  if (typeof changed !== 'string') throw new StreamError(id, undefined);
  return changed;
}

function countEqual(a: string, b: string): number {
  if (a === b) return a.length;
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** An offset that cuts no character in two. */
function atCharacter(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff && offset > 0 ? offset - 1 : offset;
}
