import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { Scope } from '@spec/hooks';
import { type HostTurn, hasStream, hooksOnContent, StreamError, TextWindow } from '@spec/hooks/host';
import { passAnswer, type Said, toCall } from './answers.ts';
import type { EndedCall } from './model-call.ts';

type Part = LanguageModelV3StreamPart;

/** What a stream is sent through. */
export interface StreamSetting {
  readonly turn: HostTurn;
  readonly scope: Scope;
  /** Called when the model has ended its answer, or failed. */
  readonly onEnd: (ended: EndedCall) => Promise<void>;
}

/**
 * Lets an answer out as far as no hook could still change it.
 *
 * S1 Where no hook is on answers, every part leaves as it comes.
 * S2 Text leaves behind the windows of hooks that have a `stream`; where one has none, it leaves at the end, when its chain has passed.
 * S3 Calls of tools leave when the chain has passed: what it strips is not run. Their arguments do not leave piece by piece, nor does reasoning, which
 *    may say what hooks take out of the text.
 * S4 Where what the chain made is no continuation of what has left, it follows whole, after an empty line.
 */
export function passStream(setting: StreamSetting): TransformStream<Part, Part> {
  if (!setting.turn.has('before_create_message', 'after_create_message')) return watchEnd(setting);
  const passing = new PassingAnswer(setting);
  return new TransformStream({
    transform: async (part, controller) => {
      for (const next of await passing.take(part)) controller.enqueue(next);
    },
    flush: () => passing.close(),
  });
}

function watchEnd({ onEnd }: StreamSetting): TransformStream<Part, Part> {
  let isOver = false;
  const end = async (ended: EndedCall): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await onEnd(ended);
  };
  return new TransformStream({
    async transform(part, controller) {
      if (part.type === 'finish') await end({ ...part, errorCode: null });
      if (part.type === 'error') await end(BROKEN);
      controller.enqueue(part);
    },
    flush: () => end(BROKEN),
  });
}

const BROKEN: EndedCall = { errorCode: 'model_failed', finishReason: { unified: 'error', raw: undefined } };

const held: ReadonlySet<Part['type']> = new Set([
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
] as const);

class PassingAnswer {
  readonly #setting: StreamSetting;
  readonly #calls: Said['calls'][number][] = [];
  readonly #window: TextWindow | undefined;
  #isHeld: boolean;
  #text: string | null = null;
  #released = '';
  #id = 'text';
  #isOpen = false;
  #isOver = false;

  constructor(setting: StreamSetting) {
    this.#setting = setting;
    const hooks = hooksOnContent(setting.scope);
    this.#isHeld = !hooks.every(hasStream);
    if (hooks.length > 0 && !this.#isHeld) this.#window = new TextWindow(hooks.filter(hasStream));
  }

  async take(part: Part): Promise<Part[]> {
    if (held.has(part.type) || part.type === 'text-end') return [];
    if (part.type === 'text-start') {
      if (this.#text === null) this.#id = part.id;
      this.#text ??= '';
      return [];
    }
    if (part.type === 'text-delta') return this.#release(this.#add(part.delta));
    if (part.type === 'tool-call' && part.providerExecuted !== true) {
      this.#calls.push(toCall(part.toolCallId, part.toolName, part.input));
      return [];
    }
    if (part.type === 'finish') return [...(await this.#finish({ ...part, errorCode: null })), part];
    if (part.type === 'error') await this.#end(BROKEN);
    return [part];
  }

  /** The stream may break off without a word. */
  async close(): Promise<void> {
    await this.#end(BROKEN);
  }

  /** @returns what of the text may leave */
  #add(delta: string): string {
    this.#text = (this.#text ?? '') + delta;
    if (this.#isHeld) return '';
    if (this.#window === undefined) return delta;
    this.#window.add(delta);
    try {
      return this.#window.take();
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.#isHeld = true;
      return '';
    }
  }

  #release(text: string): Part[] {
    if (text === '') return [];
    this.#released += text;
    const id = this.#id;
    const start: Part[] = this.#isOpen ? [] : [{ type: 'text-start', id }];
    this.#isOpen = true;
    return [...start, { type: 'text-delta', id, delta: text }];
  }

  async #finish(ended: EndedCall): Promise<Part[]> {
    await this.#end(ended);
    const { text, calls } = await passAnswer(this.#setting.turn, { text: this.#text, calls: this.#calls });
    const isContinued = (text ?? '').startsWith(this.#released);
    const rest = isContinued ? (text ?? '').slice(this.#released.length) : `\n\n${text ?? ''}`;
    const parts = this.#release(rest);
    if (this.#isOpen) parts.push({ type: 'text-end', id: this.#id });
    for (const {
      id,
      function: { name, arguments: input },
    } of calls)
      parts.push({ type: 'tool-call', toolCallId: id, toolName: name, input });
    return parts;
  }

  async #end(ended: EndedCall): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#setting.onEnd(ended);
  }
}
