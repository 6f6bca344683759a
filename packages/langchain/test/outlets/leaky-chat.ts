import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { canary } from '@spec/test-helpers';

export interface Script {
  /** What it says, answer by answer; the last one is said again and again. */
  readonly answers: readonly Answer[];
  /** Whether it gives its answers piece by piece where somebody listens. */
  readonly streams?: boolean;
}

export interface Answer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
  /** Whether it has calls beside these whose arguments are no JSON. */
  readonly isBroken?: boolean;
}

/** A model that says a canary in every place that its messages have. */
export class LeakyChat extends BaseChatModel {
  /** What it was sent, call by call. */
  readonly sent: BaseMessage[][] = [];
  readonly #answers: readonly Answer[];

  constructor({ answers, streams = false }: Script) {
    super({ maxRetries: 0, disableStreaming: !streams });
    this.#answers = answers;
  }

  _llmType(): string {
    return 'leaky';
  }

  override bindTools(): this {
    return this;
  }

  #next(messages: BaseMessage[]): AIMessage {
    this.sent.push([...messages]);
    const at = Math.min(this.sent.length, this.#answers.length) - 1;
    return makeAnswer(this.#answers[at] ?? {}, this.sent.length);
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const message = this.#next(messages);
    return {
      generations: [{ text: message.text, message, generationInfo: { said: canary('metadata') } }],
      llmOutput: { said: canary('metadata') },
    };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { id = '', tool_calls, text, ...rest } = this.#next(messages);
    const pieces = text.match(/.{1,7}/gsu) ?? [''];
    for (const [at, piece] of pieces.entries()) {
      const isLast = at === pieces.length - 1;
      const chunks = (tool_calls ?? []).map(({ id: callId = '', name, args }, index) => ({
        ...{ id: callId, name, args: JSON.stringify(args), index, type: 'tool_call_chunk' as const },
      }));
      const { additional_kwargs, response_metadata } = rest;
      const message = new AIMessageChunk({
        ...{ id, content: piece },
        ...(isLast ? { tool_call_chunks: chunks, additional_kwargs, response_metadata } : {}),
      });
      yield new ChatGenerationChunk({ text: piece, message });
      await run?.handleLLMNewToken(piece);
    }
  }
}

function makeAnswer({ text = '', calls = [], isBroken = false }: Answer, step: number): AIMessage {
  return new AIMessage({
    id: `answer_${step}`,
    content: [
      { type: 'reasoning', reasoning: `So ${canary('reasoning')}.` },
      { type: 'text', text },
    ],
    additional_kwargs: { said: canary('kwargs') },
    response_metadata: { said: canary('metadata') },
    tool_calls: calls.map(({ name, args }, at) => ({
      ...({ type: 'tool_call', id: `call_${step}_${at}`, name, args } as const),
    })),
    invalid_tool_calls: isBroken
      ? [{ type: 'invalid_tool_call', id: `broken_${step}`, name: 'pay', args: `{"${canary('badargs')}` }]
      : [],
  });
}
