import type { StoredToolResult } from '../vocabulary/control.ts';
import { type GivenAnswer, KeptAnswers } from './kept-answers.ts';
import { changeResults, type LastResult, type PromptMessage } from './model-prompt.ts';
import { passRefusal } from './pass-call.ts';
import type { HostTurn } from './turn.ts';

/**
 * The calls of one turn that its loop has answered by itself, in the place of their tools, and what hooks made of these answers.
 *
 * Providers may give calls of several answers one id: a call is new in each step.
 */
export class RefusedCalls {
  readonly #turn: HostTurn;
  readonly #kept: KeptAnswers;
  /** The results that were looked at, each with its step: a model that is asked again gets the same ones. */
  readonly #known = new Set<string>();

  constructor(turn: HostTurn) {
    this.#turn = turn;
    this.#kept = new KeptAnswers(turn.state);
  }

  /** Whether there is anything to change. */
  get hasChanges(): boolean {
    return this.#kept.size > 0;
  }

  /**
   * Those of the results behind the last answer that come from no tool, once in each step. Another answer may come then.
   *
   * @param results all of them
   */
  takeNew(results: readonly LastResult[]): LastResult[] {
    const { called, takesMessages } = this.#turn;
    const names = results.map(({ call: { id } }) => this.#nameInStep(id));
    const isKnown = ({ call: { id } }: LastResult, at: number): boolean =>
      called.hasBegun(id) || this.#known.has(names[at] as string);
    const fresh = results.filter((result, at) => !isKnown(result, at));
    for (const name of names) this.#known.add(name);
    if (!takesMessages && results.length > 0) called.begin([]); // Else an answer begins with its message.
    return fresh;
  }

  /** Looks for what hooks made of such answers in earlier turns: the loop sends them as they were. */
  recall(prompt: readonly PromptMessage[]): Promise<void> {
    return this.#kept.recall(() => listAnswers(prompt));
  }

  /** Sends what the loop has answered through the hooks. */
  async pass(answers: readonly LastResult[]): Promise<StoredToolResult[]> {
    const passed: StoredToolResult[] = [];
    for (const { call, readText } of answers) {
      const text = readText();
      const { result, row } = await passRefusal(this.#turn, call, text);
      await this.#kept.keep({ callId: call.id, text }, row.content);
      passed.push({ toolCall: call, result });
    }
    return passed;
  }

  /** A message with its results as hooks made them. @param type what these are from then on */
  change<Message extends PromptMessage>(message: Message, type: 'text' | 'error-text'): Message {
    if (!this.hasChanges) return message;
    return changeResults(message, (id, text) => this.#kept.find(id, text), type);
  }

  #nameInStep(id: string): string {
    return `${this.#turn.state.execution.stepCount} ${id}`;
  }
}

function listAnswers(prompt: readonly PromptMessage[]): GivenAnswer[] {
  const answers: GivenAnswer[] = [];
  const note = (callId: string, text: string): undefined => {
    answers.push({ callId, text });
  };
  for (const message of prompt) changeResults(message, note, 'text');
  return answers;
}
