import type { StoredToolResult } from '../vocabulary/control.ts';
import { changeResults, type LastResult, type PromptMessage } from './model-prompt.ts';
import { passRefusal } from './pass-call.ts';
import type { HostTurn } from './turn.ts';

/**
 * The calls of one turn that its loop has answered by itself, in the place of their tools, and what hooks made of these answers.
 *
 * Providers may give calls of several answers one id: a call is new in each step, and what hooks made of its answer is for a result that says
 * the same.
 */
export class RefusedCalls {
  readonly #turn: HostTurn;
  readonly #made = new Map<string, string>();
  /** The results that were looked at, each with its step: a model that is asked again gets the same ones. */
  readonly #known = new Set<string>();

  constructor(turn: HostTurn) {
    this.#turn = turn;
  }

  /** Whether there is anything to change. */
  get hasChanges(): boolean {
    return this.#made.size > 0;
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

  /** Sends what the loop has answered through the hooks. */
  async pass(answers: readonly LastResult[]): Promise<StoredToolResult[]> {
    const passed: StoredToolResult[] = [];
    for (const { call, readText } of answers) {
      const text = readText();
      const { result, row } = await passRefusal(this.#turn, call, text);
      this.#made.set(nameAnswer(call.id, text), row.content);
      passed.push({ toolCall: call, result });
    }
    return passed;
  }

  /** A message with its results as hooks made them. @param type what these are from then on */
  change<Message extends PromptMessage>(message: Message, type: 'text' | 'error-text'): Message {
    if (!this.hasChanges) return message;
    return changeResults(message, (id, text) => this.#made.get(nameAnswer(id, text)), type);
  }

  #nameInStep(id: string): string {
    return `${this.#turn.state.execution.stepCount} ${id}`;
  }
}

function nameAnswer(id: string, text: string): string {
  return JSON.stringify([id, text]);
}
