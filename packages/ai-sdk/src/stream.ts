import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { Scope } from '@spec/hooks';
import { type HostTurn, onAbort, PassingParts } from '@spec/hooks/host';
import type { MadeAnswer, MadeCall } from './conversation.ts';
import type { EndedCall } from './model-call.ts';

type Part = LanguageModelV3StreamPart;

/** What a stream is sent through. */
export interface StreamSetting {
  readonly turn: HostTurn;
  readonly scope: Scope;
  /** Of the call. */
  readonly abortSignal: AbortSignal | undefined;
  /** Called when the model has ended its answer, or failed. */
  readonly onEnd: (ended: EndedCall) => Promise<void>;
  /** Called with a whole answer, as it has left. */
  readonly onAnswer: (answer: MadeAnswer) => void;
}

const BROKEN: EndedCall = { errorCode: 'model_failed', finishReason: { unified: 'error', raw: undefined } };

/**
 * Sends a streamed answer through the hooks on answers, and tells once when it has ended. It may break off without a word: its model fails,
 * its reader goes, or the call is aborted, which the AI SDK does not tell the stream.
 */
export function passStream(source: ReadableStream<Part>, setting: StreamSetting): ReadableStream<Part> {
  const passing = new PassingStream(setting);
  const reader = source.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Part>): Promise<void> => {
    try {
      for (let hasLeft = false; !hasLeft; ) {
        const { done, value } = await reader.read();
        if (done) await passing.breakOff();
        if (done) return controller.close();
        for (const next of await passing.take(value)) {
          controller.enqueue(next);
          hasLeft = true;
        }
      }
    } catch (error) {
      await passing.breakOff();
      throw error;
    }
  };
  const cancel = async (reason: unknown): Promise<void> => {
    await passing.breakOff();
    await reader.cancel(reason);
  };
  return new ReadableStream({ pull, cancel });
}

class PassingStream {
  readonly #setting: StreamSetting;
  readonly #parts: PassingParts<Part> | undefined;
  readonly #calls: MadeCall[] = [];
  #text = '';
  #ended: Promise<void> | undefined;
  #stopListening: () => void;

  constructor(setting: StreamSetting) {
    const { turn, scope, abortSignal } = setting;
    this.#setting = setting;
    if (turn.takesMessages) this.#parts = new PassingParts<Part>(turn, scope);
    this.#stopListening = onAbort(abortSignal, () => {
      this.breakOff().catch(() => undefined); // Whoever reads on is told.
    });
  }

  /** @returns what leaves now */
  async take(part: Part): Promise<readonly Part[]> {
    if (part.type === 'finish') await this.#end({ ...part, errorCode: null });
    if (part.type === 'error') await this.#end(BROKEN);
    const leaving = this.#parts === undefined ? [part] : await this.#parts.take(part);
    for (const next of leaving) {
      if (next.type === 'tool-call') this.#calls.push(next);
      if (next.type === 'text-delta') this.#text += next.delta;
      if (next.type === 'finish') this.#setting.onAnswer({ text: this.#text, calls: this.#calls });
    }
    return leaving;
  }

  /** There will be no more of it. */
  breakOff(): Promise<void> {
    return this.#end(BROKEN);
  }

  #end(ended: EndedCall): Promise<void> {
    this.#stopListening();
    this.#ended ??= this.#setting.onEnd(ended);
    return this.#ended;
  }
}
