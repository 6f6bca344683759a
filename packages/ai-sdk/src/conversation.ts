import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { HookMessage, LLMMessage, StoredToolResult } from '@spec/hooks';
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
  findRefused,
  lendMessages,
  listLastCalls,
  readText,
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

/** The user's messages that hooks rewrote in a thread, by what they were: the application sends them again in each turn. */
export type Rewritten = Map<string, UserMessage>;

type UserMessage = Extract<SpokenMessage, { role: 'user' }>;

/** What hooks gave for the conversation, and how many messages of the prompt stand before it. */
interface Added {
  readonly after: number;
  readonly message: SpokenMessage;
}

/**
 * The messages of one turn on their way to the model. The AI SDK sends its own messages at every step and knows nothing of what hooks
 * changed or added at an earlier one; so that is kept here, and applied again.
 */
export class Conversation {
  readonly #turn: HostTurn;
  readonly #rewritten: Rewritten;
  readonly #added: Added[] = [];
  /** What hooks made of the answers that the AI SDK gave in the place of tools, by their calls. */
  readonly #refused = new Map<string, string>();
  #results: StoredToolResult[] = [];
  #lastLength = 0;
  #attempt = 0;
  step = 0;

  constructor(turn: HostTurn, rewritten: Rewritten) {
    this.#turn = turn;
    this.#rewritten = rewritten;
  }

  /** Which attempt of its step the call that begins now is: the AI SDK tries again what failed. */
  get attempt(): number {
    return this.#attempt;
  }

  addResult(result: StoredToolResult): void {
    this.#results.push(result);
  }

  /** What the model is sent. @throws {MessageDeniedError} */
  async prepare(params: LanguageModelV3CallOptions): Promise<LanguageModelV3Prompt> {
    const system = params.prompt.filter(({ role }) => role === 'system');
    const spoken = params.prompt.filter((message): message is SpokenMessage => message.role !== 'system');
    this.#countCall(spoken.length);
    await this.#passRefused(spoken);
    await this.#endBatch(spoken);
    if (this.step === 1 && this.#attempt === 1) await this.#receive(spoken);
    await this.#addContexts(spoken.length);
    const history = this.#withChanges(spoken);
    const turn = this.#turn;
    const heads = turn.has('after_system_message') ? await this.#readSystem(system) : system;
    if (!turn.has('filter_messages', 'prefilter_llm_history')) return [...heads, ...history];
    return [...heads, ...(await this.#filter(history))];
  }

  #countCall(length: number): void {
    const isRepeated = this.step > 0 && length === this.#lastLength;
    this.#attempt = isRepeated ? this.#attempt + 1 : 1;
    if (!isRepeated) this.step = this.#turn.nextStep();
    this.#lastLength = length;
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

  /** The results of one answer, in the order of its calls. */
  async #endBatch(spoken: readonly SpokenMessage[]): Promise<void> {
    const results = this.#results;
    this.#results = [];
    if (results.length === 0) return;
    const ids = listLastCalls(spoken).map(({ id }) => id);
    const at = ({ toolCall }: StoredToolResult): number => ids.indexOf(toolCall.id);
    await this.#turn.endBatch(results.sort((one, other) => at(one) - at(other)));
  }

  /** What the user says now: the messages of the user that the prompt ends with. */
  async #receive(spoken: readonly SpokenMessage[]): Promise<void> {
    const { takesMessages } = this.#turn;
    if (!takesMessages && !this.#turn.has('before_user_message')) return;
    const first = spoken.findLastIndex(({ role }) => role !== 'user') + 1;
    for (const message of spoken.slice(first)) if (message.role === 'user') await this.#receiveOne(message);
  }

  async #receiveOne(given: UserMessage): Promise<void> {
    const content = readText(given);
    const received = await receiveText(this.#turn, content);
    if (received.isDenied) throw new MessageDeniedError(received.reason, received.userMessage);
    if (received.content === content) return;
    const text = { type: 'text', text: received.content ?? '' } as const;
    const files = given.content.filter((part) => part.type === 'file');
    this.#rewritten.set(JSON.stringify(given.content), { ...given, content: [text, ...files] });
  }

  async #addContexts(after: number): Promise<void> {
    const text = await passContexts(this.#turn);
    if (text === undefined) return;
    this.#added.push({ after, message: { role: 'user', content: [{ type: 'text', text }] } });
  }

  #withChanges(spoken: readonly SpokenMessage[]): SpokenMessage[] {
    if (this.#rewritten.size + this.#added.length + this.#refused.size === 0) return [...spoken];
    const changed = spoken.flatMap((message, at) => {
      const rewritten = message.role === 'user' && this.#rewritten.get(JSON.stringify(message.content));
      return [rewritten || changeResults(message, this.#refused), ...this.#addedAfter(at + 1)];
    });
    return [...this.#addedAfter(0), ...changed];
  }

  #addedAfter(count: number): SpokenMessage[] {
    return this.#added.filter(({ after }) => after === count).map(({ message }) => message);
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
