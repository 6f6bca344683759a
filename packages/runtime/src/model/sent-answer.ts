import type { HookToolCall, LLMMessage } from '@spec/hooks';
import { parseOrText } from '@spec/hooks/host';
import { hasPartFields, type PlacedPart, type ReasoningPart, readPartFields } from '../answer-parts/index.ts';
import type { LanguageModel, ReasoningPromptPart, TextPart, ToolCallPart } from '../definitions/model.ts';

/** Which model an answer is sent to. */
export type AnswerTarget = Pick<LanguageModel, 'provider' | 'modelId'>;

export type AnswerPart = TextPart | ReasoningPromptPart | ToolCallPart;

/**
 * The parts of an answer for a model. What the same model of the same provider signed goes along, where the model had written it; another
 * one gets the text and the calls.
 */
export function toAnswerParts(
  message: LLMMessage,
  calls: readonly HookToolCall[],
  target: AnswerTarget,
): AnswerPart[] {
  const plain: AnswerPart[] = textParts(message.content ?? '');
  for (const call of calls) plain.push(toCallPart(call));
  if (!hasPartFields(message)) return plain;
  const { reasoning = [], provider_metadata: placed } = readPartFields(message);
  if (placed?.provider !== target.provider || placed.model !== target.modelId) return plain;
  const sent = new SentAnswer({ content: message.content ?? '', calls, reasoning });
  for (const part of splitsText(placed.parts, message.content ?? '') ? placed.parts : joinTexts(placed.parts))
    sent.add(part);
  return sent.finish();
}

interface AnswerContent {
  readonly content: string;
  readonly calls: readonly HookToolCall[];
  readonly reasoning: readonly ReasoningPart[];
}

/** Puts an answer together in the order in which it was written. Reasoning goes along with what follows it: providers refuse one without the other. */
class SentAnswer {
  readonly #sent: AnswerPart[] = [];
  readonly #calls: Map<string, HookToolCall>;
  readonly #reasoning: ReadonlyMap<string, ReasoningPart>;
  /** The text that was not sent yet. */
  #text: string;
  /** The reasoning that waits for what follows it. */
  #waiting: ReasoningPromptPart[] = [];
  #hasFollowed = false;

  constructor({ content, calls, reasoning }: AnswerContent) {
    this.#text = content;
    this.#calls = new Map(calls.map((call) => [call.id, call]));
    this.#reasoning = new Map(reasoning.map((part) => [part.id, part]));
  }

  add(part: PlacedPart): void {
    if (part.type === 'reasoning') this.#addReasoning(this.#reasoning.get(part.id));
    else if (part.type === 'text') this.#addText(part);
    else this.#addCall(part);
  }

  /** What hooks added to the answer comes last. */
  finish(): AnswerPart[] {
    this.#addText({ type: 'text' });
    for (const id of [...this.#calls.keys()]) this.#addCall({ type: 'tool_call', id });
    return this.#sent;
  }

  #addReasoning(part: ReasoningPart | undefined): void {
    if (this.#hasFollowed) this.#waiting = [];
    this.#hasFollowed = false;
    if (part !== undefined) this.#waiting.push({ type: 'reasoning', text: part.text, ...toOptions(part) });
  }

  #addText({ length = this.#text.length, ...part }: PlacedPart & { type: 'text' }): void {
    const text = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    this.#follow(textParts(text).map((sent) => ({ ...sent, ...toOptions(part) })));
  }

  #addCall({ id, ...part }: PlacedPart & { type: 'tool_call' }): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    this.#follow(call === undefined ? [] : [{ ...toCallPart(call), ...toOptions(part) }]);
  }

  #follow(parts: readonly AnswerPart[]): void {
    this.#hasFollowed = true;
    if (parts.length === 0) return;
    this.#sent.push(...this.#waiting, ...parts);
    this.#waiting = [];
  }
}

function toOptions({ metadata }: Pick<ReasoningPart, 'metadata'>): Pick<TextPart, 'providerOptions'> {
  return metadata === undefined ? {} : { providerOptions: metadata as TextPart['providerOptions'] & {} };
}

function textParts(text: string): TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** Whether the lengths are still those of the text. */
function splitsText(parts: readonly PlacedPart[], content: string): boolean {
  const texts = parts.filter((part) => part.type === 'text');
  return texts.reduce((sum, { length = 0 }) => sum + length, 0) === content.length;
}

/** The text as a whole where its first piece was, without what belongs to the pieces. */
function joinTexts(parts: readonly PlacedPart[]): PlacedPart[] {
  return parts.map((part) => (part.type === 'text' ? { type: 'text' } : part));
}

function toCallPart({ id, function: { name, arguments: json } }: HookToolCall): ToolCallPart {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: parseOrText(json) };
}
