import type { AgentInputItem } from '@openai/agents';
import type { ThreadState } from '@spec/hooks';
import { changeOutput, isResult, type ResultItem, readOutput } from './items.ts';

type Thread = Pick<ThreadState, 'getValue' | 'setValue'>;

/** Whether a thread has any: most have none, and are asked once. */
const HAS_ANY = 'refused_results';

/**
 * What hooks made of the answers that the SDK gave in the place of tools. A session keeps those as the SDK gave them, so every later run of its
 * thread has them again.
 */
export class RefusedResults {
  readonly #thread: Thread;
  /** By the call, and what the SDK answered: providers may give another call the same id. */
  readonly #made = new Map<string, string>();
  readonly #looked = new Set<string>();
  /** The calls whose results have passed the hooks in this run. */
  readonly #passed = new Set<string>();
  #hasAny: Promise<unknown> | undefined;

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  hasPassed(callId: string): boolean {
    return this.#passed.has(callId);
  }

  async keep(callId: string, given: string, made: string): Promise<void> {
    this.#passed.add(callId);
    this.#made.set(nameResult(callId, given), made);
    if (made === given) return;
    await this.#thread.setValue(HAS_ANY, true);
    await this.#thread.setValue(await nameValue(callId, given), made);
  }

  /** Looks for those of earlier runs. */
  async recall(items: readonly AgentInputItem[]): Promise<void> {
    const unknown = items
      .filter((item) => isResult(item))
      .filter((item) => !this.#looked.has(nameItem(item)));
    if (unknown.length === 0) return;
    this.#hasAny ??= this.#thread.getValue(HAS_ANY);
    if ((await this.#hasAny) !== true) return;
    for (const item of unknown) {
      this.#looked.add(nameItem(item));
      const made = await this.#thread.getValue(await nameValue(item.callId, readOutput(item)));
      if (typeof made === 'string') this.#made.set(nameItem(item), made);
    }
  }

  change(item: AgentInputItem): AgentInputItem {
    if (!isResult(item)) return item;
    const made = this.#made.get(nameItem(item)) ?? readOutput(item);
    return made === readOutput(item) ? item : changeOutput(item, made);
  }
}

const nameResult = (callId: string, given: string): string => `${callId}/${given}`;
const nameItem = (item: ResultItem): string => nameResult(item.callId, readOutput(item));

/** With so little of a digest as tells two results of one call apart, and not what was taken out of them. */
async function nameValue(callId: string, given: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(given));
  return `refused_result/${callId}/${Buffer.from(digest).toString('hex', 0, 4)}`;
}
