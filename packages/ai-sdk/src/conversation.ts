import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { DefinitionError, type StoredToolResult } from '@spec/hooks';
import {
  type HostTurn,
  type LastResult,
  lendPrompt,
  listLastCalls,
  listLastResults,
  passContexts,
  RefusedCalls,
  readToolCalls,
  recallRows,
  takePromptBack,
  takesRefusals,
  toLLMMessage,
  validExchanges,
} from '@spec/hooks/host';
import { describeMessage, readTexts, type SpokenMessage } from './messages.ts';
import { ReceivedMessages, type ThreadMemory } from './received.ts';

/** A call in an answer. */
export interface MadeCall {
  readonly toolCallId: string;
  readonly providerExecuted?: boolean | undefined;
}

/** An answer of a model, as it has left for the AI SDK. */
export interface MadeAnswer {
  readonly text: string;
  readonly calls: readonly MadeCall[];
}

/** What hooks gave for the conversation. */
interface Added {
  /** What it stands behind ({@link describeMessage}); a prompt without that begins with it. */
  readonly behind: string | undefined;
  readonly message: SpokenMessage;
}

/**
 * The messages of one turn on their way to the model. The AI SDK sends its own messages at every step and knows nothing of what hooks
 * changed or added at an earlier one; so that is kept here, and applied again.
 */
export class Conversation {
  readonly #turn: HostTurn;
  readonly #received: ReceivedMessages;
  readonly #added: Added[] = [];
  readonly #refused: RefusedCalls;
  #results: StoredToolResult[] = [];
  /** What the prompt of the last call ended with. */
  #lastEnd: string | undefined;
  #attempt = 0;
  /** What the last answer has the AI SDK do; nothing is known where its provider runs calls. */
  #awaited: { readonly text: string; readonly calls: readonly string[] } | undefined;
  #broken: { readonly error: unknown } | undefined;
  #isAsking = false;
  /** Whether a model has answered the last call. */
  #hasAnswered = false;
  step = 0;

  constructor(turn: HostTurn, memory: ThreadMemory) {
    this.#turn = turn;
    this.#received = new ReceivedMessages(turn, memory);
    this.#refused = new RefusedCalls(turn);
  }

  /** Which attempt of its step the call that begins now is: the AI SDK tries again what failed. */
  get attempt(): number {
    return this.#attempt;
  }

