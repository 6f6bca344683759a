import { LastThreads } from './last-threads.ts';
import { receiveText, type TextVerdict } from './pass-messages.ts';
import type { HostTurn } from './turn.ts';

/** What a thread has received and no model will answer, each by its place and text, as hooks made it. */
type Left = Map<string, string | null>;

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

  /** Takes over what an earlier turn has left. @returns what hooks made of it then, or nothing */
  take(key: string): { readonly content: string | null } | undefined {
    const content = this.#left.get(key);
    if (content === undefined) return undefined;
    this.#left.delete(key);
    this.add(key, content);
    return { content };
  }

  add(key: string, content: string | null): void {
    this.#own.set(key, content);
  }

  /** A model has answered. */
  answer(): void {
    this.#left.clear();
    this.#own.clear();
  }

  /** The turn has failed, or was stopped: what it has received may be sent again. */
  fail(): void {
    for (const [key, content] of this.#own) this.#left.set(key, content);
    this.#own.clear();
  }
}

/**
 * Receives a text of the user, and once where it is sent again because no model had answered. Tell `unanswered` when one has, or when the turn
 * has failed.
 *
 * @param place where it stands among those that are sent, from 0
 */
export async function receiveOnce(
  turn: HostTurn,
  unanswered: Unanswered,
  {
    content,
    place,
    id,
  }: { readonly content: string | null; readonly place: number; readonly id?: string | undefined },
): Promise<TextVerdict> {
  const key = `${place} ${content ?? ''}`;
  const known = unanswered.take(key);
  if (known !== undefined) return { isDenied: false, content: known.content };
  const verdict = await receiveText(turn, content, id);
  if (!verdict.isDenied) unanswered.add(key, verdict.content);
  return verdict;
}
