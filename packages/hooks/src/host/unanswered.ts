import { receiveText, type TextVerdict } from './pass-messages.ts';
import type { HostTurn } from './turn.ts';

/** What was received in a thread and has no answer yet, each by its place and text, as hooks made it. */
export type Unanswered = Map<string, string | null>;

/** So many threads are remembered: those that had a turn last. */
const MAX_THREADS = 1_000;

/** The messages of the user that no model has answered, by thread: where a model fails, an application sends them again. */
export class UnansweredByThread {
  readonly #threads = new Map<string, Unanswered>();

  find(threadId: string): Unanswered {
    const found = this.#threads.get(threadId) ?? new Map<string, string | null>();
    this.#threads.delete(threadId);
    this.#threads.set(threadId, found);
    if (this.#threads.size > MAX_THREADS) this.#threads.delete(this.#threads.keys().next().value ?? '');
    return found;
  }
}

/**
 * Receives a text of the user, and once where it is sent again because no model had answered. Clear `unanswered` when one has.
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
  const known = unanswered.get(key);
  if (known !== undefined) return { isDenied: false, content: known };
  const verdict = await receiveText(turn, content, id);
  if (!verdict.isDenied) unanswered.set(key, verdict.content);
  return verdict;
}