  /**
   * A call of a model begins.
   *
   * @throws {DefinitionError} `bad_option` where another one of this turn is under way: then it is one of another turn
   */
  beginCall(): void {
    if (this.#isAsking) throw refuseAnotherTurn();
    this.#isAsking = true;
  }

  /** It is over. @param hasFailed whether there is no answer, and will be none */
  endCall(hasFailed: boolean): void {
    this.#isAsking = false;
    if (hasFailed) this.#received.fail();
  }

  addResult(result: StoredToolResult): void {
    this.#results.push(result);
  }

  /** A model has answered. Where its provider runs calls, the AI SDK may go on without a result of its own. */
  takeAnswer({ text, calls }: MadeAnswer): void {
    const ids = calls.map(({ toolCallId }) => toolCallId);
    this.#received.takeAnswer(text, ids);
    this.#hasAnswered = true;
    const isForProvider = calls.some(({ providerExecuted }) => providerExecuted === true);
    this.#awaited = isForProvider ? undefined : { text, calls: ids };
  }

  /** A call could not be finished: the AI SDK makes every error of a tool an answer of it, so the model is not called again. */
  breakOff(error: unknown): void {
    this.#broken ??= { error };
  }

  /**
   * What the model is sent.
   *
   * @throws {MessageDeniedError}
   * @throws {DefinitionError} `bad_option` for a second turn
   */
  async prepare(params: LanguageModelV3CallOptions): Promise<LanguageModelV3Prompt> {
    if (this.#broken !== undefined) throw this.#broken.error;
    const [system, spoken] = splitPrompt(params.prompt);
    this.#refuseAnotherTurn(spoken);
    this.#countCall(spoken);
    const newer = this.#received.findNewer(spoken);
    const own = newer.includes('added') ? spoken.filter((_, at) => newer[at] !== 'added') : spoken;
    if (takesRefusals(this.#turn)) {
      await this.#refused.recall(own);
      await this.#passRefused(own);
    }
    if (this.#results.length > 0) await this.#endBatch(own);
    if (this.step > 1) {
      if (newer.some((one) => one !== 'known')) await this.#received.receiveNewer(spoken, newer);
    } else if (this.#attempt === 1) await this.#received.receiveLast(spoken);
    const contexts = passContexts(this.#turn);
    if (contexts !== undefined) this.#addContexts(await contexts, spoken);
    const isChanged = this.#received.hasChanges || this.#added.length > 0 || this.#refused.hasChanges;
    const history = isChanged ? await this.#withChanges(spoken) : spoken;
    const turn = this.#turn;
    const heads = turn.has('after_system_message') ? await this.#readSystem(system) : system;
    if (!turn.has('filter_messages', 'prefilter_llm_history')) return [...heads, ...history];
    return [...heads, ...(await this.#filter(history))];
  }

  /** After its last answer the AI SDK calls a model only to give it the results of that answer's calls, or what its user has said meanwhile. */
  #refuseAnotherTurn(spoken: readonly SpokenMessage[]): void {
    const awaited = this.#awaited;
    if (awaited === undefined || awaited.calls.some((id) => hasResult(spoken, id))) return;
    if (awaited.calls.length === 0 && spoken.some((message) => isAnswer(message, awaited.text))) return;
    throw refuseAnotherTurn();
  }

  /** What the AI SDK tries again ends with the same message, and no model has answered and no tool has run since. */
  #countCall(spoken: readonly SpokenMessage[]): void {
    const last = spoken.at(-1);
    const end = last === undefined ? '' : describeMessage(last);
    const isUnanswered = !this.#hasAnswered && this.#results.length === 0;
    const isRepeated = this.step > 0 && isUnanswered && end === this.#lastEnd;
    this.#attempt = isRepeated ? this.#attempt + 1 : 1;
    if (!isRepeated) this.step = this.#turn.nextStep();
    this.#lastEnd = end;
    this.#hasAnswered = false;
  }

  /** The AI SDK answers calls of tools that are not there, or whose arguments do not fit, and those that a person did not approve. */
  async #passRefused(spoken: readonly SpokenMessage[]): Promise<void> {
    const refused: LastResult[] = [];
    for (const result of this.#refused.takeNew(listLastResults(spoken))) {
      const { call, type } = result;
      const isDenied = type === 'execution-denied';
      if (!isDenied && type !== 'error-text' && type !== 'error-json') continue;
      if (this.step === 1 && !isDenied && !(await this.#isLeftOpen(call.id))) continue;
      refused.push(result);
    }
    for (const result of await this.#refused.pass(refused)) this.addResult(result);
  }

  /** Whether an earlier turn has left a call without a result in the store: it ended for a person's approval of another one. */
  async #isLeftOpen(callId: string): Promise<boolean> {
    if (!this.#turn.isStored) return false;
    const rows = await this.#turn.state.getMessages();
    if (rows.some(({ tool_call_id }) => tool_call_id === callId)) return false;
    return rows.some((row) => readToolCalls(row).some(({ id }) => id === callId));
  }

  async #endBatch(spoken: readonly SpokenMessage[]): Promise<void> {
    const results = this.#results;
    this.#results = [];
    await this.#turn.endBatch(results, listLastCalls(spoken));
  }

  #addContexts(text: string | undefined, spoken: readonly SpokenMessage[]): void {
    if (text === undefined) return;
    const last = spoken.at(-1);
    const behind = last === undefined ? undefined : describeMessage(last);
    this.#added.push({ behind, message: { role: 'user', content: [{ type: 'text', text }] } });
  }

  async #withChanges(spoken: readonly SpokenMessage[]): Promise<SpokenMessage[]> {
    const behind = this.#placeAdded(spoken);
    const history = [...(behind.get(-1) ?? [])];
    for (const [at, message] of spoken.entries())
      history.push(...(await this.#change(message)), ...(behind.get(at) ?? []));
    return history;
  }

  async #change(message: SpokenMessage): Promise<SpokenMessage[]> {
    const changed = await this.#received.change(message);
    return changed.map((one) => this.#refused.change(one, 'error-text'));
  }

  /** What hooks gave, by the place of the message that it stands behind; -1 where a window has left that out. */
  #placeAdded(spoken: readonly SpokenMessage[]): Map<number, SpokenMessage[]> {
    const places = new Map<number, SpokenMessage[]>();
    if (this.#added.length === 0) return places;
    const described = spoken.map(describeMessage);
    for (const { behind, message } of this.#added) {
      const at = behind === undefined ? -1 : described.lastIndexOf(behind);
      places.set(at, [...(places.get(at) ?? []), message]);
    }
    return places;
  }

  async #readSystem(system: readonly SystemMessage[]): Promise<LanguageModelV3Prompt> {
    const text = system.map(({ content }) => content).join('\n\n');
    const changed = await this.#turn.run('after_system_message', text);
    if (changed === text) return [...system];
    return changed === '' ? [] : [{ role: 'system', content: changed }];
  }

  async #filter(history: readonly SpokenMessage[]): Promise<LanguageModelV3Prompt> {
    const lent = await recallRows(this.#turn, lendPrompt(history));
    const filtered = await this.#turn.run('filter_messages', lent.messages);
    const valid = validExchanges(filtered).map(toLLMMessage);
    return takePromptBack(await this.#turn.run('prefilter_llm_history', valid), lent);
  }
}

type SystemMessage = Extract<LanguageModelV3Prompt[number], { role: 'system' }>;

function splitPrompt(prompt: LanguageModelV3Prompt): readonly [SystemMessage[], SpokenMessage[]] {
  const system: SystemMessage[] = [];
  const spoken: SpokenMessage[] = [];
  for (const message of prompt)
    if (message.role === 'system') system.push(message);
    else spoken.push(message);
  return [system, spoken];
}

function refuseAnotherTurn(): DefinitionError {
  return new DefinitionError(
    'bad_option',
    'What hooks.hooked() and openTurn() give is for one call of generateText or streamText, and this is another: call them again for each. An agent that is made once takes them from its prepareCall.',
  );
}

function hasResult(spoken: readonly SpokenMessage[], callId: string): boolean {
  return spoken.some(
    ({ role, content }) =>
      role === 'tool' && content.some((part) => part.type === 'tool-result' && part.toolCallId === callId),
  );
}

function isAnswer(message: SpokenMessage, text: string): boolean {
  return message.role === 'assistant' && readTexts(message) === text;
}
