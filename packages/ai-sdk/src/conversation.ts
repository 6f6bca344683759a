import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { DefinitionError, type HookMessage, type LLMMessage, type StoredToolResult } from '@spec/hooks';
import {
  type HostTurn,
  passContexts,
  passRefusal,
  readToolCalls,
  recallRows,
  receiveText,
  takesRefusals,
  validExchanges,
} from '@spec/hooks/host';
import {
  changeResults,
  describeMessage,
  findRefused,
  lendMessages,
  listLastCalls,
  readText,
  replaceText,
  type SpokenMessage,
  takeBack,
} from './messages.ts';

/** A hook, or the person it asked, does not let the user's message through. No model was called. */
export class MessageDeniedError extends Error {
  override readonly name = 'MessageDeniedError';
  /** What hooks have for the person. */
  readonly userMessage: string | undefined;

  constructor(reason: string, userMessage: string | undefined) {
    super(reason);
    this.userMessage = userMessage;
  }
}

/** What is remembered of a thread from one turn to the next: the application sends its messages again each time. */
export interface ThreadMemory {
  /** The texts of the user that hooks rewrote, by what they were. */
  readonly rewritten: Map<string, string>;
  /** What has been received and has no answer yet: where a model fails, the application sends it again. */
  readonly unanswered: Set<string>;
}

type UserMessage = Extract<SpokenMessage, { role: 'user' }>;

/** A call in an answer. */
export interface MadeCall {
  readonly toolCallId: string;
  readonly providerExecuted?: boolean | undefined;
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
  readonly #memory: ThreadMemory;
  readonly #added: Added[] = [];
  /** What hooks made of the answers that the AI SDK gave in the place of tools, by their calls. */
  readonly #refused = new Map<string, string>();
  #results: StoredToolResult[] = [];
  /** What the prompt of the last call ended with. */
  #lastEnd: string | undefined;
  #attempt = 0;
  /** The calls that the last answer asks the AI SDK to run; none where its loop is over. */
  #awaited: readonly string[] | undefined;
  #broken: { readonly error: unknown } | undefined;
  step = 0;

  constructor(turn: HostTurn, memory: ThreadMemory) {
    this.#turn = turn;
    this.#memory = memory;
  }

  /** Which attempt of its step the call that begins now is: the AI SDK tries again what failed. */
  get attempt(): number {
    return this.#attempt;
  }

  addResult(result: StoredToolResult): void {
    this.#results.push(result);
  }

  /** A model has answered. Where its provider runs calls, the AI SDK may go on without a result of its own. */
  takeAnswer(calls: readonly MadeCall[]): void {
    this.#memory.unanswered.clear();
    const isForProvider = calls.some(({ providerExecuted }) => providerExecuted === true);
    this.#awaited = isForProvider ? undefined : calls.map(({ toolCallId }) => toolCallId);
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
    const system = params.prompt.filter(({ role }) => role === 'system');
    const spoken = params.prompt.filter((message): message is SpokenMessage => message.role !== 'system');
    this.#refuseAnotherTurn(spoken);
    this.#countCall(spoken);
    await this.#passRefused(spoken);
    await this.#endBatch(spoken);
    if (this.step === 1 && this.#attempt === 1) await this.#receive(spoken);
    await this.#addContexts(spoken);
    const history = this.#withChanges(spoken);
    const turn = this.#turn;
    const heads = turn.has('after_system_message') ? await this.#readSystem(system) : system;
    if (!turn.has('filter_messages', 'prefilter_llm_history')) return [...heads, ...history];
    return [...heads, ...(await this.#filter(history))];
  }

  /** After its last answer the AI SDK calls a model only to give it the results of that answer's calls. */
  #refuseAnotherTurn(spoken: readonly SpokenMessage[]): void {
    const awaited = this.#awaited;
    if (awaited === undefined || awaited.some((id) => hasResult(spoken, id))) return;
    throw new DefinitionError(
      'bad_option',
      'What hooks.hooked() and openTurn() give is for one call of generateText or streamText, and this is another: call them again for each. An agent that is made once takes them from its prepareCall.',
    );
  }

  /** What the AI SDK tries again ends with the same message, and no tool has run since. */
  #countCall(spoken: readonly SpokenMessage[]): void {
    const last = spoken.at(-1);
    const end = last === undefined ? '' : describeMessage(last);
    const isRepeated = this.step > 0 && this.#results.length === 0 && end === this.#lastEnd;
    this.#attempt = isRepeated ? this.#attempt + 1 : 1;
    if (!isRepeated) this.step = this.#turn.nextStep();
    this.#lastEnd = end;
  }

  /** The AI SDK answers calls of tools that are not there, or whose arguments do not fit, and those that a person did not approve. */
  async #passRefused(spoken: readonly SpokenMessage[]): Promise<void> {
    const turn = this.#turn;
    if (!takesRefusals(turn)) return;
    for (const { call, error, isDenied } of findRefused(spoken)) {
      const isOurs = turn.called.hasBegun(call.id) || this.#refused.has(call.id);
      if (isOurs || (this.step === 1 && !isDenied)) continue;
      const { result, row } = await passRefusal(turn, call, error);
      this.#refused.set(call.id, row.content);
      this.addResult({ toolCall: call, result });
    }
  }

