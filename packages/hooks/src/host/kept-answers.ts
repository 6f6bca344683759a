import { digestText } from '../digest-text.ts';
import type { ThreadState } from '../vocabulary/state.ts';

/** What answered a call in the place of its tool, as it was said. */
export interface GivenAnswer {
  readonly callId: string;
  readonly text: string;
}

/** Whether a thread has any: most have none, and are asked once. */
const HAS_ANY = 'refused_results';

/**
 * What hooks made of the answers that a loop gave in the place of tools. It keeps its own, and sends them again in every later turn of the thread,
 * so that what hooks made of them is kept with the thread.
 */
export class KeptAnswers {
  readonly #thread: Pick<ThreadState, 'getValue' | 'setValue'>;
  /** Providers may give calls of several answers one id: what was made of an answer is for one that says the same. */
  readonly #made = new Map<string, string>();
  readonly #looked = new Set<string>();
  #hasAny: Promise<boolean> | undefined;

  constructor(thread: Pick<ThreadState, 'getValue' | 'setValue'>) {
    this.#thread = thread;
  }

  get size(): number {
    return this.#made.size;
  }

  find(callId: string, text: string): string | undefined {
    return this.#made.get(nameAnswer({ callId, text }));
  }

  async keep(given: GivenAnswer, made: string): Promise<void> {
    if (made === given.text) return;
    this.#made.set(nameAnswer(given), made);
    await this.#thread.setValue(HAS_ANY, true);
    await this.#thread.setValue(await nameValue(given), made);
  }

  /** Looks for those of earlier turns. @param list gives all that could be such answers */
  async recall(list: () => Iterable<GivenAnswer>): Promise<void> {
    this.#hasAny ??= this.#askThread();
    if (!(await this.#hasAny)) return;
    for (const given of list()) {
      const name = nameAnswer(given);
      if (this.#looked.has(name)) continue;
      this.#looked.add(name);
      const made = await this.#thread.getValue(await nameValue(given));
      if (typeof made === 'string') this.#made.set(name, made);
    }
  }

  async #askThread(): Promise<boolean> {
    return (await this.#thread.getValue(HAS_ANY)) === true;
  }
}

const nameAnswer = ({ callId, text }: GivenAnswer): string => JSON.stringify([callId, text]);

/** With as much of a digest as tells two answers to one call apart, and not what was taken out of them. */
async function nameValue({ callId, text }: GivenAnswer): Promise<string> {
  return `refused_result/${callId}/${(await digestText(text)).slice(0, 6)}`;
}
