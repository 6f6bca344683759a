import { type HeardMessage, hearUser, type SaidMessage } from './hear-user.ts';
import { LastThreads } from './last-threads.ts';
import type { HostTurn } from './turn.ts';

/** A message of the user as hooks made it. */
type Heard = Extract<HeardMessage, { isDenied: false }>;

/** What a thread has received and no model will answer, each by its place, its text and its files. */
type Left = Map<string, Heard | null>;

/** The messages of the user that turns have left without an answer, by thread: where a model fails, an application sends them again. */
export class UnansweredByThread {
  readonly #threads = new LastThreads<Left>(() => new Map());

  /** What a turn of the thread receives. */
  open(threadId: string): Unanswered {
    return new Unanswered(this.#threads.find(threadId));
  }
}

/**
 * What one turn has received, until a model answers. A message that says the same as one whose answer is still on its way is another one: only
 * what a turn has failed to have answered is sent again.
 */
export class Unanswered {
  readonly #left: Left;
  readonly #own: Left = new Map();

  constructor(left: Left = new Map()) {
    this.#left = left;
  }

  /** Takes over what an earlier turn has left. @returns what was given to `add` then, or nothing */
  take(key: string): Heard | null | undefined {
    const heard = this.#left.get(key);
    if (heard === undefined) return undefined;
    this.#left.delete(key);
    this.add(key, heard);
    return heard;
  }

  /** @param heard what hooks made of it; `null` where somebody else remembers that */
  add(key: string, heard: Heard | null): void {
    this.#own.set(key, heard);
  }

  /** A model has answered. */
  answer(): void {
    this.#left.clear();
    this.#own.clear();
  }

  /** The turn has failed, or was stopped: what it has received may be sent again. */
  fail(): void {
    for (const [key, heard] of this.#own) this.#left.set(key, heard);
    this.#own.clear();
  }
}

/**
 * Receives a message of the user, and once where it is sent again because no model had answered. Tell `unanswered` when one has, or when the
 * turn has failed.
 *
 * @param said with the place where it stands among those that are sent, from 0
 */
export async function receiveOnce(
  turn: HostTurn,
  unanswered: Unanswered,
  { place, ...said }: SaidMessage & { readonly place: number },
): Promise<HeardMessage> {
  const key = [place, ...(said.files ?? []).map(({ key: file }) => file), said.content ?? ''].join(' ');
  const known = unanswered.take(key);
  if (known) return known;
  const heard = await hearUser(turn, said);
  if (!heard.isDenied) unanswered.add(key, heard);
  return heard;
}