  async #endBatch(spoken: readonly SpokenMessage[]): Promise<void> {
    const results = this.#results;
    this.#results = [];
    if (results.length > 0) await this.#turn.endBatch(results, listLastCalls(spoken));
  }

  /** What the user says now: the messages of the user that the prompt ends with. */
  async #receive(spoken: readonly SpokenMessage[]): Promise<void> {
    const { takesMessages } = this.#turn;
    if (!takesMessages && !this.#turn.has('before_user_message')) return;
    const first = spoken.findLastIndex(({ role }) => role !== 'user') + 1;
    for (const [at, message] of spoken.entries())
      if (at >= first && message.role === 'user') await this.#receiveOne(message, at);
  }

  async #receiveOne(given: UserMessage, place: number): Promise<void> {
    const content = readText(given);
    const key = `${place} ${describeMessage(given)}`;
    if (this.#memory.unanswered.has(key)) return;
    const received = await receiveText(this.#turn, content);
    if (received.isDenied) throw new MessageDeniedError(received.reason, received.userMessage);
    this.#memory.unanswered.add(key);
    if (received.content !== content) this.#memory.rewritten.set(content ?? '', received.content ?? '');
  }

  async #addContexts(spoken: readonly SpokenMessage[]): Promise<void> {
    const text = await passContexts(this.#turn);
    if (text === undefined) return;
    const last = spoken.at(-1);
    const behind = last === undefined ? undefined : describeMessage(last);
    this.#added.push({ behind, message: { role: 'user', content: [{ type: 'text', text }] } });
  }

  #withChanges(spoken: readonly SpokenMessage[]): SpokenMessage[] {
    if (this.#memory.rewritten.size + this.#added.length + this.#refused.size === 0) return [...spoken];
    const behind = this.#placeAdded(spoken);
    const changed = spoken.flatMap((message, at) => [this.#change(message), ...(behind.get(at) ?? [])]);
    return [...(behind.get(-1) ?? []), ...changed];
  }

  #change(message: SpokenMessage): SpokenMessage {
    if (message.role !== 'user') return changeResults(message, this.#refused);
    const text = this.#memory.rewritten.get(readText(message) ?? '');
    return text === undefined ? message : replaceText(message, text);
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

  async #readSystem(system: readonly LanguageModelV3Prompt[number][]): Promise<LanguageModelV3Prompt> {
    const texts = system.map(({ content }) => content as string);
    const text = texts.join('\n\n');
    const changed = await this.#turn.run('after_system_message', text);
    if (changed === text) return [...system];
    return changed === '' ? [] : [{ role: 'system', content: changed }];
  }

  async #filter(history: readonly SpokenMessage[]): Promise<LanguageModelV3Prompt> {
    const lent = await recallRows(this.#turn, lendMessages(history));
    const filtered = await this.#turn.run('filter_messages', lent.messages);
    const valid = validExchanges(filtered).map(toLLMMessage);
    return takeBack(await this.#turn.run('prefilter_llm_history', valid), lent);
  }
}

/** The id goes with it: it tells what stands behind the message. */
function toLLMMessage(message: HookMessage): LLMMessage {
  const { id, role, content, tool_call_id, name } = message;
  const calls = readToolCalls(message);
  return {
    ...{ id, role, content },
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(typeof tool_call_id === 'string' ? { tool_call_id } : {}),
    ...(typeof name === 'string' ? { name } : {}),
  };
}

function hasResult(spoken: readonly SpokenMessage[], callId: string): boolean {
  return spoken.some(
    ({ role, content }) =>
      role === 'tool' && content.some((part) => part.type === 'tool-result' && part.toolCallId === callId),
  );
}
