import type { ModelUsage } from '@spec/hooks';
import { findInHead, readKept } from '../stores/kept-value.ts';
import type { Store, ThreadHead } from '../stores/store.ts';
import { addUsage, isKeptUsage, type KeptUsage, NO_USAGE, USAGE_KEY } from '../usage.ts';

const NOTHING_KEPT: KeptUsage = { total: NO_USAGE, turnId: null, turn: NO_USAGE };

/** What the model calls of a thread used. The next commit takes along what is not stored yet. */
export class TokenSums {
  #sums = NOTHING_KEPT;
  #isStored = true;

  /** Of all calls of the thread. */
  get total(): ModelUsage {
    return this.#sums.total;
  }

  /** Of one turn, which is the running one or the last. */
  ofTurn(turnId: string): ModelUsage {
    return this.#sums.turnId === turnId ? this.#sums.turn : NO_USAGE;
  }

  /** Counts a call. */
  add(turnId: string, usage: ModelUsage): void {
    this.#sums = {
      total: addUsage(this.total, usage),
      turnId,
      turn: addUsage(this.ofTurn(turnId), usage),
    };
    this.#isStored = false;
  }

  /** What the next commit has to store; nothing where all of it is stored. */
  take(): { key: string; value: unknown } | undefined {
    if (this.#isStored) return undefined;
    this.#isStored = true;
    return { key: USAGE_KEY, value: this.#sums };
  }

  /** The commit failed. */
  takeBack(): void {
    this.#isStored = false;
  }

  /** Takes what is stored, unless there is something newer here. @throws {RunError} `store_unreadable` */
  load(head: ThreadHead): void {
    const kept = findInHead(head, USAGE_KEY, isKeptUsage) ?? NOTHING_KEPT;
    if (this.#isStored) this.#sums = kept;
  }
}

/** What the model calls of a stored thread used. @throws {RunError} `store_unreadable` */
export async function readThreadUsage(store: Pick<Store, 'getValue'>, threadId: string): Promise<ModelUsage> {
  const kept = await readKept(store, { threadId, key: USAGE_KEY }, isKeptUsage);
  return (kept ?? NOTHING_KEPT).total;
}
