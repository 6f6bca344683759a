import type { AgentInputItem } from '@openai/agents';
import { type HostTurn, KeptAnswers } from '@spec/hooks/host';
import { changeOutput, isResult, readOutput } from './items.ts';

/** What hooks made of the answers that the SDK gave in the place of tools: a session has them as the SDK gave them. */
export class RefusedResults {
  readonly #kept: KeptAnswers;
  /** The calls whose results have passed the hooks in this run. */
  readonly #passed = new Set<string>();

  constructor({ state }: HostTurn) {
    this.#kept = new KeptAnswers(state);
  }

  hasPassed(callId: string): boolean {
    return this.#passed.has(callId);
  }

  async keep(callId: string, text: string, made: string): Promise<void> {
    this.#passed.add(callId);
    await this.#kept.keep({ callId, text }, made);
  }

  /** Looks for those of earlier runs. */
  recall(items: readonly AgentInputItem[]): Promise<void> {
    return this.#kept.recall(() =>
      items.filter((item) => isResult(item)).map((item) => ({ callId: item.callId, text: readOutput(item) })),
    );
  }

  change(item: AgentInputItem): AgentInputItem {
    if (!isResult(item) || this.#kept.size === 0) return item;
    const made = this.#kept.find(item.callId, readOutput(item));
    return made === undefined ? item : changeOutput(item, made);
  }
}
