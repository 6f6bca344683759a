import type { AgentInputItem, ModelRequest } from '@openai/agents';
import type { HookToolCall, StoredToolResult } from '@spec/hooks';
import {
  type HostTurn,
  passContexts,
  passRefusal,
  passResultRow,
  recallRows,
  takesRefusals,
  toLLMMessage,
  validExchanges,
} from '@spec/hooks/host';
import { findResults, lendItems, takeBack } from './items.ts';
import { RefusedResults } from './refused-results.ts';

/** What hooks gave for the conversation, and how many items of the run stand before it. */
interface Added {
  readonly after: number;
  /** The step in which it came. */
  readonly step: number;
  readonly item: AgentInputItem;
}

/**
 * The items of one run on their way to the model. The SDK sends its own items at every step and knows nothing of what hooks added
 * at an earlier one; so that is kept here, and added again.
 */
export class Conversation {
  readonly #turn: HostTurn;
  readonly #added: Added[] = [];
  readonly #refused: RefusedResults;
  /** The names of the calls that hand off to another agent. */
  readonly #handoffs = new Set<string>();
  /** The calls that a person was asked about, where the run goes on with the answers. */
  #interrupted: readonly HookToolCall[] = [];
  #results: StoredToolResult[] = [];
  #lastInput: unknown;
  attempt = 0;
  step = 0;

  constructor(turn: HostTurn) {
    this.#turn = turn;
    this.#refused = new RefusedResults(turn);
  }

  goOn(interrupted: readonly HookToolCall[]): void {
    this.#interrupted = interrupted;
  }

  addResult(result: StoredToolResult): void {
    this.#results.push(result);
  }

  /** Tells hooks which tools of one answer are done. */
  async endBatch(): Promise<void> {
    const results = this.#results;
    this.#results = [];
    if (results.length > 0) await this.#turn.endBatch(results);
  }

  /** What the model is sent. */
  async prepare(request: ModelRequest): Promise<ModelRequest> {
    this.#countCall(request.input);
    const { input } = request;
    const items: AgentInputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    const turn = this.#turn;
    if (this.#handoffs.size > 0) await this.#passHandoffs(items);
    if (takesRefusals(turn)) {
      await this.#refused.recall(items);
      await this.#passRefused(items);
    }
    for (const { toolName } of request.handoffs) this.#handoffs.add(toolName);
    if (this.#results.length > 0) await this.endBatch();
    const contexts = passContexts(turn);
    if (contexts !== undefined) this.#addContexts(items.length, await contexts);
    const isKeptThere = request.conversationId !== undefined || request.previousResponseId !== undefined;
    const history = this.#withAdded(items, isKeptThere);
    const prepared = { ...request, input: history };
    if (turn.has('after_system_message'))
      prepared.systemInstructions = await turn.run('after_system_message', request.systemInstructions ?? '');
    if (turn.has('filter_messages', 'prefilter_llm_history')) prepared.input = await this.#filter(history);
    return prepared;
  }

  /** A call that hands off is no call of a tool, and the SDK answers it by itself; a filter of the handoff may have taken that out. */
  async #passHandoffs(items: readonly AgentInputItem[]): Promise<void> {
    const open = this.#turn.called.listOpen().filter(({ function: { name } }) => this.#handoffs.has(name));
    if (open.length === 0) return;
    const results = findResults(items, open);
    for (const call of open) {
      const text = results.find((one) => one.call.id === call.id)?.text ?? 'Handed off.';
      const result = { status: 'success', result: text } as const;
      const { content } = await passResultRow(this.#turn, { outcome: 'answered', call, result });
      await this.#refused.keep(call.id, text, content);
    }
  }

  /** The SDK answers calls whose arguments are no JSON, and those that a person did not approve. */
  async #passRefused(items: readonly AgentInputItem[]): Promise<void> {
    const { called, isStored, state } = this.#turn;
    const unknown = findResults(items, [...this.#interrupted, ...called.listOpen()]).filter(
      ({ call }) =>
        !called.hasBegun(call.id) &&
        !this.#refused.hasPassed(call.id) &&
        !this.#handoffs.has(call.function.name),
    );
    if (unknown.length === 0) return;
    const rows = isStored ? await state.getMessages() : [];
    for (const { call, text } of unknown) {
      const isAnswered = this.#interrupted.some(({ id }) => id === call.id);
      // Of other results that a run begins with, the store alone knows which have passed, such as those of tools that ran before a person was asked.
      if (!isAnswered && (isStored ? rows.some(({ tool_call_id: id }) => id === call.id) : this.step === 1))
        continue;
      const { result, row } = await passRefusal(this.#turn, call, text);
      await this.#refused.keep(call.id, text, row.content);
      this.addResult({ toolCall: call, result });
    }
  }

  /** The SDK tries again with the very same input. */
  #countCall(input: unknown): void {
    const isRepeated = input === this.#lastInput;
    this.#lastInput = input;
    this.attempt = isRepeated ? this.attempt + 1 : 1;
    if (!isRepeated) this.step = this.#turn.nextStep();
  }

  #addContexts(after: number, content: string | undefined): void {
    if (content !== undefined) this.#added.push({ after, step: this.step, item: { role: 'user', content } });
  }

  /** @param isKeptThere whether the provider has what it was sent before */
  #withAdded(items: readonly AgentInputItem[], isKeptThere: boolean): AgentInputItem[] {
    const added = this.#added.filter(({ step }) => !isKeptThere || step === this.step);
    const addedAfter = (count: number): AgentInputItem[] =>
      added.filter(({ after }) => Math.min(after, items.length) === count).map(({ item }) => item);
    return [
      ...addedAfter(0),
      ...items.flatMap((item, at) => [this.#refused.change(item), ...addedAfter(at + 1)]),
    ];
  }

  async #filter(history: readonly AgentInputItem[]): Promise<AgentInputItem[]> {
    const lent = await recallRows(this.#turn, lendItems(history));
    const filtered = await this.#turn.run('filter_messages', lent.messages);
    const valid = validExchanges(filtered).map(toLLMMessage);
    return takeBack(await this.#turn.run('prefilter_llm_history', valid), lent);
  }
}
